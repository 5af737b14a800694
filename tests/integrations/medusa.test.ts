/** A real Medusa with the packed provider, before a real Paylink with a development chain. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { runTool } from "#tests/generators/tools.ts";
import { emptyDatabase, temporaryFolder } from "#tests/support/database.ts";
import { until } from "#tests/support/until.ts";
import { MedusaApi, type MedusaOrder, type MedusaSeed } from "./medusa-api.ts";
import { type PaylinkWorld, startPaylink } from "./paylink.ts";
import type { Delivery } from "./relay.ts";
import { makeProgram, makeShopFolder } from "./shop-folder.ts";
import { type ShopProcess, startShop } from "./shop-process.ts";

const folder = await makeShopFolder("medusa");
const program = makeProgram(folder, "medusa-shop");
const medusa = join(folder, "node_modules/.bin/medusa");
const port = await choosePort(0);
const origin = `http://127.0.0.1:${port}`;
const database = await emptyDatabase();
const log = join(temporaryFolder(), "medusa.log");
const paylink: PaylinkWorld = await startPaylink(() => `${origin}/hooks/payment/paylink_paylink`);
const env = {
  MEDUSA_DISABLE_TELEMETRY: "1",
  DATABASE_URL: database.url,
  PAYLINK_URL: paylink.baseUrl,
  PAYLINK_KEY: paylink.testKey,
  PAYLINK_WEBHOOK_SECRET: paylink.webhookSecret,
};

await runTool(medusa, ["db:migrate", "--skip-scripts"], { cwd: program, env });
const seeded = await runTool(medusa, ["exec", "./seed.js"], { cwd: program, env });
const seed = JSON.parse(/SEEDED (\{.*\})/.exec(seeded)?.[1] ?? "null") as MedusaSeed;

/** `delay`: milliseconds that an event waits in Medusa's memory. `reconcile`: seconds between two runs of the job. */
const start = ({ delay = 100, reconcile = 3600 } = {}): Promise<ShopProcess> =>
  startShop({
    program: process.execPath,
    args: [medusa, "start", "--host", "127.0.0.1", "--port", String(port)],
    cwd: program,
    log,
    health: `${origin}/health`,
    env: { ...env, WEBHOOK_DELAY: String(delay), PAYLINK_RECONCILE_SECONDS: String(reconcile) },
  });

let shop = await start();
const api = new MedusaApi(origin, seed);
await api.signIn();

after(async () => {
  await shop.kill();
  await paylink.close();
  await database.close();
});

async function restart(options: Parameters<typeof start>[0]): Promise<void> {
  await shop.kill();
  shop = await start(options);
}

const waitForOrder = (session: string): Promise<MedusaOrder> =>
  until(`an order of ${session}`, async () => {
    const order = await api.findOrder(session);
    return order?.payment_status === "captured" ? order : null;
  });

const waitForDelivery = (refid: string): Promise<Delivery> =>
  until(`a webhook of ${refid}`, () => paylink.relay.deliveries.find((one) => one.refid === refid));

/** Waits until Medusa has handled a webhook that it accepted: a later one of a session of its own has become an order. */
async function waitForBus(): Promise<void> {
  const session = await api.startSession(await api.fillCart());
  await paylink.payLink(session.data.refid!);
  await waitForOrder(session.id);
}

const paymentOf = (order: MedusaOrder) => order.payment_collections[0]!.payments[0]!;
const capturesOf = (order: MedusaOrder) => paymentOf(order).captures.map(({ amount }) => amount);

test("an order is captured by its webhook alone, and repeated and forged webhooks change nothing", async () => {
  const cart = await api.fillCart();
  const session = await api.startSession(cart, { refid: "chosen by the customer", amount: "0.01" });
  const { refid, payment_link: url, amount } = session.data;
  assert.deepEqual([url, amount], [`${paylink.pageUrl}/${refid}`, "12.34"]);
  const link = await paylink.getLink(refid!);
  assert.deepEqual([link.amount_required, link.amount_currency], [12.34, "eur"]);
  assert.deepEqual(link.customer_details, {
    email: "ada@example.com",
    first_name: "Ada",
    last_name: "Obi",
    phone: null,
  });
  await assert.rejects(api.completeCart(cart), /was not authorized/, "nothing is paid yet");

  await paylink.payLink(refid!);
  const order = await waitForOrder(session.id);
  assert.deepEqual([order.total, capturesOf(order)], [12.34, [12.34]]);

  const delivery = await waitForDelivery(refid!);
  await Promise.all([paylink.relay.send(delivery), paylink.relay.send(delivery)]);
  await waitForBus();
  assert.deepEqual(capturesOf((await api.findOrder(session.id))!), [12.34]);
  assert.equal((await api.listOrders()).length, 2);
});

