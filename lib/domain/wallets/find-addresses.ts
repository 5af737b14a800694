import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
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
