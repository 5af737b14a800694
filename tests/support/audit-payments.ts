import type { WatchedNetwork } from "./watched-network.ts";

/** A payment on the chain to one of our addresses, as displayed. */
export type PaidTransfer = readonly [to: string, amount: bigint, txHash: string];

/** Compares what was paid with what is credited, and checks the ledger. */
export async function auditPayments(
  one: Pick<WatchedNetwork, "adapter" | "database" | "ledger">,
  paid: readonly PaidTransfer[],
) {
  const canonical = (address: string) => one.adapter.addresses.canonicalize(address);
  const open = new Map<string, number>();
  for (const [to, amount, txHash] of paid) {
    const key = `${txHash} ${canonical(to)} ${amount}`;
    open.set(key, (open.get(key) ?? 0) + 1);
  }
  const { rows } = await one.database.database.pool.query<{ key: string }>(
    `select d.tx_hash || ' ' || a.address || ' ' || d.amount as key
     from deposits d join addresses a on a.id = d.address_id where d.status = 1`,
  );
  let doubled = 0;
  for (const { key } of rows) {
    const left = open.get(key) ?? 0;
    if (left === 0) doubled += 1;
    else open.set(key, left - 1);
  }
  const lost = [...open.values()].reduce((sum, left) => sum + left, 0);
  const { problems } = await one.ledger();
  return { paid: paid.length, lost, doubled, problems };
}
