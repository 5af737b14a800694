import type { CheckoutModel, Stage } from "./checkout-model.ts";
import type { Texts } from "./texts.ts";

/**
 * Link to the shop: forward when paid, back otherwise, none while a payment is pending. The target is `_top`
 * because the shop must not open within its own frame.
 */
export function ShopLink({ model, texts }: { model: CheckoutModel; texts: Texts }) {
  if (!model.hasShop) return null;
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
    case "canceled":
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

/** Stages whose texts tell the customer to contact the merchant. */
const STAGES_WITH_CONTACT: ReadonlySet<Stage> = new Set([
  "overpaid",
  "underpaid",
  "unconfirmed",
  "expired",
  "canceled",
]);

/** How to contact the merchant, shown wherever the page says "contact them". */
export function SupportContact({ model, texts }: { model: CheckoutModel; texts: Texts }) {
  const { support } = model;
  const isAsked = STAGES_WITH_CONTACT.has(model.stage) || model.astray.length > 0;
  if (support === null || !isAsked) return null;
  const elsewhere = support.kind === "web" ? { target: "_blank", rel: "noreferrer" } : {};
  return (
    <p className="flex flex-wrap items-center gap-x-2 rounded-xl border border-line px-4 py-3 text-sm">
      <span className="text-muted">{texts.contactMerchant({ merchant: model.merchantName })}</span>
      <a className="link py-0.5 font-semibold break-all text-ink" href={support.href} {...elsewhere}>
        <bdi dir="ltr">{support.label}</bdi>
      </a>
    </p>
  );
}
