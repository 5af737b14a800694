import { canonicalizeTransactionHash, listTransactionHashForms } from "#lib/chains/hash-rules.ts";
import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { selectRecordsByHash } from "./queries.ts";
import type { DepositOwner, DepositRow, ListedDepositStatus } from "./types.ts";

/** One transaction may pay a merchant thousands of times. */
const AT_MOST = 501;

/**
 * A merchant's deposits of one transaction, by position, 501 at most; none where the text is no hash. `network` and
 * `position` narrow it.
 */
export async function listTransactionDeposits(
  db: Db,
  owner: DepositOwner,
  asked: {
    readonly txHash: string;
    readonly statuses: readonly ListedDepositStatus[];
    readonly network: NetworkCode | null;
    readonly position: number | null;
  },
): Promise<readonly DepositRow[]> {
  const { txHash, ...rest } = asked;
  const hashes = asked.network
    ? [canonicalizeTransactionHash(NETWORKS[asked.network].family, txHash) ?? []].flat()
    : listTransactionHashForms(txHash);
  if (hashes.length === 0) return [];
  return selectRecordsByHash(db, owner, { ...rest, hashes, limit: AT_MOST });
}
