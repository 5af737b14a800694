import type { EventData, PaymentLinkEventType } from "#lib/domain/webhooks/events.ts";
import type { NewEvent } from "#lib/domain/webhooks/types.ts";
import { JsonText } from "#lib/platform/json-text.ts";
import { countingRefunds, creditedPayments } from "../refund-rules.ts";
import type { LinkServices, PaymentLinkView, TokenAmount } from "../types.ts";
import { composeView } from "../view/compose-view.ts";
import {
  customerRecord,
  linkIdentityRecord,
  linkTermsRecord,
  paymentRecord,
  tokenAmountRecord,
} from "../view/link-record.ts";
import { sumAmounts } from "../view/remaining-rules.ts";
import type { LinkSnapshot } from "../view/snapshot.ts";
import type { LinkEvaluation } from "./state-rules.ts";

/**
 * The events of an evaluation. The snapshot must already contain the evaluation's result. `txHashes`: transactions by
 * which the merchant can ask for the events again.
 */
export function composeEvents(
  deps: LinkServices,
  { snapshot, txHashes }: { readonly snapshot: LinkSnapshot; readonly txHashes: readonly string[] },
  evaluation: LinkEvaluation,
  now: Date,
): NewEvent[] {
  const view = composeView(snapshot, deps, now);
  const refunds = countingRefunds(snapshot.refunds, now);
  const received = sumAmounts(creditedPayments(snapshot.totals, refunds));
  const { merchantId, env } = snapshot.link;
  return evaluation.events.map(({ type, seq }) => ({
    merchantId,
    env,
    type,
    data: composeEventData(view, received, seq),
    txHashes: [...txHashes],
  }));
}

const asText = (decimal: string) => decimal;

/** The `data` of a payment link's event. Amounts are decimal strings. `metadata` is the merchant's JSON text unchanged. */
function composeEventData(
  view: PaymentLinkView,
  received: readonly TokenAmount[],
  seq: number,
): EventData<PaymentLinkEventType> {
  const toRecord = (amount: TokenAmount) => tokenAmountRecord(amount, asText);
  return {
    ...linkIdentityRecord(view),
    state: view.state,
    reason: view.reason,
    late: view.late,
    seq,
    environment: view.env,
    ...linkTermsRecord(view, asText),
    payments: view.payments.map((payment) => paymentRecord(payment, asText)),
    payments_count: view.paymentCount,
    received: received.map(toRecord),
    remaining: view.remaining.map(toRecord),
    excess: view.excess.map(toRecord),
    customer: customerRecord(view),
    metadata: view.metadata === null ? null : new JsonText(view.metadata),
  };
}
