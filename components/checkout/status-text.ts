import type { CheckoutModel } from "./checkout-model.ts";
import { type PaymentInstructions, priceChange } from "./payment-instructions.ts";
import type { AstrayLine } from "./payment-line.ts";
import type { Texts } from "./texts.ts";

/**
 * The text that a screen reader announces when it changes: the status of the payment and nothing else.
 * `refusal` says why the last choice of a network failed.
 */
export function announcementText(model: CheckoutModel, texts: Texts, refusal: string | null): string {
  const { stage, instructions, payments, waitEstimate } = model;
  const parts = [`${titleText(model, texts)}.`, explanationText(model, texts)];
  if (model.reverted) parts.unshift(texts.reverted);
  if (instructions !== null && priceChange(instructions) === "same") parts.push(texts.priceRenewedSame);
  if (instructions !== null && priceChange(instructions) === "changed")
    parts.push(priceRenewalText(instructions, texts));
  if (stage === "topUp" && !instructions?.isSmallest)
    parts.push(`${texts.amountMissing}: ${instructions?.readableAmount} ${instructions?.symbol}.`);
  for (const payment of stage === "confirming" ? payments : []) {
    if (payment.progress === "confirming" && payment.confirmations > 0) {
      parts.push(`${texts.progress.confirming(payment.confirmations, payment.required)}.`);
    }
  }
  if (waitEstimate !== null) parts.push(texts.usualWait(waitEstimate));
  if (model.unwatchedNetworks.length > 0) parts.push(texts.networksUnwatched(model.unwatchedNetworks));
  if (model.slow) parts.push(texts.networkSlow);
  parts.push(...model.astray.map((payment) => astrayText(payment, model, texts)));
  if (refusal !== null) parts.push(refusal);
  return parts.join(" ");
}

/** Says how money is handled that arrived on another network or in another token. */
export function astrayText(
  { amount, networkName: network }: AstrayLine,
  { merchantName: merchant }: Pick<CheckoutModel, "merchantName">,
  texts: Texts,
): string {
  return texts.astray({ amount, network, merchant });
}

/** True if money arrived after the end, and the merchant decides about it. */
export function isHeldLate({ ended, late, stage }: CheckoutModel): boolean {
  return ended && late && stage !== "paid" && stage !== "overpaid";
}

/** The heading. Late money comes before how the link ended: the payer wants to know where it is. */
export function titleText(model: CheckoutModel, texts: Texts): string {
  return isHeldLate(model) ? texts.lateTitle : texts.titles[model.stage];
}

/** Says in words how far the payment is. */
export function explanationText(model: CheckoutModel, texts: Texts): string {
  const { instructions } = model;
  if (isHeldLate(model)) return texts.lateHeld({ merchant: model.merchantName });
  if (model.stage === "topUp" && instructions?.isSmallest)
    return texts.topUpSmallest({ amount: `${instructions.readableAmount} ${instructions.symbol}` });
  return texts.explanations[model.stage]({
    merchant: model.merchantName,
    excess: model.excess.join(" + "),
  });
}

/** A sentence with the old amount and the new one. */
export function priceRenewalText(
  { readableAmount: amount, previousAmount, symbol }: PaymentInstructions,
  texts: Texts,
): string {
  return texts.priceRenewed({ before: `${previousAmount} ${symbol}`, now: `${amount} ${symbol}` });
}
