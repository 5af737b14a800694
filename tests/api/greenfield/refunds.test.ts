/** Refunds of plugins: by an invoice, and by a pull payment that names the order. Each makes a claim of what was paid. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { revokeClaim } from "#lib/domain/withdrawals/claims/revoke-claim.ts";
import { performAs } from "#tests/support/acts.ts";
import { startTestGreenfield } from "#tests/support/greenfield.ts";
import { keepSecrets } from "#tests/support/kept-logs.ts";
import { payShop } from "#tests/support/shop-payments.ts";
import { fund, USDT } from "#tests/support/withdrawals.ts";

const greenfield = await startTestGreenfield();
const { api, send: sendAny } = greenfield;
const store = await greenfield.store();
const rival = await greenfield.store();
const { send, merchant } = store;
const { db, database } = api.database;
await fund(db, api.services.networks.find("test", "bep20")!, merchant.id, 1_000n * USDT);

const shopper = payShop(api, merchant);
// A half percent may be missing, however much it is.
await database.pool.query("update merchants set tolerance_under_max = null where id = $1", [merchant.id]);

/** A link of 16000 NGN, which costs 10.67 USDT, for which so many hundredths of USDT were credited, with this order. */
async function paid(order: string, cents = 1_000n): Promise<string> {
  const terms = { amount: "16000", payment_reference: "ORDER1", amount_currency: "ngn" } as const;
  const { refid, addressId } = await shopper.invoice(terms);
  await shopper.credit(await shopper.pay(addressId, cents));
  await database.pool.query("update payment_links set payment_reference = $2 where refid = $1", [
    refid,
    order,
  ]);
  return refid;
}

/** How many claims a link has. */
async function countClaims(refid: string): Promise<number> {
  const { rows } = await database.pool.query(
    "select count(*)::int as n from refund_claims c join payment_links l on l.id = c.payment_link_id where l.refid = $1",
    [refid],
  );
  return rows[0].n;
}

function keepUrl(body: { viewLink: string }): void {
  assert.match(body.viewLink, /^https:\/\/pay\.example\.com\/refund\/[0-9a-f]{32}$/);
  keepSecrets(body.viewLink.split("/").at(-1) ?? "");
}

test("WooCommerce's pull payment makes a claim of the order that it names", async () => {
  await paid("order-13");
  const asked = { amount: "1600", currency: "NGN", autoApproveClaims: false, payoutMethods: ["USDT-BEP20"] };
  const { status, body, text } = await send("POST", "/pull-payments", {
    ...asked,
    name: "Refund of order order-13; wrong size",
  });
  assert.equal(status, 200, text);
  keepUrl(body);
  assert.deepEqual([body.currency, body.autoApproveClaims], ["USDT", false]);
  assert.ok(body.amount.startsWith("1.06"), body.amount);
  const { rows } = await database.pool.query("select note, withdrawal_id from refund_claims where id = $1", [
    body.id,
  ]);
  assert.deepEqual(rows, [{ note: "Refund of order order-13; wrong size", withdrawal_id: null }]);
  for (const name of ["Refund", "Refund of order 14", ""]) {
    const refused = await send("POST", "/pull-payments", { ...asked, name });
    assert.deepEqual([refused.status, refused.body[0].path], [422, "name"], name);
  }
  const others = await rival.send("POST", "/pull-payments", { ...asked, name: "Refund of order order-13" });
  assert.equal(others.status, 422);
});

test("a refund of an invoice never exceeds what was paid", async () => {
  const refid = await paid("order-15");
  const refund = (fields: object) => send("POST", `/invoices/${refid}/refund`, fields);
  const custom = await refund({ refundVariant: "Custom", customAmount: 4, customCurrency: "usdt" });
  assert.equal(custom.status, 200, custom.text);
  keepUrl(custom.body);
  assert.equal(custom.body.amount, "4");
  const above = await refund({ refundVariant: "Custom", customAmount: "7", customCurrency: "USDT" });
  assert.deepEqual([above.status, above.body.code], [400, "non-refundable"]);
  const whole = await refund({ refundVariant: "RateThen" });
  assert.equal(whole.body.amount, "6", "all that is left");
  keepUrl(whole.body);
  const again = await refund({ refundVariant: "Fiat" });
  assert.deepEqual([again.status, again.body.code], [400, "non-refundable"]);
  const cases = [
    [{ refundVariant: "Nothing" }, "refundVariant"],
    [{ refundVariant: "OverpaidAmount" }, "refundVariant"],
    [{ refundVariant: "Custom", customAmount: "x" }, "amount"],
    [{ refundVariant: "Custom", customAmount: "1", customCurrency: "JPY" }, "currency"],
    [{ refundVariant: "Fiat", subtractPercentage: "100.5" }, "subtractPercentage"],
    [{ refundVariant: "Fiat", subtractPercentage: "-1" }, "subtractPercentage"],
  ] as const;
  for (const [fields, path] of cases) {
    const { status, body } = await refund(fields);
    assert.deepEqual([status, body[0].path], [422, path], JSON.stringify(fields));
  }
  assert.equal(
    (await rival.send("POST", `/invoices/${refid}/refund`, { refundVariant: "Fiat" })).status,
    404,
  );
});

