import type { CheckoutModel, Stage } from "./checkout-model.ts";
import { ContinueLink } from "./redirect-countdown.tsx";
import { isHeldLate } from "./status-text.ts";
import type { Texts } from "./texts.ts";

interface LinksProps {
  model: CheckoutModel;
  texts: Texts;
}

/** Stages that end without a payment, or with money that needs the merchant. */
const UNPAID_ENDS: ReadonlySet<Stage> = new Set(["underpaid", "unconfirmed", "expired", "canceled"]);

/**
 * The next step of each ending: to the shop if it is paid, otherwise to the merchant. The target is `_top` because the shop must not open
 * within its own frame.
 */
export function NextStep({ model, texts }: LinksProps) {
  const { stage, hasShop } = model;
  const names = { merchant: model.merchantName };
  if (stage === "paid" || stage === "overpaid") {
    return (
      <>
        {hasShop && (
          <ContinueLink
            href={model.successUrl}
            texts={{ go: texts.continue(names), stay: texts.stayHere, secondsShort: texts.secondsShort }}
          />
        )}
        {stage === "overpaid" && <AskMerchant model={model} texts={texts} isFirst={!hasShop} />}
      </>
    );
  }
  if (!UNPAID_ENDS.has(stage)) return null;
  return (
    <>
      <AskMerchant model={model} texts={texts} isFirst />
      {hasShop && (
        <a className={model.support === null ? "button" : QUIET} href={model.cancelUrl} target="_top">
          {texts.back(names)}
        </a>
      )}
    </>
  );
}

const QUIET = "button-quiet min-h-11 print:hidden";

/** Leaves without paying, until something was paid. */
export function CancelLink({ model, texts }: LinksProps) {
  const { stage, hasShop, received, cancelUrl } = model;
  const canCancel = ["choose", "noChoice", "pay", "noPrice"].includes(stage);
  if (!hasShop || !canCancel || received.length > 0) return null;
  return (
    <a className="link inline-flex min-h-9 items-center text-sm" href={cancelUrl} target="_top">
      {texts.cancel}
    </a>
  );
}

/** Contacts the merchant, with the reference, about what this ending needs. Nothing without a contact. */
export function AskMerchant({ model, texts, isFirst }: LinksProps & { isFirst: boolean }) {
  const { support, stage, merchantName: merchant } = model;
  if (support === null) return null;
  const elsewhere = support.kind === "web" ? { target: "_blank", rel: "noreferrer" } : {};
  const wantsMoney = stage === "overpaid" || model.astray.length > 0 || isHeldLate(model);
  const text = wantsMoney
    ? texts.ask.refund
    : stage === "expired"
      ? texts.ask.newLink
      : texts.ask.contact({ merchant });
  return (
    <div className="grid gap-1 print:hidden">
      <a className={isFirst ? "button" : QUIET} href={support.href} {...elsewhere}>
        {text}
      </a>
      <bdi dir="ltr" className="justify-self-center text-sm break-all text-muted select-all">
        {support.label}
      </bdi>
    </div>
  );
}
