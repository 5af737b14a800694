import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { findExplorer } from "#app/find-explorer.ts";
import { readPageEmbedding, readPageLanguage, widgetParamsOf } from "#app/page-request.ts";
import {
  accentPath,
  buildCheckoutModel,
  type CheckoutModel,
  REDIRECT_AFTER_SECONDS,
  stageOf,
} from "#components/checkout/checkout-model.ts";
import { CheckoutPage } from "#components/checkout/checkout-page.tsx";
import { buildLinkPreview } from "#components/checkout/link-preview.ts";
import { LiveUpdates } from "#components/checkout/live.tsx";
import { NOTICE_CODES, type NoticeCode } from "#components/checkout/notice-codes.ts";
import { ParentReporter } from "#components/checkout/parent-reporter.tsx";
import { SandboxForm } from "#components/checkout/sandbox-form.tsx";
import { type Texts, textsOf } from "#components/checkout/texts.ts";
import { composeReceipt } from "#lib/domain/payment-links/receipt/receipt-rules.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { viewForPayer } from "#lib/domain/payment-links/settle/view-for-payer.ts";
import { readRequestedLanguage } from "#lib/platform/languages/choose-language.ts";
import { getServices } from "#lib/web/services.ts";
import { chooseNetwork, playScenario } from "./actions.ts";
import { adapterInstructions } from "./adapter-instructions.ts";

interface PageProps {
  params: Promise<{ refid: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const PREVIEW_SIZE = { width: 1_200, height: 630 };
/** Seconds until the page looks again for a missing price or network. */
const RETRY_SECONDS = 15;
/** Seconds between two reloads of a page without scripts. */
const RELOAD_SECONDS = 10;

/** The link as it is now. Cached per request, because the page renews a price that ran out. */
const findLinkView = cache(async (refid: string) => {
  if (!isRefid(refid)) return null;
  const now = new Date();
  const view = await viewForPayer(getServices().paymentLinks, refid, now);
  return view === null ? null : { view, now };
});

export async function generateMetadata({ params, searchParams }: PageProps): Promise<Metadata> {
  const [{ refid }, query, language] = await Promise.all([params, searchParams, readPageLanguage()]);
  const texts = textsOf(language);
  const link = await findLinkView(refid);
  if (link === null) return { title: texts.linkNotFound.title };
  const { view, now } = link;
  const { title, description } = buildLinkPreview(view, texts, now);
  // The URL changes with each change of the link, because apps that show the picture cache it by its URL.
  const pictureQuery = new URLSearchParams({ v: String(view.version), lang: language });
  const picture = {
    url: `${view.paymentLink}/preview.png?${pictureQuery}`,
    ...PREVIEW_SIZE,
    type: "image/png",
    alt: title,
  };
  return {
    metadataBase: new URL(getServices().config.paymentUrl),
    // Names the step in the browser's history too.
    title: `${texts.titles[stageOf(view, { now, choosing: isChoosing(query) })]} · ${view.merchantName}`,
    description,
    openGraph: { type: "website", url: view.paymentLink, title, description, images: [picture] },
    twitter: { card: "summary_large_image" },
  };
}

export default async function Page({ params, searchParams }: PageProps) {
  const [{ refid }, query, language, embedding] = await Promise.all([
    params,
    searchParams,
    readPageLanguage(),
    readPageEmbedding(),
  ]);
  const link = await findLinkView(refid);
  if (link === null) notFound();
  const { view, now } = link;
  const { networks, config, sandbox, usualFees, receipts } = getServices();
  const receipt = composeReceipt(view);
  const texts = textsOf(language);
  const model = buildCheckoutModel(view, {
    now,
    locale: texts.locale,
    network: singleValue(query.network),
    token: singleValue(query.token),
    choosing: isChoosing(query),
    lang: readRequestedLanguage(singleValue(query.lang)),
    widgetParams: widgetParamsOf(embedding),
    ...adapterInstructions(networks, view.env),
    walletConnect: config.walletConnect,
    signedReceipt: receipt && receipts.sign(receipt),
    usualFee: (pair) => usualFees.find(view, pair, now),
    transactionUrl: ({ network, txHash }) =>
      findExplorer(networks, view.env, network)?.tx.replace("{tx}", txHash) ?? null,
  });
  const panel = (await sandbox?.panel(view, model.pair)) ?? null;
  const notice = noticeOf(query);
  const accent = accentPath(view);
  return (
    <>
      {accent !== null && <link rel="stylesheet" href={accent} precedence="merchant" />}
      {!model.ended && (
        <noscript>
          <meta httpEquiv="refresh" content={String(RELOAD_SECONDS)} />
        </noscript>
      )}
      <CheckoutPage
        model={model}
        texts={texts}
        choose={chooseNetwork}
        language={language}
        notice={notice}
        sandbox={
          panel && (
            <SandboxForm
              panel={panel}
              model={model}
              texts={texts}
              play={playScenario}
              refused={query.sandbox === "refused"}
            />
          )
        }
        live={liveUpdates(model, texts)}
      />
      {embedding.parent !== null && (
        <ParentReporter parent={embedding.parent} refid={model.refid} status={view.state} />
      )}
    </>
  );
}

function liveUpdates(model: CheckoutModel, texts: Texts) {
  return (
    <LiveUpdates
      refid={model.refid}
      version={model.version}
      refreshIn={secondsUntilRefresh(model)}
      renderedAt={model.renderedAt}
      watchStatus={model.watchStatus}
      redirectAfter={REDIRECT_AFTER_SECONDS}
      // A point of sale shows that it is paid until the cashier continues.
      paid={!model.pointOfSale && model.hasShop && (model.stage === "paid" || model.stage === "overpaid")}
      successUrl={model.successUrl}
      texts={browserTexts(texts, model.merchantName)}
    />
  );
}

/** The texts that the browser needs. */
function browserTexts(texts: Texts, merchant: string) {
  const { disconnected, reconnected } = texts;
  const redirectAnnouncement = texts.redirectAnnouncement({ merchant, seconds: REDIRECT_AFTER_SECONDS });
  return { redirectAnnouncement, disconnected, reconnected };
}

type Query = Awaited<PageProps["searchParams"]>;

/** True for the address of the choice of a link that may have a pair already, also after a refused choice. */
function isChoosing(query: Query): boolean {
  return singleValue(query.choose) === "1" || noticeOf(query) !== null;
}

function noticeOf({ notice }: Query): NoticeCode | null {
  return NOTICE_CODES.find((code) => code === notice) ?? null;
}

/** The value of a parameter that is given exactly once. */
function singleValue(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/**
 * Seconds until this page changes without an event, or null. The socket reports networks that become
 * unwatched.
 */
function secondsUntilRefresh({ stage, secondsLeft, instructions }: CheckoutModel): number | null {
  switch (stage) {
    case "choose":
      return secondsLeft;
    case "noChoice":
    case "noPrice":
      return Math.min(RETRY_SECONDS, secondsLeft);
    case "pay":
    case "topUp":
      return Math.min(instructions?.quoteSecondsLeft ?? RETRY_SECONDS, secondsLeft);
    default:
      return null;
  }
}
