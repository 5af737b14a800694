"use server";

import { setTimeout as delay } from "node:timers/promises";
import { headers } from "next/headers";
import { notFound, RedirectType, redirect } from "next/navigation";
import { z } from "zod";
import { readPageLanguage } from "#app/page-request.ts";
import { isFromOwnOrigin, linkPath, readKeptParams, withQuery } from "#app/posted-form.ts";
import type { NoticeCode } from "#components/checkout/notice-codes.ts";
import { findPagePair } from "#lib/chains/networks.ts";
import { startSession } from "#lib/domain/payment-links/create/start-session.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { SCENARIOS } from "#lib/domain/sandbox/types.ts";
import { readRequestedLanguage } from "#lib/platform/languages/choose-language.ts";
import { getServices } from "#lib/web/services.ts";

const choiceForm = z.object({
  refid: z.string().refine(isRefid),
  pair: z.string().max(40),
  lang: z.string().max(40).nullable(),
});

const playForm = z.object({
  refid: z.string().refine(isRefid),
  scenario: z.enum(SCENARIOS),
  network: z.string().max(40),
  token: z.string().max(40),
  lang: z.string().max(40).nullable(),
});

/** A refused scenario is refused within this time. The worker plays longer scenarios, and the page shows the result. */
const MAX_WAIT_MS = 1_500;

/**
 * Form action: pay with this token on this network. Anyone can post this form, so every field is checked here. Always
 * ends in a redirect to the link's page, which shows the result.
 */
export async function chooseNetwork(form: FormData): Promise<void> {
  const { paymentLinks } = getServices();
  const field = (name: keyof typeof choiceForm.shape) => form.get(name);
  const input = choiceForm.safeParse({ refid: field("refid"), pair: field("pair"), lang: field("lang") });
  if (!input.success) notFound();
  const { refid, lang } = input.data;
  const backTo = await checkForm(refid, lang);
  const refuse = (notice: NoticeCode) => backTo({ notice });
  const pair = findPagePair(input.data.pair);
  if (pair === null) return refuse("not_offered");
  const ip = (await headers()).get("x-paylink-client-address") ?? "";
  const language = readRequestedLanguage(lang) ?? (await readPageLanguage());
  const result = await startSession(paymentLinks, refid, { pair, ip, language }, new Date());
  // An entry of its own in the browser's history: Back returns to the choice.
  if (result.ok) return backTo({ network: pair.network, token: pair.token }, "push");
  switch (result.reason) {
    case "not_found":
      notFound();
      break;
    case "ended":
      return backTo({});
    case "address_limit_reached":
    case "pool_empty":
      return refuse("not_offered");
    default:
      return refuse(result.reason);
  }
}

/**
 * Form action of the sandbox: simulate the payer. Anyone can post this form, so every field is checked here and in the
 * sandbox. Always ends in a redirect to the link's page.
 */
export async function playScenario(form: FormData): Promise<void> {
  const { sandbox } = getServices();
  const field = (name: keyof typeof playForm.shape) => form.get(name);
  const input = playForm.safeParse({
    refid: field("refid"),
    scenario: field("scenario"),
    network: field("network"),
    token: field("token"),
    lang: field("lang"),
  });
  if (sandbox === null || !input.success) notFound();
  const { refid, scenario, network, token, lang } = input.data;
  const backTo = await checkForm(refid, lang);
  const play = sandbox.play({ refid, scenario, network, token, mine: true });
  const result = await Promise.race([play, delay(MAX_WAIT_MS, null)]);
  if (result?.ok === false) {
    if (result.reason === "link_not_found") notFound();
    return backTo({ network, sandbox: "refused" });
  }
  return backTo({ network });
}

/**
 * Checks that a form was posted by the page of this link. Shows "not found" for a form of another site or of another
 * link. Returns a function that redirects to the link's page, with its language and the widget's parameters kept.
 */
async function checkForm(
  refid: string,
  lang: string | null,
): Promise<(query: Readonly<Record<string, string>>, type?: "push" | "replace") => never> {
  if ((await headers()).get("x-paylink-refid") !== refid || !(await isFromOwnOrigin())) notFound();
  const kept = await readKeptParams(lang);
  return (query, type = "replace") =>
    redirect(withQuery(linkPath(refid), { ...query, ...kept }), RedirectType[type]);
}
