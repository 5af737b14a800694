import { Fragment, type ReactNode } from "react";
import { Announcer } from "#components/ui/announcer.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { NoticeBox } from "#components/ui/notice-box.tsx";
import type { LanguageCode } from "#lib/platform/languages/languages.ts";
import { type CheckoutModel, hasTimeLeft } from "./checkout-model.ts";
import { LanguageSwitch } from "./language-switch.tsx";
import { AskMerchant, CancelLink, NextStep } from "./merchant-links.tsx";
import { choiceAddress, NetworkChoice } from "./network-choice.tsx";
import type { NoticeCode } from "./notice-codes.ts";
import { OrderFold } from "./order-details.tsx";
import { DeadlineHelp } from "./pay-folds.tsx";
import { PayPanel } from "./pay-panel.tsx";
import { priceChange } from "./payment-instructions.ts";
import { PaymentList, ShortHash } from "./payment-list.tsx";
import { PaymentReceipt } from "./payment-receipt.tsx";
import { PaymentStatusPanel } from "./payment-status.tsx";
import { PaymentSummary } from "./payment-summary.tsx";
import { ScrollToTop } from "./scroll-to-top.tsx";
import { announcementText, astrayText } from "./status-text.ts";
import type { Texts } from "./texts.ts";

interface CheckoutPageProps {
  model: CheckoutModel;
  texts: Texts;
  /** The server action that chooses a network. */
  choose: (form: FormData) => Promise<void>;
  notice: NoticeCode | null;
  /** The language of this page. */
  language: LanguageCode;
  /**
   * Keeps the page up to date; absent in tests. It has one fixed position in the tree, so React keeps its
   * state.
   */
  live?: ReactNode;
  /** The sandbox's form, if the sandbox is on. */
  sandbox?: ReactNode;
}

/**
 * The whole payment page of one link. A part that changes its position gets a new `key`, so that React
 * replaces it instead of moving it. A layout that shifts makes people press the wrong thing.
 */
export function CheckoutPage({ model, texts, choose, notice, language, live, sandbox }: CheckoutPageProps) {
  const { stage, instructions, payments } = model;
  const refusal = notice !== null && stage === "choose" ? texts.notices[notice] : null;
  const upperKey = `${stage} ${model.unwatchedNetworks.length} ${model.astray.length} ${model.slow} ${model.late} ${model.reverted} ${notice}`;
  const lowerKey = `${upperKey} ${payments.length} ${instructions && priceChange(instructions)}`;
  return (
    <>
      {model.test && (
        <aside className="bg-warn-soft px-4 py-2 text-center text-sm font-medium text-warn forced-colors:border-b">
          {texts.testBanner}
        </aside>
      )}
      {/* A row above that is drawn in pieces moves what it already shows. React puts this into the document's head. */}
      <link rel="expect" href="#payment" blocking="render" />
      <PosPaid model={model} texts={texts} />
      <main className="card mx-auto w-full max-w-[30rem] p-4 sm:my-8 sm:p-8" data-stage={stage}>
        <Announcer text={announcementText(model, texts, refusal)} />
        {live}
        <PaymentSummary key={`${stage} summary`} model={model} texts={texts} />
        <div key={`${stage} body`} id="payment" className="grid gap-4">
          <Fragment key={upperKey}>
            <Reverted model={model} texts={texts} />
            <PaymentStatusPanel model={model} texts={texts} />
            <NextStep model={model} texts={texts} />
            <AstrayMoney model={model} texts={texts} />
            {model.unwatchedNetworks.length > 0 && (
              <NoticeBox tone="warn" icon="alert">
                {texts.networksUnwatched(model.unwatchedNetworks)}
              </NoticeBox>
            )}
            {model.slow && (
              <NoticeBox tone="warn" icon="alert">
                {texts.networkSlow}
              </NoticeBox>
            )}
            {refusal !== null && (
              <NoticeBox tone="bad" icon="alert">
                {refusal}
              </NoticeBox>
            )}
            {stage === "choose" && <NetworkChoice model={model} texts={texts} choose={choose} />}
            {instructions !== null && <PayPanel instructions={instructions} model={model} texts={texts} />}
          </Fragment>
          <Fragment key={lowerKey}>
            <PaymentDetails model={model} texts={texts} />
          </Fragment>
        </div>
      </main>
      {sandbox && <Fragment key={`${lowerKey} sandbox`}>{sandbox}</Fragment>}
      <footer
        key={`${lowerKey} footer`}
        className="mt-auto grid justify-items-center gap-1 px-4 pb-4 text-center text-xs text-muted print:hidden"
      >
        <LanguageSwitch model={model} texts={texts} language={language} />
        <p>{texts.footer}</p>
      </footer>
    </>
  );
}

/** Says why the page asks for a payment that was made already. */
function Reverted({ model, texts }: Pick<CheckoutPageProps, "model" | "texts">) {
  if (!model.reverted) return null;
  return (
    <NoticeBox tone="warn" icon="alert">
      {texts.reverted}
    </NoticeBox>
  );
}

/** Names what arrived on another network or in another token, and what happens next. */
function AstrayMoney({ model, texts }: Pick<CheckoutPageProps, "model" | "texts">) {
  if (model.astray.length === 0) return null;
  const isAsked = model.ended && model.stage !== "paid";
  return (
    <>
      {model.astray.map((payment) => (
        <NoticeBox key={payment.key} tone="warn" icon="alert">
          <p>{astrayText(payment, model, texts)}</p>
          <ShortHash payment={payment} texts={texts} />
        </NoticeBox>
      ))}
      {!isAsked && <AskMerchant model={model} texts={texts} isFirst={false} />}
    </>
  );
}

/** The part below the payment panel: payments or receipt, another network, the deadline and the way back. */
function PaymentDetails({ model, texts }: Pick<CheckoutPageProps, "model" | "texts">) {
  const { stage } = model;
  const paid = stage === "paid" || stage === "overpaid";
  return (
    <>
      {paid ? <PaymentReceipt model={model} texts={texts} /> : <PaymentList model={model} texts={texts} />}
      {model.instructions === null && (
        <div className="divide-y divide-line border-y border-line empty:hidden">
          {!paid && <OrderFold model={model} texts={texts} />}
          {hasTimeLeft(stage) && <DeadlineHelp model={model} texts={texts} />}
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 empty:hidden">
        {model.canChoose && (
          <a className="link inline-flex min-h-9 items-center text-sm" href={choiceAddress(model)}>
            {texts.otherNetwork}
          </a>
        )}
        <CancelLink model={model} texts={texts} />
      </div>
    </>
  );
}

/** On a point of sale: that it is paid, to be read from two meters, and the way to the next sale. */
function PosPaid({ model, texts }: { model: CheckoutModel; texts: Texts }) {
  const paid = model.stage === "paid" || model.stage === "overpaid";
  if (!model.pointOfSale || !paid) return null;
  return (
    <section
      aria-label={texts.pos.title}
      className="grid min-h-[80svh] content-center justify-items-center gap-6 bg-good-soft p-6 text-center text-good print:hidden"
    >
      <ScrollToTop />
      <Icon name="check" className="size-40" />
      <p className="text-7xl font-bold">{texts.pos.statuses.paid}</p>
      <p className="text-4xl font-semibold break-words tabular-nums">
        <bdi>{model.price}</bdi>
      </p>
      <a className="button w-full max-w-sm text-xl" href={model.successUrl}>
        {texts.pos.newSale}
      </a>
    </section>
  );
}
