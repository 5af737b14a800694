import type { ReactNode } from "react";
import { Notice } from "#components/ui/notice.tsx";
import type { LanguageCode } from "#lib/languages/languages.ts";
import type { CheckoutModel } from "./checkout-model.ts";
import { LanguageSwitch } from "./language-switch.tsx";
import { NetworkChoice, OtherNetworks } from "./network-choice.tsx";
import { PayPanel } from "./pay-panel.tsx";
import { PaymentList } from "./payment-list.tsx";
import { Status } from "./status.tsx";
import { Steps } from "./steps.tsx";
import { Summary } from "./summary.tsx";
import type { Notice as NoticeCode, Texts } from "./texts.ts";

interface CheckoutProps {
  model: CheckoutModel;
  texts: Texts;
  /** The server action behind the choice of a network. */
  choose: (form: FormData) => Promise<void>;
  notice: NoticeCode | null;
  /** The language of this page, and those that may be had instead. */
  language: LanguageCode;
  languages: readonly LanguageCode[];
  /** What keeps the page live; empty in a test. It keeps one place in the tree, and so its memory. */
  live?: ReactNode;
}

/** The whole payment page of one link. */
export function Checkout({ model, texts, choose, notice, language, languages, live }: CheckoutProps) {
  const { stage } = model;
  return (
    <>
      {model.test && (
        <aside className="bg-warn-soft px-4 py-2 text-center text-sm font-medium text-warn">
          {texts.testBanner}
        </aside>
      )}
      <div className="mx-auto grid w-full max-w-6xl gap-6 px-4 pt-6 pb-10 sm:px-6 lg:grid-cols-[20rem_1fr] lg:gap-12 lg:pt-16">
        <Summary model={model} texts={texts} />
        <main className="card" data-stage={stage}>
          <Steps stage={stage} texts={texts} />
          <Status model={model} texts={texts} />
          {model.stalled.length > 0 && (
            <Notice tone="warn" icon="alert">
              {texts.stalled(model.stalled)}
            </Notice>
          )}
          {live}
          {notice !== null && model.choices.length > 0 && (
            <Notice tone="bad" icon="alert">
              {texts.notices[notice]}
            </Notice>
          )}
          {stage === "choose" && <NetworkChoice model={model} choose={choose} />}
          {model.ask !== null && <PayPanel ask={model.ask} model={model} texts={texts} />}
          <PaymentList model={model} texts={texts} />
          {stage !== "choose" && model.choices.length > 0 && (
            <OtherNetworks model={model} texts={texts} choose={choose} />
          )}
          <WayOn model={model} texts={texts} />
        </main>
      </div>
      <footer className="mt-auto grid justify-items-center gap-4 px-4 pb-8 text-center text-xs text-muted">
        <LanguageSwitch model={model} texts={texts} language={language} languages={languages} />
        <p>{texts.footer}</p>
      </footer>
    </>
  );
}

/** On to the shop when paid, back to it otherwise; nothing while money is on its way. */
function WayOn({ model, texts }: { model: CheckoutModel; texts: Texts }) {
  const names = { merchant: model.merchantName };
  switch (model.stage) {
    case "paid":
    case "overpaid":
      return (
        <a className="button" href={model.successUrl}>
          {texts.continue(names)}
        </a>
      );
    case "underpaid":
    case "unconfirmed":
    case "expired":
      return (
        <a className="button-quiet" href={model.cancelUrl}>
          {texts.back(names)}
        </a>
      );
    case "choose":
    case "noChoice":
    case "pay":
    case "noPrice":
      return model.received.length > 0 ? null : (
        <a className="link justify-self-center" href={model.cancelUrl}>
          {texts.cancel}
        </a>
      );
    default:
      return null;
  }
}
