/** Mails against a real mail server on loopback that refuses, hangs and drops. */
import assert from "node:assert/strict";
import { beforeEach, type TestContext, test } from "node:test";
import { asc } from "drizzle-orm";
import { pino } from "pino";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { enqueueMails } from "#lib/domain/mail/enqueue-mails.ts";
import { type MailWorkerDeps, startMailWorker } from "#lib/domain/mail/mail-worker.ts";
import { mails } from "#lib/domain/mail/tables.ts";
import { followedDatabaseOfFile } from "#tests/support/file-database.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";
import { mailConfig, messageIdOf, type SmtpFake, startSilent, startSmtp } from "#tests/support/smtp.ts";
import { aMerchant } from "#tests/support/unmatched.ts";

const TIMEOUT_MS = 60_000;
/** How many mails a worker sends at the same time. */
const AT_ONCE = 5;
const SWEEP_MS = 1_000;
/** The pause of a test whose server is away. */
const PAUSE_MS = 50;
const TWO_MINUTES_MS = 120_000;
/** Before the clock of any worker. */
const NOW = new Date();

const { changes, ...base } = await followedDatabaseOfFile("mails");
const merchantId = await aMerchant(base.db, "shop@example.com");
let smtp: SmtpFake;
let people = 0;

beforeEach(async (t) => {
  await base.db.delete(mails);
  smtp = await startSmtp();
  (t as TestContext).after(() => smtp.close());
});

const aMail = () => ({
  ...{ merchantId, env: "live" as const, kind: "unmatched" as const, data: { count: 1, deposits: [] } },
  // Each to another address, so that the hourly limit does not count.
  recipient: `person${people++}@example.com`,
});

const enqueue = (count = 1, now = NOW) =>
  base.db.transaction((tx) => enqueueMails(tx, Array.from({ length: count }, aMail), now));

/** A worker with a clock of its own. Tests that wait for changes also look when the worker begins to wait. */
async function worker(t: TestContext, more: Partial<MailWorkerDeps> = {}) {
  const clock = openManualClock();
  const started = await startMailWorker({
    database: base.database,
    config: mailConfig(smtp.port),
    log: pino({ level: "silent" }),
    sweepEveryMs: SWEEP_MS,
    pauseAfter: () => 0,
    now: clock.now,
    sleep(ms, signal) {
      const slept = clock.sleep(ms, signal);
      changes.wake();
      return slept;
    },
    ...more,
  });
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= started.stop());
  t.after(stop);
  return { clock, stop };
}

const rows = () => base.db.select().from(mails).orderBy(asc(mails.id));
const row = async () => (await rows())[0]!;
const statuses = async () => (await rows()).map(({ status }) => status);
const allSent = async () => (await statuses()).every((status) => status === "sent");
const untilAllSent = () => changes.until("all mails are sent", allSent);

/** Moves the clock to the next attempt whenever none is in progress, so that no claim expires, until all mails are sent. */
function retryUntilAllSent({ now, advance }: ReturnType<typeof openManualClock>) {
  return changes.until("all mails are sent", async () => {
    const waiting = (await rows()).filter(({ status }) => status === "due");
    if (waiting.length === 0) return true;
    if (waiting.some(({ claimedUntil }) => claimedUntil !== null)) return false;
    const next = Math.min(...waiting.map(({ nextAttemptAt }) => nextAttemptAt!.getTime()));
    const ahead = next - now().getTime();
    // A mail that is due may wait for the end of a pause, or for the next sweep.
    await advance(Math.max(0, ahead) + SWEEP_MS);
    return false;
  });
}

test("sends a mail after its transaction, without a sweep, and stores the server's reply", async (t) => {
  await worker(t);
  await enqueue();
  await untilAllSent();
  const { token, lastStatus } = await row();
  assert.deepEqual(smtp.ids(), [`${token}@example.com`]);
  assert.equal(lastStatus, 250);
});

