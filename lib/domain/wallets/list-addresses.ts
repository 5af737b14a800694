import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { listAddressPage, listAllAddresses, listMaxIndexes } from "./store.ts";
import type { ExportedAddress, WalletAddress } from "./types.ts";

/** Highest index given out per environment and network: how far a wallet must look. Absent: none yet. */
export async function listHighestIndexes(
  db: Db | Tx,
): Promise<{ env: Env; network: NetworkCode; index: number }[]> {
  const rows = await listMaxIndexes(db);
  return rows.flatMap(({ env, network, index }) => (index === null ? [] : [{ env, network, index }]));
}

/** Every address given out in an environment, by network and index; `network` null: all networks. */
export function listExportedAddresses(
  db: Db | Tx,
  env: Env,
  network: NetworkCode | null = null,
): Promise<ExportedAddress[]> {
  return listAllAddresses(db, env, network);
}

/** Every address given out on these networks in an environment, in parts of at most `size`. */
export async function* iterateAddresses(
  db: Db | Tx,
  env: Env,
  networks: readonly NetworkCode[],
  size: number,
): AsyncGenerator<readonly WalletAddress[]> {
  for (let afterId = 0; ; ) {
    const part = await listAddressPage(db, env, networks, afterId, size);
    const last = part.at(-1);
    if (last) yield part;
    if (!last || part.length < size) return;
    afterId = last.id;
  }
}
