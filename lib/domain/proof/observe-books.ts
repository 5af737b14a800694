import { hasTransactions, type NetworkAdapter, type TransactionNetwork } from "#lib/chains/network.ts";
import { findSpentAmounts } from "#lib/domain/withdrawals/signer/outgoing-queries.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import type { Books, KnownOutgoing, ObservedPayment } from "./types.ts";

/** Asks the chain in which blocks the transactions are that the books do not count for good, and what they pay and cost. */
export async function observeBooks(
  db: Db | Tx,
  adapter: NetworkAdapter,
  { withdrawals, outgoing }: Books,
): Promise<{
  readonly payments: ReadonlyMap<string, ObservedPayment>;
  readonly outgoing: readonly KnownOutgoing[];
}> {
  if (!hasTransactions(adapter)) return { payments: new Map(), outgoing };
  const blocks = new Map(
    withdrawals.flatMap(({ transactions }) => transactions.map(({ hash, block }) => [hash, block] as const)),
  );
  const payments = new Map<string, ObservedPayment>();
  for (const [hash, recordedBlock] of blocks) {
    const found = await adapter.nodes.withOne({ lastBlock: null }, (node) =>
      node.transactions.fetchPayments(hash, recordedBlock),
    );
    if (found === null || found.block === null || found.failed) continue;
    payments.set(hash, { hash, blockHeight: found.block.height, paid: found.payments ?? [] });
  }
  const observed: KnownOutgoing[] = [];
  for (const one of outgoing) observed.push(one.isBooked ? one : await observe(db, adapter, one));
  return { payments, outgoing: observed };
}

async function observe(
  db: Db | Tx,
  adapter: TransactionNetwork,
  outgoing: KnownOutgoing,
): Promise<KnownOutgoing> {
  const { hash, block, spends } = outgoing;
  const spent = await findSpentAmounts(db, adapter, spends);
  const cost = await adapter.nodes.withOne({ lastBlock: null }, (node) =>
    node.transactions.fetchCost(hash, { block, spent }),
  );
  return { ...outgoing, blockHeight: cost?.block?.height ?? null, fee: cost?.fee ?? null };
}
