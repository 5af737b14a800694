import type { Logger, MedusaContainer } from "@medusajs/framework/types";
import { BigNumber, ContainerRegistrationKeys, Modules, PaymentActions } from "@medusajs/framework/utils";
import { processPaymentWorkflow } from "@medusajs/medusa/core-flows";
import { createPaylinkClient } from "@paylink/client";
import { checkDecision, type LinkSummary, listPaidLinks, shopIdOf } from "@paylink/shop";
import type { PaylinkOptions } from "../options.ts";
import { askedOf, findSession, isUnfinished, type Session } from "../sessions.ts";

const PROVIDER = "@paylink/medusa/providers/paylink";
const MINUTE = 60_000;
/** A link lives two hours, and its confirmations take a while. */
const RECENT = 4 * 60 * MINUTE;
/** Late payments that the merchant accepts, and a shop that was down. */
const WHOLE = 7 * 24 * 60 * MINUTE;
const EVERY_WHOLE = 60 * MINUTE;

let isRunning = false;
let nextWhole = 0;

interface Provider {
  readonly id: string;
  readonly options: PaylinkOptions;
}

/** A provider as medusa-config has it. */
interface Declared {
  readonly resolve?: unknown;
  readonly id?: string;
  readonly options?: unknown;
}

/** The providers of medusa-config that are Paylink's. */
function findProviders(container: MedusaContainer): Provider[] {
  const { modules } = container.resolve(ContainerRegistrationKeys.CONFIG_MODULE);
  const payment = modules?.[Modules.PAYMENT] as
    | { readonly options?: { readonly providers?: Declared[] } }
    | undefined;
  return (payment?.options?.providers ?? []).flatMap(({ resolve, id, options }) =>
    resolve === PROVIDER
      ? [{ id: `pp_paylink${id ? `_${id}` : ""}`, options: options as PaylinkOptions }]
      : [],
  );
}

/** Completes a session whose link is paid for exactly what the session asks. */
async function complete(container: MedusaContainer, session: Session, link: LinkSummary): Promise<void> {
  const asked = askedOf(session);
  if (checkDecision(link, asked) !== "paid" || session.data?.refid !== link.refid) return;
  container
    .resolve(ContainerRegistrationKeys.LOGGER)
    .info(`Paylink: completing the paid session ${session.id}`);
  await processPaymentWorkflow(container).run({
    input: {
      action: PaymentActions.SUCCESSFUL,
      data: { session_id: session.id, amount: new BigNumber(asked.amount) },
    },
  });
}

async function reconcileProvider(
  container: MedusaContainer,
  { id, options }: Provider,
  since: Date,
): Promise<void> {
  const logger: Logger = container.resolve(ContainerRegistrationKeys.LOGGER);
  const query = container.resolve(ContainerRegistrationKeys.QUERY);
  for await (const link of listPaidLinks(createPaylinkClient(options), since)) {
    try {
      const session = await findSession(query, shopIdOf(link) ?? "");
      if (session?.provider_id === id && isUnfinished(session)) await complete(container, session, link);
    } catch (error) {
      // One session must not hold up the others.
      logger.error(
        `Paylink: the paid link ${link.refid} could not be completed: ${error instanceof Error ? error.message : error}`,
      );
    }
  }
}

/**
 * Finds paid links that Medusa does not know of, and does what the webhook would have done. Medusa answers a webhook with 200 before it
 * stores anything and keeps events in memory, so a webhook can be lost for good. Asks for the paid links of the last hours each time, and
 * once an hour for those of a week.
 */
export default async function reconcilePayments(container: MedusaContainer): Promise<void> {
  if (isRunning) return;
  isRunning = true;
  try {
    const now = Date.now();
    const isWhole = now >= nextWhole;
    if (isWhole) nextWhole = now + EVERY_WHOLE;
    const since = new Date(now - (isWhole ? WHOLE : RECENT));
    for (const provider of findProviders(container)) await reconcileProvider(container, provider, since);
  } finally {
    isRunning = false;
  }
}

export const config = {
  name: "paylink-reconcile",
  schedule: { interval: Number(process.env.PAYLINK_RECONCILE_SECONDS || "60") * 1000 },
};
