import { nodeCounters } from "#lib/chains/node-metrics.ts";
import type { DeliveryWorker } from "#lib/domain/delivery/start-deliveries.ts";
import { reportSmallDeposits } from "#lib/domain/deposits/small/report-small-deposits.ts";
import { searchUnlistedTokens } from "#lib/domain/deposits/unmatched/search-unlisted-tokens.ts";
import { listenForHints } from "#lib/domain/deposits/watch/listen-for-hints.ts";
import { startWatchers } from "#lib/domain/deposits/watch/watch-network.ts";
import { forgetVisits } from "#lib/domain/forms/submit-form.ts";
import { priceTransfers } from "#lib/domain/ledger/price-transfers.ts";
import { deleteOldMails } from "#lib/domain/mail/delete-old-mails.ts";
import { enqueueEndpointMail } from "#lib/domain/mail/enqueue-mails.ts";
import { startMailWorker } from "#lib/domain/mail/mail-worker.ts";
import { makeDigests } from "#lib/domain/mail/make-digests.ts";
import type { MailConfig } from "#lib/domain/mail/types.ts";
import { openInvitation } from "#lib/domain/members/invite.ts";
import { createNodeProbe } from "#lib/domain/nodes/probe-nodes.ts";
import { createNodeHours } from "#lib/domain/nodes/record-node-hours.ts";
import { createReceiptFile } from "#lib/domain/payment-links/receipt/sign-receipt.ts";
import { sweepPaymentLinks } from "#lib/domain/payment-links/settle/sweep-payment-links.ts";
import { foldDayChanges } from "#lib/domain/payment-links/totals/fold-changes.ts";
import { storePrices } from "#lib/domain/rates/store-prices.ts";
import { createAddressAlert } from "#lib/domain/wallets/watch-addresses.ts";
import { deleteOldAttempts, deleteOldEvents } from "#lib/domain/webhooks/delete-old-events.ts";
import { startWebhookWorker } from "#lib/domain/webhooks/webhook-worker.ts";
import { findClaimUrl } from "#lib/domain/withdrawals/claims/create-claim.ts";
import { startFollowers } from "#lib/domain/withdrawals/follow/start-followers.ts";
import { openGuardedAgent } from "#lib/platform/http/guarded-agent.ts";
import { repeat, unlessAborted } from "#lib/platform/repeat.ts";
import { deleteExpiredIdempotencyKeys } from "#lib/web/api/idempotency.ts";
import { type ForgetJob, forgetOld } from "./forget-old.ts";
import type { ServerServices } from "./open-services.ts";

/** The worker role: one watcher per network, webhooks, mails, and the loops of startLoops. */
export async function startWorker(
  services: ServerServices,
): Promise<{ stop(timeIsUp: AbortSignal): Promise<void> }> {
  const { config, database, networks, secrets, paymentLinks, log } = services;
  const hints = await listenForHints(database.url, log);
  const watchers = startWatchers({ database, networks, paymentLinks, log, hints });
  const agent = openGuardedAgent({ allow: config.webhookAllowCidrs });
  const webhooks = await startWebhookWorker({
    database,
    secrets,
    log,
    agent,
    ...(config.mail !== null && { onDisabled: enqueueEndpointMail }),
  });
  const mail = config.mail === null ? null : await startMail(services, config.mail);
  const loops = startLoops(services);
  return {
    async stop(timeIsUp) {
      const ended = Promise.all([watchers, hints, ...loops].map((job) => job.stop()));
      await Promise.all([webhooks.stop(timeIsUp), mail?.stop(timeIsUp)]);
      // Hanging work, usually on a node, is abandoned: everything due is in the database.
      await unlessAborted(ended, timeIsUp).catch(() => log.warn("work was broken off: it took too long"));
    },
  };
}

async function startMail(
  { database, log, paymentLinks, receipts, secrets, config: { consoleUrl, paymentUrl } }: ServerServices,
  config: MailConfig,
): Promise<DeliveryWorker> {
  const receiptFile = (refid: string) => createReceiptFile(paymentLinks, receipts, refid, new Date());
  const invitationLink = (sealed: string) => openInvitation(sealed, secrets, consoleUrl);
  const claimLink = (claim: number) => findClaimUrl(database.db, secrets, { claim, paymentUrl }, new Date());
  const worker = await startMailWorker({ database, log, config, receiptFile, invitationLink, claimLink });
  log.info({ host: config.server.host }, "mail is on");
  return worker;
}

/**
 * Starts everything that a worker does again and again, apart from what is also woken: name (a log line begins with it, and the
 * metric task_age_seconds has it), seconds between two runs, and the run.
 */
function startLoops(services: ServerServices): readonly { stop(): Promise<void> }[] {
  const { config, database, networks, paymentLinks, log } = services;
  const { db } = database;
  const { rates } = paymentLinks;
  const every = (
    seconds: number,
    name: string,
    run: (now: Date, stopping: AbortSignal) => Promise<unknown>,
  ) => repeat(name, seconds * 1_000, { log }, async (stopping) => void (await run(new Date(), stopping)));
  const forget = (name: string, ...jobs: readonly ForgetJob[]) =>
    every(600, name, (_, stopping) => forgetOld(name, jobs, { log, stopping }));
  const loops = [
    ...startFollowers({ db, networks, log }),
    every(1, "payment link sweep", (now, stopping) => sweepPaymentLinks(paymentLinks, now, stopping)),
    every(1, "reporting small deposits", (now, stopping) =>
      reportSmallDeposits({ db, networks }, now, stopping),
    ),
    every(2, "valuing transfers", (now) => priceTransfers(db, rates, now)),
    every(5, "adding up days", () => foldDayChanges(db)),
    every(5, "search for unknown tokens", (_, stopping) =>
      searchUnlistedTokens({ database, networks, log, stopping }),
    ),
    every(10, "storing token prices", (now) => storePrices(db, rates, now)),
    every(60, "recording how nodes answer", createNodeHours({ db, networks, counters: nodeCounters })),
    every(60, "looking at pools and limits of addresses", createAddressAlert({ db, networks, log })),
    every(600, "trying out nodes", createNodeProbe({ db, networks, log })),
    forget(
      "forgetting old idempotency keys and visits",
      (now, until) => deleteExpiredIdempotencyKeys(db, now, until),
      (now, until) => forgetVisits(db, now, until),
    ),
    forget(
      "forgetting old webhook events",
      (now, until) => deleteOldAttempts(db, now, until),
      (now, until) => deleteOldEvents(db, { days: config.webhookEventDays, now }, until),
    ),
  ];
  if (config.mail === null) return loops;
  return [
    ...loops,
    every(60, "making digests", (now, stopping) => makeDigests(db, now, stopping)),
    forget("forgetting old mails", (now, until) => deleteOldMails(db, now, until)),
  ];
}
