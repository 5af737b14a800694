/** A real Vendure with the packed plugin, before a real Paylink with a development chain. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { emptyDatabase, temporaryFolder } from "#tests/support/database.ts";
import { startSmtp } from "#tests/support/smtp.ts";
import { until } from "#tests/support/until.ts";
import { type PaylinkWorld, startPaylink } from "./paylink.ts";
import { makeProgram, makeShopFolder } from "./shop-folder.ts";
import { type ShopProcess, startShop } from "./shop-process.ts";
import {
  fillCart,
  type OrderView,
  seedVendure,
  signIn,
  type VendureSession,
  viewOrder,
} from "./vendure-api.ts";

const WEBHOOK_PATH = "/payments/paylink";

const folder = await makeShopFolder("vendure");
const program = makeProgram(folder, "vendure-shop");
const port = await choosePort(0);
const origin = `http://127.0.0.1:${port}`;
const mail = await startSmtp();
const database = await emptyDatabase();
const log = join(temporaryFolder(), "vendure.log");
const paylink: PaylinkWorld = await startPaylink(() => `${origin}${WEBHOOK_PATH}`, {
  SMTP_URL: `smtp+plain://127.0.0.1:${mail.port}`,
  MAIL_FROM: "Pay <pay@example.com>",
});

/** `scheduler`: with the reconciling task. Without it only webhooks record payments. */
const start = (scheduler: "on" | "off"): Promise<ShopProcess> =>
  startShop({
    program: process.execPath,
    args: ["server.js"],
    cwd: program,
    log,
    health: `${origin}/health`,
    env: {
      VENDURE_DISABLE_TELEMETRY: "true",
      DATABASE_URL: database.url,
      PORT: String(port),
      PAYLINK_URL: paylink.baseUrl,
      PAYLINK_KEY: paylink.testKey,
      PAYLINK_WEBHOOK_SECRET: paylink.webhookSecret,
      SCHEDULER: scheduler,
    },
  });

let shop = await start("off");
let admin: VendureSession = await signIn(origin);
const variant = await seedVendure(admin);

after(async () => {
  await shop.kill();
  await paylink.close();
  await mail.close();
  await database.close();
});

async function restart(scheduler: "on" | "off"): Promise<void> {
  await shop.kill();
  shop = await start(scheduler);
  admin = await signIn(origin);
}

async function checkOut(
  quantity = 1,
): Promise<{ customer: VendureSession; code: string; refid: string; url: string }> {
  const { customer, code } = await fillCart(origin, variant, quantity);
  return { customer, code, ...(await openPage(customer)) };
}

const openPage = (customer: VendureSession) =>
  customer.run<{ refid: string; url: string }>("mutation { createPaylinkPayment { refid url } }");

const waitForState = (code: string, state: string): Promise<OrderView> =>
  until(`order ${code} to be ${state}`, async () => {
    const order = await viewOrder(admin, code);
    return order.state === state ? order : null;
  });

const runTask = () => admin.run('mutation { runScheduledTask(id: "paylink-reconcile") { success } }');

/** The payments of an order as short texts. */
const paymentsOf = ({ payments }: OrderView) =>
  payments.map(({ state, amount, transactionId }) => `${state} ${amount} ${transactionId}`);

const waitForDelivery = (refid: string) =>
  until(`a webhook of ${refid}`, () => paylink.relay.deliveries.find((one) => one.refid === refid));

test("an order is paid by its webhook alone, and other webhooks change nothing", async () => {
  const { customer, code, refid, url } = await checkOut();
  assert.equal(url, `${paylink.pageUrl}/${refid}`);
  assert.deepEqual(await openPage(customer), { refid, url }, "the same page while the amount is the same");
  const link = await paylink.getLink(refid);
  assert.deepEqual(
    [link.amount_required, link.amount_currency, link.payment_reference],
    [12.34, "usd", code],
  );

  await assert.rejects(
    customer.run(
      `mutation($input: PaymentInput!) { addPaymentToOrder(input: $input) { __typename ... on ErrorResult { errorCode message } } }`,
      { input: { method: "paylink", metadata: { refid } } },
    ),
    /PAYMENT_DECLINED_ERROR/,
  );
  await paylink.payLink(refid);
  const order = await waitForState(code, "PaymentSettled");
  assert.deepEqual(paymentsOf(order), [`Settled 1234 ${refid}`]);

  const delivery = await waitForDelivery(refid);
  const changed = Buffer.from(delivery.body.toString().replace("completed", "complated"));
  assert.equal(await paylink.relay.send({ ...delivery, body: changed }), 401);
  const twice = await Promise.all([paylink.relay.send(delivery), paylink.relay.send(delivery)]);
  assert.deepEqual(twice, [204, 204]);
  assert.deepEqual(paymentsOf(await viewOrder(admin, code)), [`Settled 1234 ${refid}`]);
});

test("a webhook twice at once records one payment", async () => {
  const { code, refid } = await checkOut(2);
  paylink.relay.setMood("lose");
  await paylink.payLink(refid);
  const delivery = await waitForDelivery(refid);
  paylink.relay.setMood("forward");
  const statuses = await Promise.all(Array.from({ length: 5 }, () => paylink.relay.send(delivery)));
  assert.deepEqual([...new Set(statuses)], [204]);
  assert.deepEqual(paymentsOf(await waitForState(code, "PaymentSettled")), [`Settled 2468 ${refid}`]);
});

test("an early or old webhook decides nothing: Paylink is asked", async () => {
  const paid = await checkOut();
  await paylink.payLink(paid.refid);
  await waitForState(paid.code, "PaymentSettled");
  const { code, refid } = await checkOut();
  // Signed, but of another link. It arrives while this one is unpaid.
  assert.equal(await paylink.relay.send(await waitForDelivery(paid.refid)), 204);
  await paylink.payLink(refid, "short");
  const { payments, state } = await viewOrder(admin, code);
  assert.deepEqual([payments, state], [[], "ArrangingPayment"]);
});

