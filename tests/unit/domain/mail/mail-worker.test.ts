/** Mails against a real mail server on loopback that refuses, hangs and drops, and killed workers. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, before, beforeEach, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { asc, eq } from "drizzle-orm";
import { type Logger, pino } from "pino";
import { enqueueMails } from "#lib/domain/mail/enqueue-mails.ts";
import { type MailWorkerDeps, startMailWorker } from "#lib/domain/mail/mail-worker.ts";
import { mails } from "#lib/domain/mail/tables.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { mailConfig, messageIdOf, type SmtpFake, startSilent, startSmtp } from "#tests/support/smtp.ts";
import { until } from "#tests/support/until.ts";

let base: TestDatabase;
let smtp: SmtpFake;
let merchantId: number;
let people = 0;

before(async () => {
  base = await testDatabase();
  const [row] = await base.db
    .insert(merchants)
    .values({ email: "shop@example.com", name: "Shop" })
    .returning();
  merchantId = row!.id;
});
after(() => base.close());
beforeEach(async (t) => {
  await base.db.delete(mails);
  smtp = await startSmtp();
  (t as TestContext).after(() => smtp.close());
});

/** Each to another address, so that the hourly limit does not count. */
async function enqueue(count = 1, now = new Date()): Promise<void> {
  const some = Array.from({ length: count }, () => ({
    merchantId,
    env: "live" as const,
    kind: "unmatched" as const,
    recipient: `person${people++}@example.com`,
    data: { count: 1, deposits: [] },
  }));
  await base.db.transaction((tx) => enqueueMails(tx, some, now));
}

async function worker(t: TestContext, more: Partial<MailWorkerDeps> = {}) {
  const started = await startMailWorker({
    database: base.database,
    config: mailConfig(smtp.port),
    log: pino({ level: "silent" }),
    sweepEveryMs: 20,
    pauseAfter: () => 0,
    ...more,
  });
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= started.stop());
  t.after(stop);
  return { stop };
}

const rows = () => base.db.select().from(mails).orderBy(asc(mails.id));
const statuses = async () => (await rows()).map(({ status }) => status);
const allSent = async () => (await statuses()).every((status) => status === "sent");
/** A clock that the test moves forward, so that attempts come due without waiting. */
function aClock() {
  let ahead = 0;
  return { now: () => new Date(Date.now() + ahead), forward: (ms: number) => (ahead += ms) };
}

/** Moves the clock less than a claim lasts, and only while nothing is claimed: no claim expires. */
async function forwardBetweenAttempts(clock: ReturnType<typeof aClock>): Promise<void> {
  if ((await rows()).every(({ claimedUntil }) => claimedUntil === null)) clock.forward(9_000);
}

test("sends a mail at once after its transaction, and stores the server's reply", async (t) => {
  await worker(t, { sweepEveryMs: 60_000 });
  await enqueue();
  await until("the mail", async () => (await rows()).length === 1 && allSent());
  const [row] = await rows();
  assert.deepEqual(smtp.ids(), [`${row!.token}@example.com`]);
  assert.equal(row!.lastStatus, 250);
});

test("a transaction that is rolled back sends nothing", async (t) => {
  await worker(t);
  const failing = base.db.transaction(async (tx) => {
    const data = { count: 1, deposits: [] };
    const mail = {
      merchantId,
      env: "live" as const,
      kind: "unmatched" as const,
      recipient: "a@example.com",
      data,
    };
    await enqueueMails(tx, [mail], new Date());
    throw new Error("rolled back");
  });
  await assert.rejects(failing, /rolled back/);
  await enqueue();
  await until("the other mail", () => smtp.accepted.length > 0);
  assert.equal((await rows()).length, 1);
});

for (const mood of ["refuse", "refuse-recipient"] as const) {
  test(`a final refusal (${mood}) is a dead letter after one attempt, and others are sent`, async (t) => {
    smtp.setMood(mood);
    await enqueue();
    await worker(t);
    await until("the dead letter", async () => (await statuses())[0] === "failed");
    const [row] = await rows();
    assert.equal(row!.attempts, 1);
    assert.equal(row!.lastError, mood === "refuse" ? "answered 554" : "answered 550");
    smtp.setMood("accept");
    await enqueue();
    await until("the other mail", () => smtp.accepted.length === 1);
  });
}

test("a deferred mail is sent later under the same Message-ID", async (t) => {
  smtp.setMood("defer");
  await enqueue();
  const clock = aClock();
  await worker(t, { now: clock.now });
  await until("the attempt", async () => (await rows())[0]!.lastStatus === 451);
  assert.equal((await rows())[0]!.status, "due");
  smtp.setMood("accept");
  clock.forward(10_000);
  await until("the mail", allSent);
  assert.equal(smtp.seen.length, 2);
  assert.equal(messageIdOf(smtp.seen[0]!), messageIdOf(smtp.seen[1]!));
  const date = (message: string) => /^date: .*$/im.exec(message)?.[0];
  assert.equal(date(smtp.seen[0]!), date(smtp.seen[1]!));
});

