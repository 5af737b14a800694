import { Fragment, type ReactNode } from "react";
import { Announcer } from "#components/ui/announcer.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { LanguageCode } from "#lib/platform/languages/languages.ts";
import { announcementOf } from "./announcement.ts";
import { renewal } from "./ask.ts";
import { type CheckoutModel, hasTimeLeft } from "./checkout-model.ts";
import { LanguageSwitch } from "./language-switch.tsx";
import { NetworkChoice, OtherNetworks } from "./network-choice.tsx";
import { PayPanel } from "./pay-panel.tsx";
import { PaymentList } from "./payment-list.tsx";
import { Receipt } from "./receipt.tsx";
import { Status } from "./status.tsx";
import { Steps } from "./steps.tsx";
import { Summary } from "./summary.tsx";
import { Support } from "./support.tsx";
import type { Notice as NoticeCode, Texts } from "./texts.ts";
import { WayOn } from "./way-on.tsx";

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
  /** The sandbox's panel, where it is on. */
  sandbox?: ReactNode;
}

/**
 * The whole payment page of one link. A part whose place changes while the page is looked at is drawn anew rather than
 * moved (its `key`): a layout that shifts is what makes people press the wrong thing.
 */
export function Checkout({
  model,
  texts,
  choose,
  notice,
  language,
  languages,
  live,
  sandbox,
}: CheckoutProps) {
  const { stage, ask, payments } = model;
  const refusal = notice !== null && model.choices.length > 0 ? texts.notices[notice] : null;
  const above = `${stage} ${model.stalled.length} ${model.late} ${notice}`;
  const below = `${above} ${payments.length} ${ask && renewal(ask)}`;
  const paid = stage === "paid" || stage === "overpaid";
  return (
    <>
      {model.test && (
        <aside className="bg-warn-soft px-4 py-2 text-center text-sm font-medium text-warn forced-colors:border-b">
          {texts.testBanner}
        </aside>
      )}
      <div className="mx-auto grid w-full max-w-6xl gap-4 px-4 pt-4 pb-10 sm:gap-6 sm:px-6 sm:pt-6 lg:grid-cols-[20rem_minmax(0,1fr)] lg:gap-12 lg:pt-16">
        <Summary key={`${stage} summary`} model={model} texts={texts} />
        <main className="card" data-stage={stage}>
          <Steps key={`${stage} steps`} stage={stage} texts={texts} />
          <Announcer text={announcementOf(model, texts, refusal)} />
          {live}
          <Fragment key={above}>
            <Status model={model} texts={texts} />
            <Support model={model} texts={texts} />
            {model.stalled.length > 0 && (
              <Notice tone="warn" icon="alert">
                {texts.stalled(model.stalled)}
              </Notice>
            )}
            {refusal !== null && (
              <Notice tone="bad" icon="alert">
                {refusal}
              </Notice>
            )}
            {stage === "choose" && <NetworkChoice model={model} texts={texts} choose={choose} />}
            {ask !== null && <PayPanel ask={ask} model={model} texts={texts} />}
          </Fragment>
          <Fragment key={below}>
            {paid && <WayOn model={model} texts={texts} />}
            {paid ? <Receipt model={model} texts={texts} /> : <PaymentList model={model} texts={texts} />}
            {stage !== "choose" && model.choices.length > 0 && (
              <OtherNetworks model={model} texts={texts} choose={choose} />
            )}
            {hasTimeLeft(stage) && (
              <p className="border-t border-line pt-5 text-sm text-muted">
                {texts.atTheEnd({ merchant: model.merchantName })}
              </p>
            )}
            {!paid && <WayOn model={model} texts={texts} />}
          </Fragment>
        </main>
      </div>
      {sandbox && <Fragment key={`${below} sandbox`}>{sandbox}</Fragment>}
      <footer
        key={`${below} footer`}
        className="mt-auto grid justify-items-center gap-4 px-4 pb-8 text-center text-xs text-muted print:hidden"
      >
        <LanguageSwitch model={model} texts={texts} language={language} languages={languages} />
        <p>{texts.footer}</p>
      </footer>
    </>
  );
}
