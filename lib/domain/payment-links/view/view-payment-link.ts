import type { Env } from "#lib/chains/network-data.ts";
import type { PaymentLinkDeps, PaymentLinkView } from "../types.ts";
import { composeView } from "./compose-view.ts";
import { readSnapshot } from "./read-payment-links.ts";

/**
 * Views a link from one consistent read. Changes nothing: a quote that ran out is not renewed (viewForPayer). null if there
 * is no such link, or if `owner` does not own it.
 */
export async function viewPaymentLink(
  deps: PaymentLinkDeps,
  refid: string,
  now: Date,
  owner?: { readonly merchantId: number; readonly env: Env },
): Promise<PaymentLinkView | null> {
  const snapshot = await readSnapshot(deps.db, refid, owner);
  return snapshot && composeView(snapshot, deps, now);
}
