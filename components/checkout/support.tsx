import type { CheckoutModel, Stage } from "./checkout-model.ts";
import type { Texts } from "./texts.ts";

/** Stages whose words send the customer to the merchant. */
const STAGES_WITH_CONTACT: ReadonlySet<Stage> = new Set(["overpaid", "underpaid", "unconfirmed", "expired"]);

/** How the merchant is reached, wherever the page says "contact them". */
export function SupportContact({ model, texts }: { model: CheckoutModel; texts: Texts }) {
  const { support } = model;
  if (support === null || !STAGES_WITH_CONTACT.has(model.stage)) return null;
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
