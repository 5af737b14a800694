import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { pino } from "pino";
import { startWebhookWorker } from "#lib/domain/webhooks/webhook-worker.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { agent, aReceiver, merchantWithEndpoint, plainSecrets } from "./receiver.ts";
import { aShopEndpoint, emitInvoice, sayingOf } from "./shop.ts";

const base = await databaseOfFile();
const TYPES = ["InvoiceCreated", "InvoiceReceivedPayment", "InvoiceProcessing", "InvoiceSettled"] as const;
const INVOICES = Array.from({ length: 30 }, (_, i) => `INV${i}`);

/** A worker with connections of its own, as in another process. Returns how many requests it has begun. */
async function startWorker(t: TestContext): Promise<() => number> {
  const database = openDatabase(base.url);
  let requests = 0;
  const counting = agent.compose((dispatch) => (options, handler) => {
    requests += 1;
    return dispatch(options, handler);
  });
  const log = pino({ level: "silent" });
  const worker = await startWebhookWorker({ database, secrets: plainSecrets, agent: counting, log });
  t.after(async () => {
    await worker.stop();
    await database.close();
  });
  return () => requests;
}

test("two workers share the lane of an endpoint, and the events of each invoice arrive once and in their order", async (t) => {
  const receiver = await aReceiver(t);
  const owner = await merchantWithEndpoint(base.db, { url: null, secret: receiver.secret });
  await aShopEndpoint(base.db, owner, { url: receiver.url });
  const open = new Map<string, number>();
  let atOnce = 0;
  receiver.reply((response) => {
    const invoice = sayingOf(receiver.received.at(-1)!).split(" ")[0]!;
    open.set(invoice, (open.get(invoice) ?? 0) + 1);
    atOnce = Math.max(atOnce, ...open.values());
    // The receiver answers some later than others.
    setTimeout(() => {
      open.set(invoice, (open.get(invoice) ?? 0) - 1);
      response.writeHead(200).end();
    }, receiver.received.length % 7);
  });
  const counts = [await startWorker(t), await startWorker(t)];
  for (const invoice of INVOICES) await emitInvoice(base.db, owner, invoice, TYPES, new Date());
  await receiver.arrived(INVOICES.length * TYPES.length);

  const expected = TYPES.map((type) => type.replace("Invoice", ""));
  const said = receiver.received.map((one) => sayingOf(one).split(" "));
  for (const invoice of INVOICES)
    assert.deepEqual(
      said.filter(([of]) => of === invoice).map(([, type]) => type),
      expected,
    );
  assert.equal(atOnce, 1, "an invoice's next event waits for the answer to the one before");
  const [first = 0, second = 0] = counts.map((count) => count());
  assert.equal(first + second, INVOICES.length * TYPES.length);
  assert.ok(first > 0 && second > 0, `the workers sent ${first} and ${second}`);
  t.diagnostic(`the workers sent ${first} and ${second}`);
});
