import type { EventData, PaymentLinkEventType } from "#lib/domain/webhooks/events.ts";
import type { NewEvent } from "#lib/domain/webhooks/types.ts";
import { JsonText } from "#lib/platform/json-text.ts";
import type { PaymentLinkDeps, PaymentLinkView, PaymentTotal, TokenAmount } from "../types.ts";
import { composeView } from "../view/compose-view.ts";
import {
  customerRecord,
  linkIdentityRecord,
  linkTermsRecord,
  paymentRecord,
  tokenAmountRecord,
} from "../view/link-record.ts";
import type { LinkSnapshot } from "../view/snapshot.ts";
import type { LinkEvaluation } from "./state-rules.ts";

/** The events of an evaluation. The snapshot must already contain the evaluation's result. */
export function composeEvents(
  deps: PaymentLinkDeps,
  snapshot: LinkSnapshot,
  evaluation: LinkEvaluation,
  now: Date,
): NewEvent[] {
  const view = composeView(snapshot, deps, now);
  const received = creditedTotals(snapshot.totals);
  const { merchantId, env } = snapshot.link;
  return evaluation.events.map(({ type, seq }) => ({
    merchantId,
    env,
    type,
    ...composeEventData(view, received, seq),
  }));
}

/** The credited amount for each network and token. */
export function creditedTotals(payments: readonly PaymentTotal[]): TokenAmount[] {
  const totals = new Map<string, TokenAmount>();
  for (const { network, token, amount, status } of payments) {
    if (status !== 1) continue;
    const key = `${network}:${token}`;
    totals.set(key, { network, token, amount: amount + (totals.get(key)?.amount ?? 0n) });
  }
  return [...totals.values()];
}

const asText = (decimal: string) => decimal;

/**
 * The `data` of a payment link's event. Amounts are decimal strings. `metadata` is the merchant's JSON
 * text unchanged. `txHashes` are those of the payments in the event.
 */
export function composeEventData(
  view: PaymentLinkView,
  received: readonly TokenAmount[],
  seq: number,
): { data: EventData<PaymentLinkEventType>; txHashes: string[] } {
  const toRecord = (amount: TokenAmount) => tokenAmountRecord(amount, asText);
  const data = {
    ...linkIdentityRecord(view),
    state: view.state,
    reason: view.reason,
    late: view.late,
    seq,
    environment: view.env,
    ...linkTermsRecord(view, asText),
    payments: view.payments.map((payment) => paymentRecord(payment, asText)),
    received: received.map(toRecord),
    remaining: view.remaining.map(toRecord),
    excess: view.excess.map(toRecord),
    customer: customerRecord(view),
    metadata: view.metadata === null ? null : new JsonText(view.metadata),
  };
  return {
    data,
    txHashes: [...new Set(view.payments.map(({ txHash }) => txHash))],
  };
}
