import type { Db, Tx } from "#lib/db/connection.ts";
import type { Env } from "#lib/networks/network-data.ts";
import type { NetworkCode } from "#lib/networks/networks.ts";
import { selectAddresses } from "./store.ts";
import type { KnownAddress } from "./types.ts";

/** Those of `canonical` (any number, duplicates welcome) that we gave out on this network, or on any of these. */
export async function findAddresses(
  db: Db | Tx,
  env: Env,
  network: NetworkCode | readonly NetworkCode[],
  canonical: readonly string[],
): Promise<KnownAddress[]> {
  return canonical.length === 0 ? [] : selectAddresses(db, env, [network].flat(), canonical);
}
