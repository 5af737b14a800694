import { claimEnd } from "#lib/domain/delivery/schedule-rules.ts";
import {
  type DeliveryLoopDeps,
  type DeliveryWorker,
  startDeliveries,
} from "#lib/domain/delivery/start-deliveries.ts";
import { callLater, clockOf } from "#lib/platform/clock.ts";
import { CHANNELS } from "#lib/platform/db/listen-for-changes.ts";
import { type DeliverMailDeps, deliverMail } from "./deliver-mail.ts";
import { serverPause } from "./rules.ts";
import { openMailSender } from "./send-mail.ts";
import { claimDueMails } from "./store.ts";
import type { MailConfig } from "./types.ts";

/** Connections to the mail server at the same time. One while it fails. */
const AT_ONCE = 5;
/** The one lane: all mails go to one server. */
const LANE = 1;

export interface MailWorkerDeps
  extends Pick<DeliverMailDeps, "receiptFile" | "invitationLink" | "claimLink">,
    DeliveryLoopDeps {
  readonly config: MailConfig;
  /** For one whole attempt. */
  readonly timeoutMs?: number;
  /** How long no mail is tried after so many failures of the server in a row, in milliseconds. */
  readonly pauseAfter?: (failures: number) => number;
}

/** Sends mails until stopped. While the server fails, it gets one mail at a time, with growing pauses. */
export async function startMailWorker(deps: MailWorkerDeps): Promise<DeliveryWorker> {
  const { database, log, config, timeoutMs = 60_000, pauseAfter = serverPause } = deps;
  const clock = clockOf(deps);
  const domain = config.from.address.split("@")[1] ?? "";
  const sender = openMailSender(config);
  let failures = 0;
  let isPaused = false;
  let endPause = () => {};
  function recordResult(works: boolean, wake: () => void): void {
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

  const worker = await startDeliveries(deps, ({ signal, wake }) => {
    const delivery: DeliverMailDeps = { ...deps, db: database.db, sender, ...clock, timeoutMs, signal };
    return {
      name: "mails",
      channel: CHANNELS.dueMails,
      limits: { perLane: AT_ONCE, total: AT_ONCE, failing: 1 },
      laneOf: () => LANE,
      listDueLanes: async () => [LANE],
      async claim(_lane, limit) {
        const failing = failures > 0;
        if (isPaused) return { claimed: [], failing, more: false };
        const now = clock.now();
        const asked = failing ? 1 : limit;
        const range = { limit: asked, now, leaseUntil: claimEnd(now, timeoutMs), domain };
        const claimed = await claimDueMails(database.db, range);
        return { claimed, failing, more: claimed.length === asked };
      },
      async deliver(claimed) {
        const works = await deliverMail(delivery, claimed);
        recordResult(works, () => wake(LANE));
        return { accepted: works, stored: Promise.resolve() };
      },
    };
  });
  return {
    async stop(timeIsUp) {
      await worker.stop(timeIsUp);
      // A delivery that failed meanwhile began another pause.
      endPause();
    },
  };
}
