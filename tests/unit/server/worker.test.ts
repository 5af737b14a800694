/** A process with only the worker role: its own port, and the addresses that its environment allows for webhooks. */
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { eq } from "drizzle-orm";
import { startServer } from "#lib/demo/server-process.ts";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { enqueueMails } from "#lib/domain/mail/enqueue-mails.ts";
import { webhookDeliveries } from "#lib/domain/webhooks/tables.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { SECRET_KEY } from "#tests/support/api.ts";
import { testDatabase } from "#tests/support/database.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import { serverLog } from "#tests/support/kept-logs.ts";
import { newMerchant } from "#tests/support/new-merchant.ts";
import { startSmtp } from "#tests/support/smtp.ts";
import { until } from "#tests/support/until.ts";
import { startReceiver } from "#tests/unit/domain/webhooks/receiver.ts";

const { db, url, close } = await testDatabase();
const folder = mkdtempSync(join(tmpdir(), "paylink-worker-"));
const receivers: Awaited<ReturnType<typeof startReceiver>>[] = [];
after(async () => {
  for (const receiver of receivers) await receiver.close();
  await close();
  rmSync(folder, { recursive: true });
});

async function merchant(email: string) {
  const probe = await startReceiver();
  receivers.push(probe);
  const sealer = openSecrets(SECRET_KEY);
  const made = await newMerchant(db, { sealer, email, name: "Shop", webhookUrl: probe.url });
  return { receiver: probe, merchantId: made.merchant.id };
}

async function emit(merchantId: number): Promise<() => Promise<typeof webhookDeliveries.$inferSelect>> {
  const event = { merchantId, env: "test", type: "deposit_credited", dataJson: "{}", txHashes: [] } as const;
  const { id } = await db.transaction((tx) => emitRawEvent(tx, event, new Date()));
  return async () => (await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.eventId, id)))[0]!;
}

async function startWorker(more: Record<string, string>) {
  const env = { DATABASE_URL: url, DATA_DIR: folder, SECRET_KEY, ROLES: "worker", FIXED_RATES: "usdt/usd=1" };
  const port = await choosePort(0);
  const operations = await choosePort(0, port);
  const log = serverLog(folder, "worker");
  const ports = { PORT: String(port), OPERATIONS_PORT: String(operations) };
  const worker = await startServer({ ...env, ...ports, ...more }, log);
  const get = (path: string) => fetch(`http://127.0.0.1:${operations}${path}`);
  return { worker, port, log, get, readMetrics: async () => (await get("/metrics")).text() };
}

test("a worker answers only on OPERATIONS_PORT, warns that others can read DATA_DIR, and sends nothing into its own network", async () => {
  chmodSync(folder, 0o755);
  const { receiver, merchantId } = await merchant("one@example.com");
  const { worker, port, log, get, readMetrics } = await startWorker({});
  assert.equal((await get("/healthz")).status, 200);
  const ready = { status: "ready", database: "ok", migrations: "ok", roles: "ok", networks: "ok" };
  assert.deepEqual(await (await get("/readyz")).json(), ready);
  const metrics = await readMetrics();
  assert.match(metrics, /^paylink_webhook_deliveries_due 0$/m);
  assert.doesNotMatch(metrics, /mail/, "without SMTP_URL there is nothing of mail");
  // It has no page and no API.
  assert.equal((await get("/v1/openapi.json")).status, 404);
  await assert.rejects(fetch(`http://127.0.0.1:${port}/healthz`));
  const warnings = readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line.includes("other users can read files with secrets"));
  assert.deepEqual(
    warnings.map((line) => (JSON.parse(line) as { files: string[] }).files),
    [[folder]],
  );

  const delivery = await emit(merchantId);
  await until("the attempt", async () => (await delivery()).lastError);
  const { status, lastError } = await delivery();
  assert.deepEqual({ status, lastError }, { status: "due", lastError: "address_not_allowed" });
  assert.deepEqual(receiver.received, []);
  await worker.stop();
  assert.equal(await worker.ended, 0);
  chmodSync(folder, 0o700);
});

test("a worker sends to the ranges of WEBHOOK_ALLOW_CIDRS, and mails with SMTP_URL", async () => {
  const { receiver, merchantId } = await merchant("two@example.com");
  const smtp = await startSmtp();
  const { worker, readMetrics } = await startWorker({
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8,::1/128",
    SMTP_URL: `smtp+plain://127.0.0.1:${smtp.port}`,
    MAIL_FROM: "Pay <pay@example.com>",
  });
  const delivery = await emit(merchantId);
  await until("the delivery", async () => (await delivery()).status === "delivered");
  assert.equal(receiver.received.length, 1);
  // With SMTP_URL it also sends mails, and counts them.
  const mail = { merchantId, env: "live", kind: "unmatched", recipient: null } as const;
  const data = { count: 1, deposits: [] };
  await db.transaction((tx) => enqueueMails(tx, [{ ...mail, data }], new Date()));
  await until("the mail", () => smtp.accepted.length === 1);
  await until("the stored result", async () => /^paylink_mails_due 0$/m.test(await readMetrics()));
  assert.match(await readMetrics(), /^paylink_mail_attempts_total\{outcome="sent"\} 1$/m);
  assert.match(await readMetrics(), /^paylink_job_age_seconds\{job="mail"\} 0$/m);
  await worker.stop();
  assert.equal(await worker.ended, 0);
  await smtp.close();
});
