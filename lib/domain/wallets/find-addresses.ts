import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { listAddresses } from "./store.ts";
import type { WalletAddress } from "./types.ts";

/** Those of `canonical` (any number, duplicates welcome) that we gave out on this network, or on any of these. */
export async function listKnownAddresses(
  db: Db | Tx,
  env: Env,
  network: NetworkCode | readonly NetworkCode[],
  canonical: readonly string[],
): Promise<WalletAddress[]> {
  return canonical.length === 0 ? [] : listAddresses(db, env, [network].flat(), canonical);
}
