import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { readPageEmbedding, readPageLanguage, widgetParamsOf } from "#app/page-request.ts";
import { accentPath } from "#components/checkout/checkout-model.ts";
import { FORM_NOTICE_CODES } from "#components/checkout/notice-codes.ts";
import { ParentReporter } from "#components/checkout/parent-reporter.tsx";
import { textsOf } from "#components/checkout/texts.ts";
import { buildFormModel } from "#components/form/form-model.ts";
import { FormPage } from "#components/form/form-page.tsx";
import { findForm, getTakenOfLimits } from "#lib/domain/forms/queries.ts";
import { findFormClosed } from "#lib/domain/forms/rules.ts";
import { isPaidSale } from "#lib/domain/forms/sell-form.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { readRequestedLanguage } from "#lib/platform/languages/choose-language.ts";
import { getServices } from "#lib/web/services.ts";
import { submit } from "./actions.ts";

interface PageProps {
  params: Promise<{ form: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Cached per request. */
const findPageForm = cache(async (code: string) =>
  isRefid(code) ? findForm(getServices().database.db, code) : null,
);

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const found = await findPageForm((await params).form);
  const title = found?.form.title ?? textsOf(await readPageLanguage()).linkNotFound.title;
  return { title };
}

export default async function Page({ params, searchParams }: PageProps) {
  const [{ form: code }, query, language, embedding] = await Promise.all([
    params,
    searchParams,
    readPageLanguage(),
    readPageEmbedding(),
  ]);
  const found = await findPageForm(code);
  if (found === null) notFound();
  const { form, merchant } = found;
  const { config, database } = getServices();
  const texts = textsOf(language);
  const taken = await getTakenOfLimits(database.db, form);
  const merchantActive = merchant.status === "active";
  const model = buildFormModel(form, {
    merchant,
    closed: findFormClosed(form, { taken, merchantActive, now: new Date() }),
    paymentUrl: config.paymentUrl,
    locale: texts.locale,
    lang: readRequestedLanguage(typeof query.lang === "string" ? query.lang : undefined),
    widgetParams: widgetParamsOf(embedding),
  });
  const accent = accentPath({ branding: merchant, paymentLink: `${config.paymentUrl}/` });
  return (
    <>
      {accent !== null && <link rel="stylesheet" href={accent} precedence="merchant" />}
      <FormPage
        model={model}
        texts={texts}
        submit={submit}
        notice={FORM_NOTICE_CODES.find((one) => one === query.notice) ?? null}
        paid={await isPaidSale(database.db, form, typeof query.paid === "string" ? query.paid : "")}
        language={language}
      />
      {embedding.parent !== null && <ParentReporter parent={embedding.parent} refid={code} status="open" />}
    </>
  );
}
