import { type Invariant, query } from "./invariant.ts";
import { hashOn } from "./side.ts";
import type { SentPayment, World } from "./world.ts";

/** How long a price still counts after its end. The same as the program's, so that a change there is a decision here, too. */
const AFTER_MS = 15 * 60_000;
/** Block times are whole seconds, and a block is made while the clock of a history continues. */
const SLACK_MS = 2_000;

interface PricedDeposit {
  readonly network: string;
  readonly hash: string;
  readonly address: string;
  readonly amount: string;
  readonly early: string;
  readonly seen: Date;
  readonly full: string;
  readonly until: Date;
  /** It left the mempool for some time. */
  readonly dropped: boolean;
}

/** A payment is worth the amount that the payer saw, never its value before the payer decided to pay. */
export const checkPrices: Invariant = async (world) => {
  const rows = await query<PricedDeposit>(
    world,
    "prices",
    `select d.network, d.tx_hash as hash, a.address, d.amount::text, d.early_amount::text as early,
       d.first_seen_at as seen, q.amount::text as full, q.valid_until as until,
       coalesce(d.dropped_from = 'mempool', false) as dropped
     from deposits d join addresses a on a.id = d.address_id join payments p on p.deposit_id = d.id
       join quotes q on q.id = p.quote_id
     where d.status = 1 and d.unmatched_reason is null`,
  );
  const sent = new Map(
    world.payments.map((one) => [
      `${one.side.network.adapter.network} ${hashOn(one.side, one.transaction)}`,
      one,
    ]),
  );
  return rows.flatMap((row) => {
    const payment = sent.get(`${row.network} ${row.hash}`);
    if (payment === undefined) return [];
    const decidedAt = decisionTime(world, payment, row.hash);
    const ended = row.until.getTime() + AFTER_MS + SLACK_MS;
    if (decidedAt > ended)
      return [`${row.hash} has a price that ended at ${row.until.toISOString()}, before it was sent`];
    // The program may know that another transaction replaced it meanwhile.
    const sentAgainAt = world.sentAgainAt.get(payment.transaction.hash) ?? 0;
    return isWorthLess(payment, row, Math.max(decidedAt, sentAgainAt))
      ? [`${row.hash} paid exactly what the page asked for, and is worth less`]
      : [];
  });
};

/** When the payer last decided to pay: when it was sent, or again after it was gone. In a block it is decided. */
function decisionTime(
  { droppedAt }: World,
  { side, transaction, sentAt }: SentPayment,
  hash: string,
): number {
  const gone = droppedAt.get(hash) ?? sentAt;
  return Math.min(gone, side.chain.minedAt.get(transaction.hash) ?? gone);
}

function isWorthLess({ shown }: SentPayment, row: PricedDeposit, decidedAt: number): boolean {
  if (shown === null || row.dropped || row.early !== "0" || row.address !== shown.address) return false;
  if (BigInt(row.amount) !== shown.asked || BigInt(row.full) <= shown.full) return false;
  return Math.max(row.seen.getTime(), decidedAt) <= shown.until + AFTER_MS - SLACK_MS;
}
