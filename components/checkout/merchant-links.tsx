import type { CheckoutModel } from "./checkout-model.ts";
import type { Texts } from "./texts.ts";

/**
 * On to the shop when paid, back to it otherwise; nothing while money is on its way. `_top`: the shop is never shown
 * within its own frame.
 */
export function ShopLink({ model, texts }: { model: CheckoutModel; texts: Texts }) {
  const names = { merchant: model.merchantName };
  switch (model.stage) {
    case "paid":
    case "overpaid":
      return (
        <a className="button print:hidden" href={model.successUrl} target="_top">
          {texts.continue(names)}
        </a>
      );
    case "underpaid":
    case "unconfirmed":
    case "expired":
      return (
        <a className="button" href={model.cancelUrl} target="_top">
          {texts.back(names)}
        </a>
      );
    case "choose":
    case "noChoice":
    case "pay":
    case "noPrice":
      return model.received.length > 0 ? null : (
        <a className="link justify-self-center px-2 py-1" href={model.cancelUrl} target="_top">
          {texts.cancel}
        </a>
      );
    default:
      return null;
  }
}
