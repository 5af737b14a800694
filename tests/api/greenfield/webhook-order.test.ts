/** The invoice that a shop reads when an event arrives. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { eq } from "drizzle-orm";
import { pino } from "pino";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { settlePayments } from "#lib/domain/payment-links/settle/settle-links.ts";
import { startWebhookWorker } from "#lib/domain/webhooks/webhook-worker.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { SECRET_KEY } from "#tests/support/api.ts";
import { startTestGreenfield } from "#tests/support/greenfield.ts";
import { successOf } from "#tests/support/says.ts";
import { Arrivals } from "#tests/support/wake-ups.ts";
import { aHash, USDT } from "#tests/support/withdrawals.ts";
import { agent } from "#tests/unit/domain/webhooks/receiver.ts";

const greenfield = await startTestGreenfield();
const { api } = greenfield;
const { database, networks, rates, settings } = api.services;
const { db } = database;
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

/** An invoice whose customer has chosen a network, and the id of the address. */
async function anInvoice(): Promise<{ readonly refid: string; readonly addressId: number }> {
  const made = await api.client(store.merchant.test).POST("/payment-links", {
    body: {
      ...{ amount: "16000", payment_reference: "ORDER1", amount_currency: "ngn" },
      ...{ success_url: "https://shop.example.com/a", cancel_url: "https://shop.example.com/b" },
      customer_details: { email: "ada@example.com", first_name: "Ada", last_name: "Obi" },
      wallets: [{ network: "bep20", token: "USDT" }],
    },
  });
  const { refid } = successOf(made).data;
  const { rows } = await database.pool.query(
    `select w.address_id as id from payment_links l join payment_link_wallets w on w.payment_link_id = l.id
      where l.refid = $1`,
    [refid],
  );
  return { refid, addressId: Number(rows[0].id) };
}

/** Records a payment of whole USDT as the watcher does, or a change of it. */
async function pay(addressId: number, amount: bigint): Promise<number> {
  return db.transaction(async (tx) => {
    const at = new Date();
    const [row] = await tx
      .insert(deposits)
      .values({
        ...{ env: "test", network: "bep20", token: "usdt", merchantId: store.merchant.id, addressId },
        ...{ txHash: aHash(), position: 0, amount: amount * USDT, requiredConfirmations: 1, firstSeenAt: at },
      })
      .returning();
    await settlePayments(tx, { networks, rates, settings }, [row!.id], at);
    return row!.id;
  });
}
async function credit(id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const at = new Date();
    const credited = { status: "credited", confirmations: 1, confirmedAt: at } as const;
    await tx.update(deposits).set(credited).where(eq(deposits.id, id));
    await settlePayments(tx, { networks, rates, settings }, [id], at);
  });
}

test("the invoice says what each event says, before the event arrives", async () => {
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/hook`;
  assert.equal((await store.send("POST", "/webhooks", { url })).status, 200);
  const { refid, addressId } = await anInvoice();
  await arrivals.at(0);
  const id = await pay(addressId, 1_000n);
  await arrivals.at(2);
  await credit(id);
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
