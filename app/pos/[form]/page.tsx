import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { readPageLanguage } from "#app/page-request.ts";
import { linkPath } from "#app/posted-form.ts";
import { accentPath } from "#components/checkout/checkout-model.ts";
import { POS_NOTICE_CODES } from "#components/checkout/notice-codes.ts";
import { textsOf } from "#components/checkout/texts.ts";
import { buildFormModel } from "#components/form/form-model.ts";
import { PairPage } from "#components/pos/pair-page.tsx";
import { listSales } from "#components/pos/pos-model.ts";
import { PosPage } from "#components/pos/pos-page.tsx";
import { findForm, getTakenOfLimits } from "#lib/domain/forms/queries.ts";
import { findFormClosed } from "#lib/domain/forms/rules.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { findDevice, getDaySales } from "#lib/domain/pos/queries.ts";
import { readRequestedLanguage } from "#lib/platform/languages/choose-language.ts";
import { getServices } from "#lib/web/services.ts";
import { cancel, charge, pair } from "./actions.ts";
import { readDeviceToken } from "./device-cookie.ts";

interface PageProps {
  params: Promise<{ form: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Cached per request. */
const findPageForm = cache(async (code: string) =>
  isRefid(code) ? findForm(getServices().database.db, code) : null,
);

export async function generateMetadata(): Promise<Metadata> {
  return { title: textsOf(await readPageLanguage()).pos.title };
}

export default async function Page({ params, searchParams }: PageProps) {
  const [{ form: code }, query, language] = await Promise.all([params, searchParams, readPageLanguage()]);
  const found = await findPageForm(code);
  if (found === null) notFound();
  const { form, merchant } = found;
  const { config, database } = getServices();
  const now = new Date();
  const texts = textsOf(language);
  const device = await findDevice(database.db, form.id, await readDeviceToken());
  const taken = await getTakenOfLimits(database.db, form);
  const model = buildFormModel(form, {
    merchant,
    closed: findFormClosed(form, { taken, merchantActive: merchant.status === "active", now }),
    paymentUrl: config.paymentUrl,
    locale: texts.locale,
    lang: readRequestedLanguage(typeof query.lang === "string" ? query.lang : undefined),
    widgetParams: {},
  });
  const accent = accentPath({ branding: merchant, paymentLink: `${config.paymentUrl}/` });
  const notice = POS_NOTICE_CODES.find((one) => one === query.notice) ?? null;
  const shared = { model, texts, notice, language };
  return (
    <>
      {accent !== null && <link rel="stylesheet" href={accent} precedence="merchant" />}
      {device === null ? (
        <PairPage {...shared} pair={pair} />
      ) : (
        <PosPage
          {...shared}
          deviceName={device.name}
          day={listSales(await getDaySales(database.db, device, now), {
            currency: form.currency,
            locale: texts.locale,
            timeZone: device.timeZone,
            linkPath,
          })}
          charge={charge}
          cancel={cancel}
        />
      )}
    </>
  );
}
