import { nodeCounters } from "#lib/chains/node-metrics.ts";
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
import { foldDayChanges } from "#lib/domain/payment-links/totals/count-days.ts";
import { storePrices } from "#lib/domain/rates/store-prices.ts";
import { createAddressAlert } from "#lib/domain/wallets/watch-addresses.ts";
import { deleteOldAttempts, deleteOldEvents } from "#lib/domain/webhooks/delete-old-events.ts";
import { startWebhookWorker } from "#lib/domain/webhooks/webhook-worker.ts";
import { findClaimUrl } from "#lib/domain/withdrawals/claims/create-claim.ts";
import { followWithdrawals } from "#lib/domain/withdrawals/follow/follow-withdrawals.ts";
import { settleCosts } from "#lib/domain/withdrawals/follow/settle-costs.ts";
import { openGuardedAgent } from "#lib/platform/http/guarded-agent.ts";
import { repeat, unlessAborted } from "#lib/platform/repeat.ts";
import { deleteExpiredIdempotencyKeys } from "#lib/web/api/idempotency.ts";
import type { ServerServices } from "./open-services.ts";

const SWEEP_EVERY_MS = 1_000;
const SMALL_EVERY_MS = 1_000;
const FOREIGN_EVERY_MS = 5_000;
const FORGET_EVERY_MS = 600_000;
const FOLD_EVERY_MS = 5_000;
const PRICE_EVERY_MS = 2_000;
const STORE_PRICES_EVERY_MS = 10_000;
const WITHDRAWALS_EVERY_MS = 5_000;
const ADDRESSES_EVERY_MS = 60_000;
const DIGESTS_EVERY_MS = 60_000;
const PROBE_EVERY_MS = 600_000;
const NODE_HOURS_EVERY_MS = 60_000;

/**
 * The worker role: one watcher per network, the sweep of deadlines, the search for unknown tokens,
 * withdrawals, webhook deliveries and the alarm for address pools and limits.
 */
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
  const sweep = repeat("payment link sweep", SWEEP_EVERY_MS, { log }, async (stopping) => {
    await sweepPaymentLinks(paymentLinks, new Date(), stopping);
  });
  const foreign = repeat("search for unknown tokens", FOREIGN_EVERY_MS, { log }, (stopping) =>
    searchUnlistedTokens({ database, networks, log, stopping }),
  );
  const forget = repeat("forgetting old idempotency keys and visits", FORGET_EVERY_MS, { log }, async () => {
    await deleteExpiredIdempotencyKeys(database.db, new Date());
    await forgetVisits(database.db, new Date());
  });
  const prune = repeat("forgetting old webhook events", FORGET_EVERY_MS, { log }, async () => {
    await deleteOldAttempts(database.db, new Date());
    await deleteOldEvents(database.db, { days: config.webhookEventDays, now: new Date() });
  });
  const small = repeat("reporting small deposits", SMALL_EVERY_MS, { log }, async (stopping) => {
    await reportSmallDeposits({ db: database.db, networks }, new Date(), stopping);
  });
  const pricing = repeat("valuing transfers", PRICE_EVERY_MS, { log }, async () => {
    await priceTransfers(database.db, paymentLinks.rates, new Date());
  });
  const prices = repeat("storing token prices", STORE_PRICES_EVERY_MS, { log }, () =>
    storePrices(database.db, paymentLinks.rates, new Date()),
  );
  const totals = repeat("adding up days", FOLD_EVERY_MS, { log }, async () => {
    await foldDayChanges(database.db);
  });
  const withdrawals = repeat("following withdrawals", WITHDRAWALS_EVERY_MS, { log }, async (stopping) => {
    await followWithdrawals({ db: database.db, networks, log, stopping });
    await settleCosts({ db: database.db, networks, log, stopping });
  });
  const probeNodes = createNodeProbe({ db: database.db, networks, log });
  const probes = repeat("trying out nodes", PROBE_EVERY_MS, { log }, (stopping) =>
    probeNodes(new Date(), stopping),
  );
  const addNodeHours = createNodeHours({ db: database.db, networks, counters: nodeCounters });
  const nodeHours = repeat("recording how nodes answer", NODE_HOURS_EVERY_MS, { log }, () =>
    addNodeHours(new Date()),
  );
  const alertAddresses = createAddressAlert({ db: database.db, networks, log });
  const addresses = repeat("looking at pools and limits of addresses", ADDRESSES_EVERY_MS, { log }, () =>
    alertAddresses(new Date()),
  );
  const pruning = [forget, prune];
  const following = [watchers, hints, foreign, withdrawals, probes];
  const jobs = [...following, ...pruning, sweep, small, pricing, prices, totals, nodeHours, addresses];
  return {
    async stop(timeIsUp) {
      const ended = Promise.all(jobs.map((job) => job.stop()));
      await Promise.all([webhooks.stop(timeIsUp), mail?.stop(timeIsUp)]);
      // Hanging work, usually on a node, is abandoned: everything due is in the database.
      await unlessAborted(ended, timeIsUp).catch(() => log.warn("work was broken off: it took too long"));
    },
  };
}

/** The parts of the worker that run only if mail is on. */
async function startMail(
  { database, log, paymentLinks, receipts, secrets, config: { consoleUrl, paymentUrl } }: ServerServices,
  config: MailConfig,
): Promise<{ stop(timeIsUp: AbortSignal): Promise<void> }> {
  const receiptFile = (refid: string) => createReceiptFile(paymentLinks, receipts, refid, new Date());
  const invitationLink = (sealed: string) => openInvitation(sealed, secrets, consoleUrl);
  const claimLink = (claim: number) => findClaimUrl(database.db, secrets, { claim, paymentUrl }, new Date());
  const worker = await startMailWorker({ database, log, config, receiptFile, invitationLink, claimLink });
  const digests = repeat("making digests", DIGESTS_EVERY_MS, { log }, (stopping) =>
    makeDigests(database.db, new Date(), stopping),
  );
  const prune = repeat("forgetting old mails", FORGET_EVERY_MS, { log }, () =>
    deleteOldMails(database.db, new Date()),
  );
  log.info({ host: config.server.host }, "mail is on");
  return {
    async stop(timeIsUp) {
      const ended = Promise.all([digests.stop(), prune.stop()]);
      await worker.stop(timeIsUp);
      await unlessAborted(ended, timeIsUp).catch(() => log.warn("work was broken off: it took too long"));
    },
  };
}