for (const mood of ["hang", "drop"] as const) {
  test(`a server that ${mood === "hang" ? "hangs" : "drops the connection"} loses no mail`, async (t) => {
    smtp.setMood(mood);
    await enqueue(10);
    const clock = aClock();
    const started = Date.now();
    await worker(t, { now: clock.now, timeoutMs: 2_000 });
    await until("failed attempts", async () => (await rows()).some(({ lastError }) => lastError !== null));
    assert.ok(Date.now() - started < 10_000);
    const failed = (await rows()).find(({ lastError }) => lastError !== null);
    assert.match(failed!.lastError!, mood === "hang" ? /^timeout$/ : /^E[A-Z]+$/);
    assert.equal(smtp.accepted.length, 0);
    smtp.setMood("accept");
    await until("all mails", async () => {
      await forwardBetweenAttempts(clock);
      return allSent();
    });
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
    const { stop } = await worker(t, { config: mailConfig(silent.port), timeoutMs: 300 });
    await until("the timeout", async () => (await rows())[0]!.lastError === "timeout");
    await stop();
  }
});

test("while the server is away it gets one mail at a time, with growing pauses, and its return is logged", async (t) => {
  await smtp.close();
  await enqueue(30);
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) }) as Logger;
  const pauses: number[] = [];
  const clock = aClock();
  const pauseAfter = (failures: number) => {
    pauses.push(failures);
    return failures < 3 ? 0 : 50;
  };
  await worker(t, { log, pauseAfter, now: clock.now });
  await until("failures in a row", () => pauses.length >= 6);
  assert.deepEqual(pauses.slice(2, 6), [3, 4, 5, 6]);
  smtp = await startSmtp("accept", smtp.port);
  await until("all mails", async () => {
    await forwardBetweenAttempts(clock);
    return allSent();
  });
  assert.equal(smtp.accepted.length, 30);
  assert.equal(lines.filter((line) => line.includes("mail server fails")).length, 1);
  assert.equal(lines.filter((line) => line.includes("mail server works again")).length, 1);
  assert.ok(!lines.join("").includes("@example.com"), "no address is in the log");
});

test("a killed worker loses no mail and sends none twice", async (t) => {
  smtp.setMood("hang");
  await enqueue(20);
  const file = fileURLToPath(new URL("worker-process.ts", import.meta.url));
  const child = spawn(process.execPath, [file, base.url, String(smtp.port), "30000"], { stdio: "inherit" });
  await until("mails in progress", () => smtp.seen.length >= 5);
  child.kill("SIGKILL");
  const claimed = (await rows()).filter(({ claimedUntil }) => claimedUntil !== null);
  assert.equal(claimed.length, 5);
  smtp.setMood("accept");
  const clock = aClock();
  await worker(t, { now: clock.now });
  await until("the mails that nobody had claimed", () => smtp.accepted.length === 15);
  assert.equal(await allSent(), false);
  // The claims of the dead worker expire.
  clock.forward(60_000);
  await until("all mails", allSent);
  assert.equal(smtp.accepted.length, 20);
  assert.equal(new Set(smtp.ids()).size, 20);
});

test("two workers send no mail twice", async (t) => {
  await enqueue(60);
  await Promise.all([worker(t), worker(t)]);
  await until("all mails", allSent);
  assert.equal(smtp.accepted.length, 60);
  assert.equal(new Set(smtp.ids()).size, 60);
});

test("a mail sent again after a lost result has the same Message-ID and bytes", async (t) => {
  await enqueue();
  const { stop } = await worker(t);
  await until("the mail", allSent);
  await stop();
  // As after a kill between the server's answer and the commit.
  await base.db.update(mails).set({ status: "due", nextAttemptAt: new Date() });
  await worker(t, {
    config: { ...mailConfig(smtp.port), from: { name: "Pay", address: "pay@other.example" } },
  });
  await until("the same mail", allSent);
  const [first, second] = smtp.ids();
  assert.equal(smtp.accepted.length, 2);
  assert.equal(first, second);
});

test("a stop breaks off what is in progress, and it counts as not attempted", async (t) => {
  smtp.setMood("hang");
  await enqueue();
  const { stop } = await worker(t, { timeoutMs: 60_000 });
  await until("the attempt", () => smtp.seen.length === 1);
  await stop();
  const [row] = await rows();
  assert.deepEqual(
    { status: row!.status, attempts: row!.attempts, claimed: row!.claimedUntil },
    { status: "due", attempts: 0, claimed: null },
  );
});

test("a mail that waited for days is not sent any more", async (t) => {
  await enqueue(1, new Date(Date.now() - 5 * 86_400_000));
  await enqueue(1);
  await worker(t);
  await until("the newer mail", async () => (await statuses())[1] === "sent");
  assert.equal((await statuses())[0], "due");
  assert.equal(smtp.accepted.length, 1);
});

test("a receipt carries the file that it is given", async (t) => {
  const data = {
    event: "payment_link_completed" as const,
    refid: "R1",
    reference: "ORDER1",
    url: "https://pay.example.com/pay/R1",
    reason: null,
    amount: "10",
    currency: "usd",
    at: new Date().toISOString(),
    payments: [],
    received: [],
    remaining: [],
    excess: [],
    language: null,
  };
  const mail = {
    merchantId,
    env: "live" as const,
    kind: "receipt" as const,
    recipient: "ada@example.com",
    data,
  };
  await base.db.transaction((tx) => enqueueMails(tx, [mail], new Date()));
  await worker(t, {
    receiptFile: async (refid) => ({
      filename: `${refid}.json`,
      contentType: "application/json",
      content: Buffer.from('{"signed":true}'),
    }),
  });
  await until("the receipt", () => smtp.accepted.length === 1);
  assert.match(smtp.accepted[0]!, /filename=R1\.json/);
  assert.ok(smtp.accepted[0]!.includes(Buffer.from('{"signed":true}').toString("base64")));
  await base.db.delete(mails).where(eq(mails.merchantId, merchantId));
});
