"use server";

import { setTimeout as delay } from "node:timers/promises";
import { notFound } from "next/navigation";
import { z } from "zod";
import { SCENARIOS } from "#lib/domain/sandbox/types.ts";
import { isRefid } from "#lib/web/realtime/rules.ts";
import { getServices } from "#lib/web/services.ts";
import { checkForm } from "./answer-form.ts";

const playForm = z.object({
  refid: z.string().refine(isRefid),
  scenario: z.enum(SCENARIOS),
  network: z.string().max(40),
  token: z.string().max(40),
  lang: z.string().max(40).nullable(),
});

/** A refusal is there by then. What takes longer waits for the worker, and the page shows what comes of it. */
const MAX_WAIT_MS = 1_500;

/**
 * "Play the payer", posted by the sandbox's panel, or by anyone: everything is checked here and in the sandbox. Always
 * ends in a redirect to the link's page.
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