test("a refund that a plugin asks for again after a timeout is one claim", async () => {
  const refid = await paid("order-16");
  const asked = { name: "Refund of order order-16; torn", amount: "1600", currency: "NGN" };
  const answers = await Promise.all([1, 2, 3].map(() => send("POST", "/pull-payments", asked)));
  for (const { status, text } of answers) assert.equal(status, 200, text);
  const [first, ...others] = answers.map(({ body }) => body);
  keepUrl(first);
  for (const other of others) assert.deepEqual(other, first);
  assert.equal(await countClaims(refid), 1);
  const different = [
    { amount: "1601" },
    { name: "Refund of order order-16; late" },
    { payoutMethods: ["USDT-BEP20"] },
  ];
  for (const change of different)
    keepUrl((await send("POST", "/pull-payments", { ...asked, ...change })).body);
  assert.equal(await countClaims(refid), 4);
  const key = await greenfield.key(merchant);
  keepUrl((await sendAny({ path: "/api/v1/pull-payments", key, json: asked })).body);
  assert.equal(await countClaims(refid), 5, "another key is another shop");
});

test("the same refund is another claim once the first was used, or ten minutes later", async () => {
  const refid = await paid("order-17");
  const refund = async () => {
    const fields = { refundVariant: "Custom", customAmount: "1", customCurrency: "USDT" };
    const { body, text, status } = await send("POST", `/invoices/${refid}/refund`, fields);
    assert.equal(status, 200, text);
    keepUrl(body);
    return body;
  };
  const first = await refund();
  assert.equal((await refund()).id, first.id);
  await database.pool.query(
    "update refund_claims set created_at = created_at - interval '10 minutes' where id = $1",
    [first.id],
  );
  const second = await refund();
  assert.notEqual(second.id, first.id);
  const revoked = await performAs(db, { merchantId: merchant.id }, revokeClaim, {
    id: Number(second.id),
    paymentLink: null,
  });
  assert.ok(revoked.ok);
  assert.notEqual((await refund()).id, second.id);
});

test("a whole refund gives back what was received, also if the payer used the tolerance", async () => {
  // 10.67 USDT pay 16000 NGN. 10.63 are within the tolerance of a half percent.
  for (const [order, fields] of [
    ["order-18", { refundVariant: "Fiat" }],
    ["order-19", { refundVariant: "RateThen" }],
    ["order-20", { refundVariant: "CurrentRate" }],
    ["order-21", { refundVariant: "Custom", customAmount: "16000", customCurrency: "NGN" }],
  ] as const) {
    const refid = await paid(order, 1_063n);
    const invoice = await send("GET", `/invoices/${refid}`);
    assert.equal(invoice.body.status, "Settled");
    const { body, text } = await send("POST", `/invoices/${refid}/refund`, fields);
    assert.equal(body.amount, "10.63", text);
    keepUrl(body);
  }
  const wooed = await paid("order-22", 1_063n);
  const pull = (amount: string) =>
    send("POST", "/pull-payments", { name: "Refund of order order-22", amount, currency: "NGN" });
  keepUrl((await pull("6000")).body);
  const above = await pull("10100");
  assert.deepEqual([above.status, above.body.code], [400, "non-refundable"]);
  const rest = await pull("10000");
  keepUrl(rest.body);
  assert.deepEqual((await pull("1")).body.code, "non-refundable");
  const { rows } = await database.pool.query(
    "select sum(c.amount)::text as sum from refund_claims c join payment_links l on l.id = c.payment_link_id where l.refid = $1",
    [wooed],
  );
  assert.equal(rows[0].sum, String((1_063n * USDT) / 100n));
});

test("an invoice that was not paid in full gives back no more than was received", async () => {
  const refid = await paid("order-23", 1_000n);
  const custom = { refundVariant: "Custom", customAmount: "16000", customCurrency: "NGN" };
  assert.equal((await send("POST", `/invoices/${refid}/refund`, custom)).body.code, "non-refundable");
});

test("a shop keeps a part of a refund", async () => {
  const cases = [
    [{ refundVariant: "Fiat", subtractPercentage: "2.5" }, "10.40325"],
    [{ refundVariant: "Custom", customAmount: "4", customCurrency: "USDT", subtractPercentage: 50 }, "2"],
  ] as const;
  for (const [n, [fields, amount]] of cases.entries()) {
    const refid = await paid(`order-3${n}`, 1_067n);
    const { body, text } = await send("POST", `/invoices/${refid}/refund`, fields);
    assert.equal(body.amount, amount, text);
    keepUrl(body);
    const nothing = await send("POST", `/invoices/${refid}/refund`, { ...fields, subtractPercentage: "100" });
    assert.equal(nothing.body.code, "non-refundable");
  }
});

test("an invoice that nobody paid has nothing to refund", async () => {
  const { body } = await send("POST", "/invoices", { amount: "5", currency: "USD" });
  const refused = await send("POST", `/invoices/${body.id}/refund`, { refundVariant: "Fiat" });
  assert.deepEqual([refused.status, refused.body.code], [400, "non-refundable"]);
});

test("a key without the permission asks for no refund", async () => {
  const key = await greenfield.key(merchant, { permissions: ["btcpay.store.canmodifyinvoices"] });
  const { status, body } = await sendAny({
    path: "/api/v1/pull-payments",
    key,
    json: { name: "Refund of order 1" },
  });
  assert.deepEqual([status, body.missingPermission], [403, "btcpay.store.cancreatenonapprovedpullpayments"]);
});
