import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { startWebhookWorker } from "#lib/domain/webhooks/webhook-worker.ts";
import { followedDatabaseOfFile } from "#tests/support/file-database.ts";
import { DeliveryBench } from "#tests/unit/domain/webhooks/delivery-bench.ts";
import { agent, plainSecrets, status } from "#tests/unit/domain/webhooks/receiver.ts";

const { changes, ...base } = await followedDatabaseOfFile("webhook_deliveries");
const bench = new DeliveryBench(base);

test("after a worker is killed during a delivery, the next one sends it with the same webhook-id", async (t) => {
  bench.receiver.reply(() => {}, status(200));
  const script = fileURLToPath(new URL("./worker-process.ts", import.meta.url));
  const child = spawn(process.execPath, [script, base.url, "15000"], { stdio: "inherit" });
  t.after(() => child.kill("SIGKILL"));
  const { id } = await bench.due('{"metadata":{"n":1.00}}');
  await bench.receiver.arrived(1);
  child.kill("SIGKILL");
  await once(child, "exit");
  const left = await bench.row(id);
  assert.equal(left.status, "due");
  assert.ok(left.claimedUntil!.getTime() - Date.now() <= 30_000, "the lease ends within thirty seconds");

  const next = await startWebhookWorker({
    ...{ database: base.database, secrets: plainSecrets, agent, log: pino({ level: "silent" }) },
    // After the end of the claim.
    now: () => new Date(Date.now() + 26_000),
  });
  t.after(() => next.stop());
  await changes.until("the delivery", async () => (await bench.row(id)).status === "delivered");
  const [first, second, ...others] = bench.receiver.received;
  assert.deepEqual(others, []);
  assert.deepEqual([second?.id, second?.body, second?.verified], [first?.id, first?.body, true]);
});