test("a link for another order or another amount pays no order", async () => {
  const { customer, code } = await checkOut();
  const other = await checkOut();
  await paylink.payLink(other.refid);
  await waitForState(other.code, "PaymentSettled");
  const add = (refid: string) =>
    customer.run(
      `mutation($input: PaymentInput!) { addPaymentToOrder(input: $input) { __typename ... on ErrorResult { errorCode message } } }`,
      { input: { method: "paylink", metadata: { refid } } },
    );
  await assert.rejects(add(other.refid), /PAYMENT_DECLINED_ERROR/);
  // A link that names this order, for less.
  const small = await paylink.call("POST", "/payment-links", {
    ...{
      amount: "1",
      amount_currency: "usd",
      payment_reference: code,
      metadata: JSON.stringify({ shop_id: code }),
    },
    customer_details: JSON.stringify({ email: "ada@example.com", first_name: "Ada", last_name: "Obi" }),
    ...{ success_url: "https://shop.example/", cancel_url: "https://shop.example/" },
  });
  await paylink.payLink(String(small.refid));
  const order = await until("the small payment", async () => {
    const seen = await viewOrder(admin, code);
    return seen.payments.length > 0 ? seen : null;
  });
  assert.deepEqual([order.state, paymentsOf(order)], ["ArrangingPayment", [`Settled 100 ${small.refid}`]]);
  // The next page asks for the rest only.
  const rest = await openPage(customer);
  assert.equal((await paylink.getLink(rest.refid)).amount_required, 11.34);
});

test("a refund makes a claim whose page is mailed to the customer", async () => {
  const { code, refid } = await checkOut();
  await paylink.payLink(refid);
  const { payments } = await waitForState(code, "PaymentSettled");
  const refund = await admin.run<{ state: string; total: number; transactionId: string }>(
    `mutation($input: RefundOrderInput!) { refundOrder(input: $input)
     { ... on Refund { id state total transactionId } ... on ErrorResult { errorCode message } } }`,
    { input: { paymentId: payments[0]!.id, amount: 400, lines: [], shipping: 0, adjustment: 0 } },
  );
  assert.deepEqual([refund.state, refund.total], ["Pending", 400]);
  const claims = (await paylink.call("GET", `/payment-links/${refid}/refund-claims`)) as unknown as Record<
    string,
    unknown
  >[];
  assert.deepEqual(
    claims.map(({ claim, state, token, amount, mailed }) => [String(claim), state, token, amount, mailed]),
    [[refund.transactionId, "open", "usdt", 4, 1]],
  );
  await until("the mail with the refund page", () =>
    mail.accepted.some(
      (message) => message.includes(`${code.toLowerCase()}@example.com`) && message.includes("/refund/"),
    ),
  );
});

test("a changed cart and a canceled order end the old link", async () => {
  const { customer, code, refid } = await checkOut();
  await customer.run(
    `mutation { transitionOrderToState(state: "AddingItems") { ... on Order { id } ... on OrderStateTransitionError { errorCode message } } }`,
  );
  await customer.run(
    `mutation($id: ID!) { addItemToOrder(productVariantId: $id, quantity: 1) { __typename } }`,
    { id: variant },
  );
  const next = await openPage(customer);
  assert.notEqual(next.refid, refid);
  const [first, second] = await Promise.all([paylink.getLink(refid), paylink.getLink(next.refid)]);
  assert.deepEqual(
    [first.state, first.reason, second.state, second.amount_required],
    ["expired", "canceled", "open", 24.68],
  );

  const { id } = await viewOrder(admin, code);
  await admin.run(
    `mutation($input: CancelOrderInput!) { cancelOrder(input: $input) { ... on Order { id state } ... on ErrorResult { errorCode message } } }`,
    { input: { orderId: id, reason: "changed their mind" } },
  );
  assert.equal((await paylink.waitForState(next.refid, "expired")).reason, "canceled");
});

test("a paid payment cannot be canceled", async () => {
  const { code, refid } = await checkOut();
  await paylink.payLink(refid);
  const { payments } = await waitForState(code, "PaymentSettled");
  await assert.rejects(
    admin.run(
      `mutation($id: ID!) { cancelPayment(id: $id) { ... on Payment { id state } ... on ErrorResult { errorCode message } } }`,
      { id: payments[0]!.id },
    ),
    /CANCEL_PAYMENT_ERROR/,
  );
  assert.deepEqual(paymentsOf(await viewOrder(admin, code)), [`Settled 1234 ${refid}`]);
});

test("a webhook that the shop accepted and lost is found by the task", async () => {
  const { code, refid } = await checkOut();
  paylink.relay.setMood("lose");
  await paylink.payLink(refid);
  await waitForDelivery(refid);
  assert.deepEqual((await viewOrder(admin, code)).payments, []);
  paylink.relay.setMood("forward");
  await restart("on");
  await runTask();
  assert.deepEqual(paymentsOf(await waitForState(code, "PaymentSettled")), [`Settled 1234 ${refid}`]);
});

test("a shop that is killed while the customer pays records the payment once", async () => {
  const { code, refid } = await checkOut();
  await shop.kill();
  await paylink.payLink(refid);
  // Paylink sends the webhook again in five seconds: the shop is up by then, or the task is first.
  await waitForDelivery(refid);
  shop = await start("on");
  admin = await signIn(origin);
  await runTask();
  assert.deepEqual(paymentsOf(await waitForState(code, "PaymentSettled")), [`Settled 1234 ${refid}`]);
});