test("a webhook that is forged, early, or of a link for less completes nothing", async () => {
  const cart = await api.fillCart();
  const session = await api.startSession(cart);
  const before = (await api.listOrders()).length;
  const paid = await waitForDelivery(paylink.relay.deliveries[0]!.refid);
  const forged = paid.body.toString().replaceAll(paid.refid, session.data.refid!);
  assert.equal(
    await paylink.relay.send({ ...paid, body: Buffer.from(forged) }),
    200,
    "Medusa accepts everything",
  );
  const small = await paylink.call("POST", "/payment-links", {
    ...{
      amount: "1",
      amount_currency: "eur",
      payment_reference: "SMALL",
      metadata: JSON.stringify({ shop_id: session.id }),
    },
    customer_details: JSON.stringify({ email: "ada@example.com", first_name: "Ada", last_name: "Obi" }),
    ...{ success_url: "https://shop.example/", cancel_url: "https://shop.example/" },
  });
  await paylink.payLink(String(small.refid));
  await waitForDelivery(String(small.refid));
  await paylink.payLink(session.data.refid!, "short");
  await waitForBus();
  assert.equal((await api.listOrders()).length, before + 1, "the order of waitForBus");
  await assert.rejects(api.completeCart(cart), /was not authorized/);
  assert.match(shop.output(), /its amount is 1, not 12.34/);
});

test("a refund makes a refund claim of as many tokens", async () => {
  const session = await api.startSession(await api.fillCart());
  const { refid = "" } = session.data;
  await paylink.payLink(refid);
  const payment = paymentOf(await waitForOrder(session.id));
  await api.refund(payment.id, 4);
  const refunded = paymentOf((await api.findOrder(session.id))!);
  assert.deepEqual(
    refunded.refunds.map(({ amount }) => amount),
    [4],
  );
  const [claim, ...rest] = (await paylink.call(
    "GET",
    `/payment-links/${refid}/refund-claims`,
  )) as unknown as Record<string, unknown>[];
  const [kept] = refunded.data.refunds as Record<string, unknown>[];
  // 12.34 EUR at 0.92 EUR for a dollar.
  assert.deepEqual([claim?.state, claim?.token, rest], ["open", "usdt", []]);
  assert.equal(claim?.amount, Number(kept?.amount));
  const { payments } = (await paylink.getLink(refid)) as unknown as { payments: { amount: number }[] };
  assert.ok(Math.abs(Number(claim?.amount) - (payments[0]!.amount * 4) / 12.34) < 0.000002);
  assert.match(String(kept?.url), /\/refund\//);
  // Paylink allows no more than was paid.
  await assert.rejects(api.refund(payment.id, 100), /refund more than/);
});

test("a changed cart ends the link, and money on its way keeps the cart", async () => {
  const cart = await api.fillCart();
  const first = await api.startSession(cart);
  await api.addItem(cart);
  assert.equal((await paylink.getLink(first.data.refid!)).reason, "canceled");
  const second = await api.startSession(cart);
  assert.equal(second.data.amount, "24.68");
  const third = await api.startSession(cart);
  assert.equal((await paylink.getLink(second.data.refid!)).reason, "canceled", "a new session replaces it");
  await paylink.payLink(third.data.refid!, "short");
  await assert.rejects(api.addItem(cart));
  assert.equal((await paylink.getLink(third.data.refid!)).state, "partial");
});

test("a paid order cannot be canceled without a refund claim for the customer", async () => {
  const session = await api.startSession(await api.fillCart());
  await paylink.payLink(session.data.refid!);
  const order = await waitForOrder(session.id);
  await api.cancelOrder(order.id);
  const claims = (await paylink.call(
    "GET",
    `/payment-links/${session.data.refid}/refund-claims`,
  )) as unknown as { state: string }[];
  assert.deepEqual(
    claims.map(({ state }) => state),
    ["open"],
  );
});

test("a shop that is killed between its 200 and the event completes the order later", async () => {
  await restart({ delay: 60_000 });
  await api.signIn();
  const session = await api.startSession(await api.fillCart());
  const { refid = "" } = session.data;
  const killed = new Promise<void>((resolve) => {
    paylink.relay.onAccepted(async (delivery) => {
      if (delivery.refid !== refid) return;
      await shop.kill();
      resolve();
    });
  });
  await paylink.payLink(refid);
  await killed;
  paylink.relay.onAccepted(null);
  shop = await start({ reconcile: 2 });
  await api.signIn();
  assert.deepEqual(capturesOf(await waitForOrder(session.id)), [12.34]);
});

test("a webhook that the shop accepted and lost is found by the job", async () => {
  paylink.relay.setMood("lose");
  const session = await api.startSession(await api.fillCart());
  await paylink.payLink(session.data.refid!);
  const order = await waitForOrder(session.id);
  assert.deepEqual(capturesOf(order), [12.34]);
  // The webhook comes late, after the job.
  paylink.relay.setMood("forward");
  assert.equal(await paylink.relay.send(await waitForDelivery(session.data.refid!)), 200);
  await waitForBus();
  assert.deepEqual(capturesOf((await api.findOrder(session.id))!), [12.34]);
});
