"use server";

import { headers } from "next/headers";
import { notFound, RedirectType, redirect } from "next/navigation";
import { z } from "zod";
import type { Notice } from "#components/checkout/texts.ts";
import { askedLanguage, languagesOn } from "#lib/languages/choose-language.ts";
import { isNetworkCode, PAYMENT_PAIRS } from "#lib/networks/networks.ts";
import { startSession } from "#lib/payment-links/start-session.ts";
import type { Pair } from "#lib/payment-links/types.ts";
import { isRefid, originAllowed } from "#lib/realtime/rules.ts";
import { getServices } from "#lib/server/services.ts";
import { keptByWidget, pageEmbedding } from "../../page-embedding.ts";

const choiceForm = z.object({
  refid: z.string().refine(isRefid),
  pair: z.string().max(40),
  lang: z.string().max(40).nullable(),
});

/**
 * "Pay with this token on this network", posted by the page's form, or by anyone: everything is checked here.
 * Always ends in a redirect to the link's page, which shows what came of it.
 */
export async function chooseNetwork(form: FormData): Promise<void> {
  const { config, paymentLinks } = getServices();
  const head = await headers();
  const field = (name: keyof typeof choiceForm.shape) => form.get(name);
  const input = choiceForm.safeParse({ refid: field("refid"), pair: field("pair"), lang: field("lang") });
  if (!input.success) notFound();
  const { refid } = input.data;
  const publicOrigins = [config.paymentUrl, config.publicUrl].map((url) => new URL(url).origin);
  const origin = head.get("origin") ?? undefined;
  if (!originAllowed(origin, { publicOrigins, host: head.get("host") ?? undefined })) notFound();

  const page = `${new URL(config.paymentUrl).pathname.replace(/\/$/, "")}/${refid}`;
  const pair = pairNamed(input.data.pair);
  const lang = askedLanguage(input.data.lang, languagesOn(config.draftLanguages));
  const kept = keptByWidget(await pageEmbedding());
  const to = (query: { network?: string; notice?: Notice }) => {
    const search = new URLSearchParams({ ...query, ...(lang !== null && { lang }), ...kept }).toString();
    redirect(search === "" ? page : `${page}?${search}`, RedirectType.replace);
  };
  if (pair === null) return to({ notice: "not_offered" });
  const ip = head.get("x-paylink-client-address") ?? "";
  const result = await startSession(paymentLinks, refid, pair, { ip }, new Date());
  if (result.ok) return to({ network: pair.network });
  switch (result.reason) {
    case "not_found":
      notFound();
      break;
    case "ended":
      return to({});
    default:
      return to({ notice: result.reason });
  }
}

/** The pair a button stands for ("bep20:usdt"), when its network has an adapter at all. */
function pairNamed(value: string): Pair | null {
  for (const { network, token } of PAYMENT_PAIRS) {
    if (value === `${network}:${token}` && isNetworkCode(network)) return { network, token };
  }
  return null;
}
