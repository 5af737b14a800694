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
import { aShopEndpoint, emitInvoice, sayingOf } from "#tests/unit/domain/webhooks/shop.ts";

const { changes, ...base } = await followedDatabaseOfFile("webhook_deliveries");
const bench = new DeliveryBench(base);

test("after a worker is killed during a delivery, the events of the invoice still arrive in their order", async (t) => {
  bench.receiver.reply(() => {}, status(200));
  const owner = await bench.owner({ url: null, secret: "whsec_c2VjcmV0" });
  await aShopEndpoint(base.db, owner, { url: bench.receiver.url });
  const script = fileURLToPath(new URL("./worker-process.ts", import.meta.url));
  const child = spawn(process.execPath, [script, base.url, "15000"], { stdio: "inherit" });
  t.after(() => child.kill("SIGKILL"));
  const types = ["InvoiceReceivedPayment", "InvoiceProcessing", "InvoiceSettled"] as const;
  const events = await emitInvoice(base.db, owner, "INV1", types, bench.now);
  await bench.receiver.arrived(1);
  child.kill("SIGKILL");
  await once(child, "exit");

  const next = await startWebhookWorker({
    ...{ database: base.database, secrets: plainSecrets, agent, log: pino({ level: "silent" }) },
    // After the end of the claim.
    now: () => new Date(Date.now() + 26_000),
  });
  t.after(() => next.stop());
  await changes.until("the deliveries", async () => {
    const rows = await Promise.all(events.map(({ id }) => bench.rowsOf(id)));
    return rows.flat().every((row) => row.status === "delivered");
  });
  assert.deepEqual(bench.receiver.received.map(sayingOf), [
    "INV1 ReceivedPayment",
    "INV1 ReceivedPayment",
    "INV1 Processing",
    "INV1 Settled",
  ]);
});
