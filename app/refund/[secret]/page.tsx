import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { findExplorer } from "#app/find-explorer.ts";
import { readPageLanguage } from "#app/page-request.ts";
import { accentPath } from "#components/checkout/checkout-model.ts";
import { REFUND_NOTICE_CODES, type RefundNoticeCode } from "#components/checkout/notice-codes.ts";
import { textsOf } from "#components/checkout/texts.ts";
import { buildClaimModel } from "#components/refund/claim-model.ts";
import { ClaimPage } from "#components/refund/claim-page.tsx";
import { checkClaimAddress } from "#lib/domain/withdrawals/claims/answer-claim.ts";
import { type ClaimView, findClaimBySecret } from "#lib/domain/withdrawals/claims/queries.ts";
import { readRequestedLanguage } from "#lib/platform/languages/choose-language.ts";
import { getServices } from "#lib/web/services.ts";
import { sendRefund } from "./actions.ts";
import { MAX_ADDRESS, noticeOf } from "./notices.ts";

interface PageProps {
  params: Promise<{ secret: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Seconds between two reloads of a page without scripts. */
const RELOAD_SECONDS = 10;

/** Cached per request. */
const findView = cache(async (secret: string) => findClaimBySecret(getServices().database.db, secret));

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const [{ secret }, language] = await Promise.all([params, readPageLanguage()]);
  const texts = textsOf(language);
  const view = await findView(secret);
  return {
    title: view === null ? texts.linkNotFound.title : `${texts.refund.from} ${view.merchant.name}`,
    referrer: "no-referrer",
  };
}

export default async function Page({ params, searchParams }: PageProps) {
  const [{ secret }, query, language] = await Promise.all([params, searchParams, readPageLanguage()]);
  const view = await findView(secret);
  if (view === null) notFound();
  const { config, networks } = getServices();
  const { env, network } = view.claim;
  const texts = textsOf(language);
  const given = (name: string) => (typeof query[name] === "string" ? query[name] : "");
  const posted = REFUND_NOTICE_CODES.find((code) => code === given("notice")) ?? null;
  const typed = given("to").trim().slice(0, MAX_ADDRESS);
  const checked = await check(view, typed);
  const model = buildClaimModel(view, {
    now: new Date(),
    locale: texts.locale,
    lang: readRequestedLanguage(given("lang")),
    paymentUrl: config.paymentUrl,
    toConfirm: checked.address,
    typed,
    displayAddress: (address) => networks.find(env, network)?.addresses.display(address) ?? address,
    transactionUrl: (txHash) => findExplorer(networks, env, network)?.tx.replace("{tx}", txHash) ?? null,
  });
  const accent = accentPath({ branding: view.merchant, paymentLink: `${config.paymentUrl}/` });
  return (
    <>
      {accent !== null && <link rel="stylesheet" href={accent} precedence="merchant" />}
      {(model.stage === "pending" || model.stage === "sending") && (
        <noscript>
          <meta httpEquiv="refresh" content={String(RELOAD_SECONDS)} />
        </noscript>
      )}
      <ClaimPage
        model={model}
        texts={texts}
        send={sendRefund}
        notice={checked.notice ?? posted}
        language={language}
      />
    </>
  );
}

/** The typed address as people read it, or why it is refused. Both are null if no address was typed. */
async function check(
  view: ClaimView,
  typed: string,
): Promise<{ readonly address: string | null; readonly notice: RefundNoticeCode | null }> {
  if (typed === "" || view.withdrawal !== null) return { address: null, notice: null };
  const { database, networks } = getServices();
  const checked = await checkClaimAddress({ db: database.db, networks }, view, typed);
  return checked.ok
    ? { address: checked.address, notice: null }
    : { address: null, notice: noticeOf(checked.reason) };
}
