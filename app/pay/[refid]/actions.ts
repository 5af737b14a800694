"use server";

import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { z } from "zod";
import type { NoticeCode } from "#components/checkout/texts.ts";
import { isNetworkCode, PAYMENT_PAIRS } from "#lib/chains/networks.ts";
import { startSession } from "#lib/domain/payment-links/create/start-session.ts";
import type { NetworkToken } from "#lib/domain/payment-links/types.ts";
import { isRefid } from "#lib/web/realtime/rules.ts";
import { getServices } from "#lib/web/services.ts";
import { checkForm } from "./answer-form.ts";

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
  const { paymentLinks } = getServices();
  const field = (name: keyof typeof choiceForm.shape) => form.get(name);
  const input = choiceForm.safeParse({ refid: field("refid"), pair: field("pair"), lang: field("lang") });
  if (!input.success) notFound();
  const { refid, lang } = input.data;
  const backTo = await checkForm(refid, lang);
  const refuse = (notice: NoticeCode) => backTo({ notice });
  const pair = readPair(input.data.pair);
  if (pair === null) return refuse("not_offered");
  const ip = (await headers()).get("x-paylink-client-address") ?? "";
  const result = await startSession(paymentLinks, refid, pair, { ip }, new Date());
  if (result.ok) return backTo({ network: pair.network });
  switch (result.reason) {
    case "not_found":
      notFound();
      break;
    case "ended":
      return backTo({});
    default:
      return refuse(result.reason);
  }
}

/** The pair a button stands for ("bep20:usdt"), when its network has an adapter at all. */
function readPair(value: string): NetworkToken | null {
  for (const { network, token } of PAYMENT_PAIRS) {
    if (value === `${network}:${token}` && isNetworkCode(network)) return { network, token };
  }
  return null;
}
