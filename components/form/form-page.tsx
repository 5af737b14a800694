import { LanguageSwitch } from "#components/checkout/language-switch.tsx";
import type { FormNoticeCode } from "#components/checkout/notice-codes.ts";
import type { Texts } from "#components/checkout/texts.ts";
import { MerchantBadge } from "#components/ui/merchant-badge.tsx";
import { NoticeBox } from "#components/ui/notice-box.tsx";
import type { LanguageCode } from "#lib/platform/languages/languages.ts";
import { FormFields } from "./form-fields.tsx";
import type { FormModel } from "./form-model.ts";

interface FormPageProps {
  model: FormModel;
  texts: Texts;
  /** The server action that creates the payment link. */
  submit: (form: FormData) => Promise<void>;
  notice: FormNoticeCode | null;
  /** True if the payer comes back from a payment. */
  paid: boolean;
  language: LanguageCode;
}

/** The whole page of a form. It needs no scripts. */
export function FormPage({ model, texts, submit, notice, paid, language }: FormPageProps) {
  const { closed, merchantName } = model;
  return (
    <>
      {model.test && (
        <aside className="bg-warn-soft px-4 py-2 text-center text-sm font-medium text-warn forced-colors:border-b">
          {texts.testBanner}
        </aside>
      )}
      <main className="mx-auto my-6 w-full max-w-lg px-4">
        <div className="card">
          <div className="flex items-center gap-3 [[data-framed]_&]:pe-10">
            <MerchantBadge model={model} />
            <bdi className="min-w-0 font-semibold break-words">{merchantName}</bdi>
          </div>
          <h1 className="text-2xl font-semibold tracking-tight break-words">
            <bdi>{model.title}</bdi>
          </h1>
          {model.picture !== null && (
            <img
              src={model.picture}
              alt=""
              className="aspect-[4/3] w-full rounded-2xl bg-page object-contain"
            />
          )}
          {model.description !== null && (
            <p dir="auto" className="break-words whitespace-pre-line">
              {model.description}
            </p>
          )}
          {model.price !== null && (
            <p className="text-xl font-semibold break-words tabular-nums">
              <bdi>{model.maxQuantity > 1 ? texts.form.each({ price: model.price }) : model.price}</bdi>
            </p>
          )}
          {paid && (
            <NoticeBox tone="good" icon="check">
              {texts.form.paid}
            </NoticeBox>
          )}
          {notice !== null && closed === null && (
            <NoticeBox tone="bad" icon="alert">
              <span role="alert">{texts.form.notices[notice]}</span>
            </NoticeBox>
          )}
          {closed === null ? (
            <FormFields model={model} texts={texts} submit={submit} />
          ) : (
            <NoticeBox tone="warn" icon="alert">
              <strong className="block font-semibold">
                {closed === "closed" ? texts.form.closed.title : texts.form.soldOut.title}
              </strong>
              {closed === "closed"
                ? texts.form.closed.text({ merchant: merchantName })
                : texts.form.soldOut.text}
            </NoticeBox>
          )}
        </div>
      </main>
      <footer className="mt-auto grid justify-items-center gap-4 px-4 pb-8 text-center text-xs text-muted">
        <LanguageSwitch model={model} texts={texts} language={language} />
        <p>{texts.footer}</p>
      </footer>
    </>
  );
}
