import { displayPosition } from "#lib/chains/network.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { CURRENCIES } from "#lib/platform/money/currencies.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import type { PaymentTotal } from "../store.ts";
import type { PaymentLinkView, PaymentView, TokenAmount } from "../types.ts";

function tokenAmount({ network, token, amount }: TokenAmount) {
  return {
    network,
    token,
    amount: formatAmount(amount, TOKENS[token].ledgerDecimals),
  };
}

function payment(view: PaymentView) {
  const { network, token, amount } = tokenAmount(view);
  return {
    network,
    token,
    address: view.address,
    tx_hash: view.txHash,
    output_pos: displayPosition(view.position),
    amount,
    worth: view.worth,
    confirmations: view.confirmations,
    required_confirmations: view.requiredConfirmations,
    status: view.status,
    late: view.late,
    first_seen_at: view.firstSeenAt.toISOString(),
    confirmed_at: view.confirmedAt?.toISOString() ?? null,
  };
}

/** Credited money per network and token. */
export function creditedTotals(money: readonly PaymentTotal[]): TokenAmount[] {
  const totals = new Map<string, TokenAmount>();
  for (const { network, token, amount, status } of money) {
    if (status !== 1) continue;
    const key = `${network}:${token}`;
    totals.set(key, { network, token, amount: amount + (totals.get(key)?.amount ?? 0n) });
  }
  return [...totals.values()];
}

/**
 * The `data` of a payment link's event as JSON text: amounts are decimal strings, and the merchant's metadata stands
 * in it letter for letter. `txHashes`: those of the payments it lists.
 */
export function composeEventData(
  view: PaymentLinkView,
  received: readonly TokenAmount[],
  seq: number,
): { dataJson: string; txHashes: string[] } {
  const { email, firstName, lastName, phone } = view.customer;
  const data = {
    refid: view.refid,
    payment_reference: view.paymentReference,
    payment_link: view.paymentLink,
    state: view.state,
    reason: view.reason,
    late: view.late,
    seq,
    environment: view.env,
    amount_required: formatAmount(view.amount, CURRENCIES[view.currency]),
    amount_currency: view.currency,
    expires_at: view.expiresAt.toISOString().replace(/\.\d+Z$/, "Z"),
    payments: view.payments.map(payment),
    received: received.map(tokenAmount),
    remaining: view.remaining.map(tokenAmount),
    excess: view.excess.map(tokenAmount),
    customer: { email, first_name: firstName, last_name: lastName, phone },
  };
  return {
    dataJson: `${JSON.stringify(data).slice(0, -1)},"metadata":${view.metadata ?? "null"}}`,
    txHashes: [...new Set(view.payments.map(({ txHash }) => txHash))],
  };
}
