/** The invoice that a shop reads when an event arrives. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { pino } from "pino";
import { startWebhookWorker } from "#lib/domain/webhooks/webhook-worker.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { SECRET_KEY } from "#tests/support/api.ts";
import { startTestGreenfield } from "#tests/support/greenfield.ts";
import { payShop } from "#tests/support/shop-payments.ts";
import { Arrivals } from "#tests/support/wake-ups.ts";
import { agent } from "#tests/unit/domain/webhooks/receiver.ts";

const greenfield = await startTestGreenfield();
const { api } = greenfield;
const { database } = api.services;
const store = await greenfield.store();

/** An event at the receiver of the shop, and the invoice that it fetched before it answered. */
interface Seen {
  readonly type: string;
  readonly status: string;
  readonly payment: unknown;
}
const arrivals = new Arrivals<Seen>();
const shop = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { type, invoiceId, payment } = JSON.parse(Buffer.concat(chunks).toString());
  const { body } = await store.send("GET", `/invoices/${invoiceId}`);
  arrivals.add({ type, payment, status: `${body.status}/${body.additionalStatus}` });
  response.writeHead(200).end();
});
await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
const worker = await startWebhookWorker({
  ...{ database, agent, secrets: openSecrets(SECRET_KEY), log: pino({ level: "silent" }) },
});
after(async () => {
  await worker.stop();
  shop.closeAllConnections();
  shop.close();
});

const shopper = payShop(api, store.merchant);
const anInvoice = () =>
  shopper.invoice({ amount: "16000", payment_reference: "ORDER1", amount_currency: "ngn" });

test("the invoice says what each event says, before the event arrives", async () => {
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/hook`;
  assert.equal((await store.send("POST", "/webhooks", { url })).status, 200);
  const { refid, addressId } = await anInvoice();
  await arrivals.at(0);
  const id = await shopper.pay(addressId, 100_000n);
  await arrivals.at(2);
  await shopper.credit(id);
  await arrivals.at(4);
  const seen = arrivals.all.map(({ type, status }) => [type, status]);
  assert.deepEqual(seen.slice(0, 1), [["InvoiceCreated", "New/None"]]);
  assert.deepEqual(seen.slice(1), [
    ["InvoiceReceivedPayment", "Processing/PaidOver"],
    ["InvoiceProcessing", "Processing/PaidOver"],
    ["InvoicePaymentSettled", "Settled/PaidOver"],
    ["InvoiceSettled", "Settled/PaidOver"],
  ]);
  const { body: methods } = await store.send("GET", `/invoices/${refid}/payment-methods`);
  assert.deepEqual(
    methods[0].payments,
    [arrivals.all[3]?.payment],
    "the event has the payment as the invoice has it",
  );
});

test("an invoice that is marked invalid is so before the event arrives", async () => {
  const { length: before } = arrivals.all;
  const { refid } = await anInvoice();
  await arrivals.at(before);
  const marked = await store.send("POST", `/invoices/${refid}/status`, { status: "Invalid" });
  assert.equal(marked.status, 200, marked.text);
  assert.deepEqual(await arrivals.at(before + 1), {
    type: "InvoiceInvalid",
    status: "Invalid/Marked",
    payment: undefined,
  });
});