for (const [mood, error] of [
  ["refuse", "answered 554"],
  ["refuse-recipient", "answered 550"],
] as const) {
  test(`a final refusal (${mood}) is a dead letter after one attempt, and others are sent`, async (t) => {
    smtp.setMood(mood);
    await enqueue();
    await worker(t);
    await changes.until("the dead letter", async () => (await statuses())[0] === "failed");
    const { attempts, lastError } = await row();
    assert.deepEqual({ attempts, lastError }, { attempts: 1, lastError: error });
    smtp.setMood("accept");
    await enqueue();
    await smtp.until("the other mail arrives", () => smtp.accepted.length === 1);
  });
}

test("a deferred mail is sent later under the same Message-ID", async (t) => {
  smtp.setMood("defer");
  await enqueue();
  const { clock } = await worker(t);
  await changes.until("the attempt", async () => (await row()).lastStatus === 451);
  assert.equal((await row()).status, "due");
  smtp.setMood("accept");
  await retryUntilAllSent(clock);
  const [first = "", second = "", ...others] = smtp.seen;
  assert.deepEqual(others, []);
  assert.equal(messageIdOf(first), messageIdOf(second));
  const date = (message: string) => /^date: .*$/im.exec(message)?.[0];
  assert.equal(date(first), date(second));
});

for (const [mood, what, error] of [
  ["hang", "hangs", /^timeout$/],
  ["drop", "drops the connection", /^E[A-Z]+$/],
] as const) {
  test(`a server that ${what} loses no mail`, async (t) => {
    smtp.setMood(mood);
    await enqueue(10);
    const { clock } = await worker(t);
    if (mood === "hang") {
      await smtp.until("attempts", () => smtp.seen.length === AT_ONCE);
      await clock.advance(TIMEOUT_MS);
    }
    // The server may have the mail: the attempt counts. A mail that was not offered yet has an error, and no attempt.
    const failed = await changes.until("a failed attempt", async () =>
      (await rows()).find(({ lastError, attempts }) => lastError !== null && attempts === 1),
    );
    assert.match(failed.lastError!, error);
    assert.equal(smtp.accepted.length, 0);
    smtp.setMood("accept");
    await retryUntilAllSent(clock);
    assert.equal(new Set(smtp.ids()).size, 10);
    assert.equal(smtp.accepted.length, 10);
  });
}

test("a server without a word, or with one byte at a time, ends an attempt in time", async (t) => {
  for (const trickle of [false, true]) {
    const silent = await startSilent({ trickle });
    t.after(() => silent.close());
    await base.db.delete(mails);
    await enqueue();
    const { clock, stop } = await worker(t, { config: mailConfig(silent.port) });
    await silent.connected();
    await clock.advance(TIMEOUT_MS);
    await changes.until("the timeout", async () => (await row()).lastError === "timeout");
    await stop();
  }
});

test("while the server is away it gets one mail at a time, with growing pauses, and its return is logged", async (t) => {
  // The server comes back at a port that no other test's server gets meanwhile.
  const port = await choosePort(0);
  await enqueue(30);
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const pauses: number[] = [];
  const pauseAfter = (failures: number) => {
    pauses.push(failures);
    return failures < 3 ? 0 : PAUSE_MS;
  };
  const { clock } = await worker(t, { config: mailConfig(port), log, pauseAfter });
  await changes.until("failures in a row", async () => {
    if (pauses.length >= 6) return true;
    await clock.advance(PAUSE_MS);
    return false;
  });
  assert.deepEqual(pauses.slice(2, 6), [3, 4, 5, 6]);
  await smtp.close();
  smtp = await startSmtp("accept", port);
  await clock.advance(PAUSE_MS);
  await retryUntilAllSent(clock);
  assert.equal(smtp.accepted.length, 30);
  for (const text of ["mail server fails", "mail server works again"])
    assert.equal(lines.filter((line) => line.includes(text)).length, 1, text);
  assert.ok(!lines.join("").includes("@example.com"), "no address is in the log");
});

