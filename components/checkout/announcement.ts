import { type Ask, renewal } from "./ask.ts";
import type { CheckoutModel } from "./checkout-model.ts";
import type { Texts } from "./texts.ts";

/**
 * What a screen reader is told when it changes: where the payment stands, and no more than that. `refusal`: why the last
 * choice of a network changed nothing.
 */
export function announcementOf(model: CheckoutModel, texts: Texts, refusal: string | null): string {
  const { stage, ask, payments, wait } = model;
  const held = model.ended && model.late && stage !== "paid" && stage !== "overpaid";
  const story = held ? texts.heldLate({ merchant: model.merchantName }) : explanationOf(model, texts);
  const parts = [`${texts.titles[stage]}.`, story];
  if (ask !== null && renewal(ask) === "same") parts.push(texts.priceRenewedSame);
  if (ask !== null && renewal(ask) === "changed") parts.push(renewedText(ask, texts));
  if (stage === "topUp") parts.push(`${texts.missing}: ${ask?.amount} ${ask?.symbol}.`);
  for (const payment of stage === "confirming" ? payments : []) {
    if (payment.progress === "confirming" && payment.confirmations > 0) {
      parts.push(`${texts.progress.confirming(payment.confirmations, payment.required)}.`);
    }
  }
  if (wait !== null) parts.push(texts.usually(wait));
  if (model.stalled.length > 0) parts.push(texts.stalled(model.stalled));
  if (refusal !== null) parts.push(refusal);
  return parts.join(" ");
}

/** What the stage means for the customer. */
export function explanationOf(model: CheckoutModel, texts: Texts): string {
  return texts.explanations[model.stage]({
    merchant: model.merchantName,
    excess: model.excess.join(" + "),
  });
}

/** Old amount and new one in a sentence. */
export function renewedText({ amount, amountBefore, symbol }: Ask, texts: Texts): string {
  return texts.priceRenewed({ before: `${amountBefore} ${symbol}`, now: `${amount} ${symbol}` });
}
