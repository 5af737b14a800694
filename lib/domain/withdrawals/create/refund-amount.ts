import type { Env } from "#lib/chains/network-data.ts";
import { computeExcess } from "#lib/domain/payment-links/view/remaining-rules.ts";
import { findSnapshot } from "#lib/domain/payment-links/view/snapshot.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { listRefundables } from "../queries.ts";
import { type RefundAmount, type RefundAmountRefusal, refundAmountOf, shopRefundOf } from "./refund-rules.ts";

/** The amount of a refund in ledger units. Whether it can be refunded is decided under the link's lock. */
export async function resolveRefundAmount(
  db: Db | Tx,
  {
    amount,
    paymentLink,
    owner,
    ...way
  }: {
    readonly amount: RefundAmount;
    readonly paymentLink: string;
    readonly owner: { readonly merchantId: number; readonly env: Env };
    readonly network: string;
    readonly token: string;
  },
  now: Date,
): Promise<
  | { readonly ok: true; readonly amount: bigint }
  | { readonly ok: false; readonly reason: "payment_link_not_found" | RefundAmountRefusal }
> {
  if (typeof amount === "bigint") return { ok: true, amount };
  const snapshot = await findSnapshot(db, paymentLink, owner);
  if (snapshot === null) return { ok: false, reason: "payment_link_not_found" };
  const refundables = await listRefundables(db, snapshot.link.id, now);
  const excess = computeExcess(snapshot, now);
  return typeof amount === "object"
    ? shopRefundOf(amount, refundables, excess, way)
    : refundAmountOf(amount, refundables, excess, way);
}