test("a mail is sent within minutes after the server is back, and its attempts before do not count", async (t) => {
  const port = await choosePort(0);
  await enqueue(3);
  const { clock } = await worker(t, { config: mailConfig(port) });
  const advanceUntil = (what: string, done: () => Promise<boolean>) =>
    changes.until(what, async () => {
      if (await done()) return true;
      const isSending = (await rows()).some(({ claimedUntil }) => claimedUntil !== null);
      if (!isSending) await clock.advance(SWEEP_MS);
      return false;
    });
  for (let n = 0; n < 12; n++) {
    await advanceUntil("every mail waits", async () =>
      (await rows()).every(
        ({ claimedUntil, nextAttemptAt }) => claimedUntil === null && nextAttemptAt! > clock.now(),
      ),
    );
    await clock.advance(TWO_MINUTES_MS);
  }
  await smtp.close();
  smtp = await startSmtp("accept", port);
  const backAt = clock.now().getTime();
  await advanceUntil("every mail is sent", async () => {
    assert.ok(clock.now().getTime() - backAt <= 2 * TWO_MINUTES_MS, "within minutes");
    return allSent();
  });
  assert.deepEqual(
    (await rows()).map(({ attempts }) => attempts),
    [1, 1, 1],
  );
});

test("two workers send no mail twice", async (t) => {
  await enqueue(30);
  await Promise.all([worker(t), worker(t)]);
  await untilAllSent();
  assert.equal(smtp.accepted.length, 30);
  assert.equal(new Set(smtp.ids()).size, 30);
});

test("a mail sent again after a lost result has the same Message-ID and bytes", async (t) => {
  await enqueue();
  const { stop } = await worker(t);
  await untilAllSent();
  await stop();
  // As after a kill between the server's answer and the commit.
  await base.db.update(mails).set({ status: "due", nextAttemptAt: NOW });
  const from = { name: "Pay", address: "pay@other.example" };
  await worker(t, { config: { ...mailConfig(smtp.port), from } });
  await untilAllSent();
  const [first, second] = smtp.ids();
  assert.equal(smtp.accepted.length, 2);
  assert.equal(first, second);
});

test("a stop breaks off what is in progress, and it counts as not attempted", async (t) => {
  smtp.setMood("hang");
  await enqueue();
  const { stop } = await worker(t);
  await smtp.until("the attempt", () => smtp.seen.length === 1);
  await stop();
  const { status, attempts, claimedUntil } = await row();
  assert.deepEqual({ status, attempts, claimedUntil }, { status: "due", attempts: 0, claimedUntil: null });
});

test("a mail that waited for days is not sent any more", async (t) => {
  await enqueue(1, new Date(NOW.getTime() - 5 * 86_400_000));
  await enqueue(1);
  await worker(t);
  await changes.until("the newer mail", async () => (await statuses())[1] === "sent");
  assert.equal((await statuses())[0], "due");
  assert.equal(smtp.accepted.length, 1);
});

test("a receipt carries the file that it is given", async (t) => {
  const link = { refid: "R1", reference: "ORDER1", url: "https://pay.example.com/pay/R1", reason: null };
  const money = { amount: "10", currency: "usd", payments: [], received: [], remaining: [], excess: [] };
  const event = { event: "payment_link_completed" as const, at: new Date().toISOString(), language: null };
  const mail = { ...aMail(), kind: "receipt" as const, data: { ...link, ...money, ...event } };
  await base.db.transaction((tx) => enqueueMails(tx, [mail], NOW));
  const content = Buffer.from('{"signed":true}');
  await worker(t, {
    receiptFile: async (refid) => ({ filename: `${refid}.json`, contentType: "application/json", content }),
  });
  await smtp.until("the receipt arrives", () => smtp.accepted.length === 1);
  assert.match(smtp.accepted[0]!, /filename=R1\.json/);
  assert.ok(smtp.accepted[0]!.includes(content.toString("base64")));
});
