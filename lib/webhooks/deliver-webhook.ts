import type { Logger } from "pino";
import type { Dispatcher } from "undici";
import type { Db } from "#lib/db/connection.ts";
import { judge } from "./rules.ts";
import { sendRequest } from "./send-request.ts";
import { eventHeaders } from "./sign.ts";
import {
  claimDelivery,
  disableEndpoint,
  queueDeliveries,
  recordDelivered,
  recordFailure,
  releaseClaim,
} from "./store.ts";
import type { ClaimedDelivery, SendOutcome, Verdict } from "./types.ts";

/** What a claim outlasts the request by: time to write down the outcome. */
const LEASE_MARGIN_MS = 10_000;

export interface DeliverDeps {
  readonly db: Db;
  readonly secrets: { open(sealed: Buffer): string };
  readonly log: Logger;
  /** Opened by openGuardedAgent. */
  readonly agent: Dispatcher;
  readonly now: () => Date;
  readonly timeoutMs: number;
  /** Aborted at shutdown: the attempt is then taken back and left to the next worker. */
  readonly signal: AbortSignal;
}

/**
 * Makes one attempt at a delivery if it is due and in nobody else's hands. No transaction is open during the request.
 * A process killed half-way leaves a claim that expires; the event may then arrive twice, under one webhook-id.
 */
export async function deliverWebhook(deps: DeliverDeps, deliveryId: number): Promise<void> {
  const startedAt = deps.now();
  const leaseUntil = new Date(startedAt.getTime() + deps.timeoutMs + LEASE_MARGIN_MS);
  const claimed = await claimDelivery(deps.db, deliveryId, startedAt, leaseUntil);
  if (claimed === null) return;
  if (claimed.url === null || claimed.disabledAt !== null) {
    const failure = { status: null, error: "endpoint disabled", retryAt: null };
    await recordFailure(deps.db, claimed, failure, startedAt);
    return;
  }
  const outcome = await attempt(deps, claimed, claimed.url, startedAt);
  const now = deps.now();
  if (outcome.kind === "interrupted") {
    await releaseClaim(deps.db, claimed, now);
    return;
  }
  const verdict = judge(outcome, claimed.attempt, now, Math.random());
  deps.log.debug(
    { deliveryId, eventId: claimed.eventId, attempt: claimed.attempt, verdict },
    "webhook attempt",
  );
  await record(deps.db, claimed, verdict, now);
}

async function attempt(
  deps: DeliverDeps,
  claimed: ClaimedDelivery,
  url: string,
  now: Date,
): Promise<SendOutcome> {
  let secret: string;
  try {
    secret = deps.secrets.open(claimed.sealedSecret);
  } catch (err) {
    // Sealed with another key, say: it stays on the schedule, so that a corrected configuration still delivers it.
    deps.log.error({ err, endpointId: claimed.endpointId }, "webhook secret cannot be opened");
    return { kind: "unreachable", error: "secret cannot be opened" };
  }
  const headers = eventHeaders(secret, `evt_${claimed.eventId}`, claimed.body, now);
  return sendRequest({ url, headers, body: claimed.body }, deps);
}

async function record(db: Db, claimed: ClaimedDelivery, verdict: Verdict, now: Date): Promise<void> {
  if (verdict.kind === "delivered") {
    await recordDelivered(db, claimed.id, verdict.status, now);
    return;
  }
  await db.transaction(async (tx) => {
    const retryAt = verdict.kind === "retry" ? verdict.at : null;
    await recordFailure(tx, claimed, { status: verdict.status, error: verdict.error, retryAt }, now);
    if (verdict.kind === "retry") await queueDeliveries(tx, [claimed.id], verdict.at);
    else if (verdict.disableEndpoint) await disableEndpoint(tx, claimed.endpointId, now);
  });
}
