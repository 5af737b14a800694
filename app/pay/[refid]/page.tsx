import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { Checkout } from "#components/checkout/checkout.tsx";
import { type CheckoutModel, checkoutModel } from "#components/checkout/checkout-model.ts";
import { Embedded } from "#components/checkout/embedded.tsx";
import { accentPath } from "#components/checkout/face.ts";
import { LEAVE_AFTER } from "#components/checkout/leave-after.ts";
import { linkPreview } from "#components/checkout/link-preview.ts";
import { Live } from "#components/checkout/live.tsx";
import { SandboxPanel } from "#components/checkout/sandbox-panel.tsx";
import { NOTICES, type Texts, textsOf } from "#components/checkout/texts.ts";
import { viewPaymentLink } from "#lib/domain/payment-links/view/view-payment-link.ts";
import { askedLanguage, languagesOn } from "#lib/platform/languages/choose-language.ts";
import { isRefid } from "#lib/web/realtime/rules.ts";
import { getServices } from "#lib/web/services.ts";
import { keptByWidget, pageEmbedding } from "../../page-embedding.ts";
import { pageLanguage } from "../../page-language.ts";
import { chooseNetwork } from "./actions.ts";
import { playPayer } from "./sandbox-actions.ts";

interface PageProps {
  params: Promise<{ refid: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const PREVIEW_SIZE = { width: 1_200, height: 630 };
/** How long to wait for a price or a network that cannot be had, seconds. */
const ASK_AGAIN = 15;
/** How often a page without scripts loads itself anew, seconds. */
const RELOAD = 10;

/** The link as it is now; once per request, because viewing may renew a price. */
const loadLink = cache(async (refid: string) => {
  if (!isRefid(refid)) return null;
  const now = new Date();
  const view = await viewPaymentLink(getServices().paymentLinks, refid, now);
  return view === null ? null : { view, now };
});

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const [{ refid }, language] = await Promise.all([params, pageLanguage()]);
  const texts = textsOf(language);
  const link = await loadLink(refid);
  if (link === null) return { title: texts.unknown.title };
  const { view, now } = link;
  const { title, description } = linkPreview(view, texts, now);
  // A new address with each change of the link: whoever shows the picture keeps it by its address.
  const query = new URLSearchParams({ v: String(view.version), lang: language });
  const picture = {
    url: `${view.paymentLink}/preview.png?${query}`,
    ...PREVIEW_SIZE,
    type: "image/png",
    alt: title,
  };
  return {
    metadataBase: new URL(getServices().config.paymentUrl),
    title: texts.pageTitle({ merchant: view.merchantName }),
    description,
    openGraph: { type: "website", url: view.paymentLink, title, description, images: [picture] },
    twitter: { card: "summary_large_image" },
  };
}

export default async function Page({ params, searchParams }: PageProps) {
  const [{ refid }, query, language, embedding] = await Promise.all([
    params,
    searchParams,
    pageLanguage(),
    pageEmbedding(),
  ]);
  const link = await loadLink(refid);
  if (link === null) notFound();
  const { view, now } = link;
  const { networks, config, sandbox } = getServices();
  const texts = textsOf(language);
  const languages = languagesOn(config.draftLanguages);
  const model = checkoutModel(view, {
    now,
    locale: texts.locale,
    network: single(query.network),
    lang: askedLanguage(single(query.lang), languages),
    kept: keptByWidget(embedding),
    paymentUri: ({ pair, address, amount }) =>
      networks.get(view.env, pair.network)?.paymentUri({ address, token: pair.token, amount }) ?? address,
  });
  const panel = (await sandbox?.panel(view, model.network)) ?? null;
  const notice = NOTICES.find((code) => code === query.notice) ?? null;
  const accent = accentPath(view);
  return (
    <>
      {accent !== null && <link rel="stylesheet" href={accent} precedence="merchant" />}
      {!model.ended && (
        <noscript>
          <meta httpEquiv="refresh" content={String(RELOAD)} />
        </noscript>
      )}
      <Checkout
        model={model}
        texts={texts}
        choose={chooseNetwork}
        language={language}
        languages={languages}
        notice={notice}
        sandbox={
          panel && (
            <SandboxPanel
              panel={panel}
              model={model}
              texts={texts}
              play={playPayer}
              refused={query.sandbox === "refused"}
            />
          )
        }
        live={
          <Live
            refid={model.refid}
            version={model.version}
            refreshIn={refreshIn(model)}
            renderedAt={model.renderedAt}
            sight={model.sight}
            paid={model.stage === "paid" || model.stage === "overpaid"}
            successUrl={model.successUrl}
            texts={liveTexts(texts, model.merchantName)}
          />
        }
      />
      {embedding.parent !== null && (
        <Embedded parent={embedding.parent} refid={model.refid} status={view.state} />
      )}
    </>
  );
}

/** The browser's part of the wording. */
function liveTexts(texts: Texts, merchant: string) {
  const { second, stay, outOfTouch, backInTouch } = texts;
  const leavingSoon = texts.leavingSoon({ merchant, seconds: LEAVE_AFTER });
  return { leaving: texts.leaving({ merchant }), leavingSoon, second, stay, outOfTouch, backInTouch };
}

/** A parameter given once. */
function single(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Seconds until this page changes by the clock alone, or null. That networks cannot be seen is told over the socket. */
function refreshIn({ stage, secondsLeft, ask }: CheckoutModel): number | null {
  switch (stage) {
    case "choose":
      return secondsLeft;
    case "noChoice":
    case "noPrice":
      return Math.min(ASK_AGAIN, secondsLeft);
    case "pay":
    case "topUp":
      return Math.min(ask?.quoteSeconds ?? ASK_AGAIN, secondsLeft);
    default:
      return null;
  }
}
