import type { Logger } from "pino";
import { Counter } from "prom-client";
import type { Dispatcher } from "undici";
import type { EndedAttempt, LaneClaim } from "#lib/domain/delivery/lanes.ts";
import { claimEnd } from "#lib/domain/delivery/schedule-rules.ts";
import type { Clock } from "#lib/platform/clock.ts";
import { createBatcher } from "#lib/platform/db/batching.ts";
import { type Db, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { withLogContext } from "#lib/platform/log/log-context.ts";
import {
  claimDueDeliveries,
  type DeliveredAttempt,
  failDueDeliveriesOfClosed,
  postponeDueDeliveries,
  recordDelivered,
  recordFailure,
  releaseClaims,
  type WantedClaim,
} from "./delivery-store.ts";
import { emitEvent } from "./emit-event.ts";
import { updateEndpointDisabled } from "./endpoint-store.ts";
import { composeAttempt, getFormat } from "./formats.ts";
import {
  categorizeOutcome,
  extractRefid,
  FAILING_LIMIT_MS,
  hasFailedTooLong,
  unreadableSecretDelay,
} from "./rules.ts";
import { sendRequest } from "./send-request.ts";
import {
  ATTEMPT_CATEGORIES,
  type AttemptDecision,
  type ClaimedDelivery,
  type DisableReason,
  type EndpointDisabledEvent,
  type SendOutcome,
  type WebhookEndpoint,
} from "./types.ts";

/** Claims of several lanes share a statement, and so do their results. */
const BATCHES = { maxSize: 100, concurrency: 2 };
/** An endpoint that takes events in order may have a long backlog behind one that it refuses, and its claim reads all of it. */
const ONE_BY_ONE = { maxSize: 1, concurrency: 2 };
/** Deliveries of a closed endpoint that one statement fails. */
const CLOSED_AT_ONCE = 500;
/** Deliveries that one statement postpones. */
const POSTPONED_AT_ONCE = 5_000;

/** Everything about the attempt is stored. */
const NOT_ACCEPTED: EndedAttempt = { accepted: false, stored: Promise.resolve() };

/** Attempts of this process by category. Every category starts at 0, so that its series exists. */
export const attemptCounter = new Counter({
  name: "paylink_webhook_attempts_total",
  help: "Attempts of this process to deliver a webhook, by outcome",
  labelNames: ["outcome"],
  registers: [],
});
for (const outcome of ATTEMPT_CATEGORIES) attemptCounter.inc({ outcome }, 0);

export interface DeliverDeps extends Pick<Clock, "now">, Partial<Pick<Clock, "sleep">> {
  readonly db: Db;
  readonly secrets: { open(sealed: Buffer): string };
  readonly log: Logger;
  /** Opened by openGuardedAgent. */
  readonly agent: Dispatcher;
  readonly timeoutMs: number;
  /** From 0 to 1, for the pause before the next attempt. Absent: Math.random. */
  readonly random?: () => number;
  /** Aborted at shutdown. The attempt is then released for another worker. */
  readonly signal: AbortSignal;
  /** Called in the transaction that disables an endpoint. */
  readonly onDisabled?: (tx: Tx, event: EndpointDisabledEvent, now: Date) => Promise<void>;
}

interface AskedClaim {
  readonly endpointId: number;
  readonly limit: number;
  readonly clock: () => Date;
  readonly timeoutMs: number;
}

const batchedClaim = oncePerDatabase((db) =>
  createBatcher(BATCHES, (asked: readonly AskedClaim[]) =>
    claimDueDeliveries(db, asked.map(startClaim), { ordered: false }),
  ),
);

const orderedClaim = oncePerDatabase((db) =>
  createBatcher(ONE_BY_ONE, (asked: readonly AskedClaim[]) =>
    claimDueDeliveries(db, asked.map(startClaim), { ordered: true }),
  ),
);

/** The claim counts from its statement: it may have waited for others. */
function startClaim({ endpointId, limit, clock, timeoutMs }: AskedClaim): WantedClaim {
  const now = clock();
  return { endpointId, limit, now, leaseUntil: claimEnd(now, timeoutMs) };
}

const batchedRecord = oncePerDatabase((db) =>
  createBatcher(BATCHES, async (results: readonly DeliveredAttempt[]) => {
    await recordDelivered(db, results);
    return results.map(() => undefined);
  }),
);

/**
 * Claims up to `limit` due deliveries of an endpoint for this process. If the endpoint is disabled, removed
 * or has no URL, its due deliveries fail. `more`: further deliveries may be due now.
 */
export async function claimDeliveries(
  { db, now: clock, timeoutMs }: DeliverDeps,
  endpointId: number,
  limit: number,
): Promise<LaneClaim<ClaimedDelivery>> {
  const asked = { endpointId, limit, clock, timeoutMs };
  const unordered = await batchedClaim(db)(asked);
  const claimed = unordered.length > 0 ? unordered : await orderedClaim(db)(asked);
  const [first] = claimed;
  if (first !== undefined) {
    const failing = first.failingSince !== null;
    // A shop whose secret or address changes meanwhile refuses for good what was signed before.
    const mayClaimAhead = unordered.length > 0;
    return { claimed, failing, more: failing || claimed.length === limit, mayClaimAhead };
  }
  const closed = await failDueDeliveriesOfClosed(db, endpointId, { limit: CLOSED_AT_ONCE, now: clock() });
  return { claimed, failing: false, more: closed === CLOSED_AT_ONCE };
}

/**
 * Makes the claimed attempt. No transaction is open during the request. If the process is killed, its claim
 * expires and the event may arrive twice with the same webhook-id. A failure is stored before this resolves, so that
 * the next claim of the endpoint knows it.
 */
export function deliverWebhook(deps: DeliverDeps, claimed: ClaimedDelivery): Promise<EndedAttempt> {
  const { eventId, endpointId } = claimed;
  const refid = extractRefid(claimed.body);
  const subject = { eventId, endpointId, ...(refid !== null && { refid }) };
  return withLogContext(subject, () => deliver(deps, claimed));
}

async function deliver(deps: DeliverDeps, claimed: ClaimedDelivery): Promise<EndedAttempt> {
  const startedAt = deps.now();
  // This process was frozen. Another one may have sent it, and later events of the link.
  if (startedAt.getTime() + deps.timeoutMs > claimed.leaseUntil.getTime()) {
    await releaseClaims(deps.db, [claimed], startedAt);
    return NOT_ACCEPTED;
  }
  const began = performance.now();
  const outcome = await attempt(deps, claimed, startedAt);
  const durationMs = Math.round(performance.now() - began);
  const now = deps.now();
  if (outcome.kind === "interrupted") {
    await releaseClaims(deps.db, [claimed], now);
    return NOT_ACCEPTED;
  }
  attemptCounter.inc({ outcome: categorizeOutcome(outcome) });
  if (outcome.kind === "unsigned") {
    await releaseClaims(deps.db, [claimed], now);
    // The other due deliveries of the endpoint would fail for the same reason and fill the log.
    await postponeDueDeliveries(deps.db, claimed.endpointId, {
      limit: POSTPONED_AT_ONCE,
      now,
      ...unreadableSecretDelay(now),
    });
    return NOT_ACCEPTED;
  }
  const { decide } = getFormat(claimed.format);
  const decision = decide(outcome, claimed, now, (deps.random ?? Math.random)());
  deps.log.debug(
    { deliveryId: claimed.id, attempt: claimed.attempt, durationMs, decision },
    "webhook attempt",
  );
  const answer = outcome.kind === "answered" ? outcome.answer : null;
  const attempted = { startedAt, durationMs, status: decision.status, answer };
  if (decision.kind === "delivered")
    return { accepted: true, stored: batchedRecord(deps.db)({ claimed, attempt: attempted, now }) };
  const retryAt = decision.kind === "retry" ? decision.at : null;
  await recordFailure(deps.db, claimed, { ...attempted, error: decision.error, retryAt }, now);
  await disableIfNeeded(deps, claimed, decision, now);
  return NOT_ACCEPTED;
}

async function attempt(deps: DeliverDeps, claimed: ClaimedDelivery, now: Date): Promise<SendOutcome> {
  let secrets: string[];
  try {
    const sealed = [claimed.sealedSecret, claimed.sealedPreviousSecret];
    secrets = sealed.flatMap((one) => (one === null ? [] : [deps.secrets.open(one)]));
  } catch (err) {
    // Not a fault of the receiver, so it is not an attempt: after SECRET_KEY is corrected, everything is
    // delivered.
    deps.log.error({ err }, "webhook secret cannot be opened");
    return { kind: "unsigned" };
  }
  const { format, body: stored, url } = claimed;
  const delivery = { ...claimed, deliveryId: claimed.id };
  return sendRequest({ url, ...composeAttempt(format, secrets, { stored, delivery }, now) }, deps);
}

/** Disables the endpoint if it answered 410 or has failed for too long. */
async function disableIfNeeded(
  deps: DeliverDeps,
  claimed: ClaimedDelivery,
  decision: AttemptDecision,
  now: Date,
): Promise<void> {
  const isGone = decision.kind === "failed" && decision.disableEndpoint;
  if (!isGone && !hasFailedTooLong(claimed.failingSince, now)) return;
  const reason = isGone ? "gone" : "failing";
  const disabled = await disableFailedEndpoint(deps, claimed, reason, now);
  if (disabled === null) return;
  const { merchantId, failingSince } = disabled;
  deps.log.warn({ merchantId, reason, failingSince }, "webhook endpoint disabled");
}

/**
 * Disables the endpoint and emits an event to the merchant's other endpoints. Returns null if the endpoint is already
 * disabled or removed, works again, or has another URL than the attempt.
 */
function disableFailedEndpoint(
  { db, onDisabled }: DeliverDeps,
  attempted: { readonly endpointId: number; readonly url: string },
  reason: DisableReason,
  now: Date,
): Promise<WebhookEndpoint | null> {
  return db.transaction(async (tx) => {
    const failingUntil = reason === "gone" ? null : new Date(now.getTime() - FAILING_LIMIT_MS);
    const endpoint = await updateEndpointDisabled(tx, attempted, { now, failingUntil });
    if (endpoint === null) return null;
    const { merchantId, env } = endpoint;
    const data = {
      id: endpoint.id,
      url: endpoint.url,
      reason,
      failing_since: endpoint.failingSince?.toISOString() ?? null,
      disabled_at: now.toISOString(),
      environment: env,
    };
    const event = { merchantId, env, type: "webhook_endpoint_disabled" as const, data, txHashes: [] };
    await emitEvent(tx, event, now);
    await onDisabled?.(tx, event, now);
    return endpoint;
  });
}
