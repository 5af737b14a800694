import type { Logger } from "pino";
import { openLanes } from "#lib/domain/webhooks/lanes.ts";
import { type Clock, callLater, clockOf } from "#lib/platform/clock.ts";
import type { Database } from "#lib/platform/db/connection.ts";
import { CHANNELS, listenForChanges } from "#lib/platform/db/listen-for-changes.ts";
import { repeat } from "#lib/platform/repeat.ts";
import { type DeliverMailDeps, deliverMail } from "./deliver-mail.ts";
import { serverPause } from "./rules.ts";
import { openMailSender } from "./send-mail.ts";
import { claimDueMails } from "./store.ts";
import type { MailConfig } from "./types.ts";

/** Connections to the mail server at the same time. One while it fails. */
const AT_ONCE = 5;
/** The one lane: all mails go to one server. */
const LANE = 1;
/** Margin of a claim beyond the time of an attempt: time to store the result. */
const LEASE_MARGIN_MS = 10_000;

export interface MailWorkerDeps
  extends Pick<DeliverMailDeps, "receiptFile" | "invitationLink" | "claimLink">,
    Partial<Clock> {
  readonly database: Database;
  readonly log: Logger;
  readonly config: MailConfig;
  /** For one whole attempt. */
  readonly timeoutMs?: number;
  readonly sweepEveryMs?: number;
  /** How long no mail is tried after so many failures of the server in a row, in milliseconds. */
  readonly pauseAfter?: (failures: number) => number;
}

export interface MailWorker {
  /** Attempts still in progress at `timeIsUp` (default: now) are broken off and released for other workers. */
  stop(timeIsUp?: AbortSignal): Promise<void>;
}

/**
 * Sends mails until stopped: at once after the commit of a due mail. A sweep finds later attempts, mails of a killed worker
 * and lost notifications. While the server fails, it gets one mail at a time, with growing pauses. Throws if the database is
 * unavailable at the start; later it recovers by itself.
 */
export async function startMailWorker(deps: MailWorkerDeps): Promise<MailWorker> {
  const { database, log, config, timeoutMs = 60_000 } = deps;
  const clock = clockOf(deps);
  const { pauseAfter = serverPause } = deps;
  const breakOff = new AbortController();
  const delivery: DeliverMailDeps = {
    ...deps,
    db: database.db,
    sender: openMailSender(config),
    ...clock,
    timeoutMs,
    signal: breakOff.signal,
  };
  const domain = config.from.address.split("@")[1] ?? "";
  let failures = 0;
  let isPaused = false;
  let endPause = () => {};
  function recordResult(works: boolean): void {
    if (works && failures > 0) log.info("mail server works again");
    if (!works && failures === 0) log.warn({ host: config.server.host }, "mail server fails: mails wait");
    // Attempts that ran at the same time count as one.
    if (!works && isPaused) return;
    failures = works ? 0 : failures + 1;
    endPause();
    isPaused = !works;
    if (works) return;
    endPause = callLater(clock, pauseAfter(failures), () => {
      isPaused = false;
      wake();
    });
  }
  const lanes = openLanes(
    { perEndpoint: AT_ONCE, total: AT_ONCE, failing: 1 },
    {
      async claim(_lane, limit) {
        const failing = failures > 0;
        if (isPaused) return { claimed: [], failing, more: false };
        const at = clock.now();
        const leaseUntil = new Date(at.getTime() + timeoutMs + LEASE_MARGIN_MS);
        const asked = failing ? 1 : limit;
        const claimed = await claimDueMails(database.db, { limit: asked, now: at, leaseUntil, domain });
        return { claimed, failing, more: claimed.length === asked };
      },
      async deliver(claimed) {
        const works = await deliverMail(delivery, claimed);
        recordResult(works);
        return works;
      },
      // The claim expires by itself.
      onError: (err) => log.error({ err }, "mails: a delivery failed"),
    },
  );
  const wake = () => lanes.wake(LANE);
  const sweeping = repeat("sending mails", deps.sweepEveryMs ?? 1_000, { log, ...clock }, async () => wake());
  const handlers = { onPayload: wake, onReconnect: wake };
  const listener = await listenForChanges(database.url, CHANNELS.dueMails, handlers, { log, ...clock });
  return {
    async stop(timeIsUp = AbortSignal.abort()) {
      timeIsUp.addEventListener("abort", () => breakOff.abort(), { once: true });
      if (timeIsUp.aborted) breakOff.abort();
      await Promise.all([lanes.stop(), sweeping.stop(), listener.stop()]);
      // A delivery that failed meanwhile began another pause.
      endPause();
    },
  };
}
