/** Refunds of plugins: by an invoice, and by a pull payment that names the order. Each makes a claim of what was paid. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestGreenfield } from "#tests/support/greenfield.ts";
import { keepSecrets } from "#tests/support/kept-logs.ts";
import { fund, USDT } from "#tests/support/withdrawals.ts";
import { aPaidLink } from "../paid-link.ts";

const greenfield = await startTestGreenfield();
const { api, send: sendAny } = greenfield;
const store = await greenfield.store();
const rival = await greenfield.store();
const { send, merchant } = store;
const { db, database } = api.database;
await fund(db, api.services.networks.find("test", "bep20")!, merchant.id, 1_000n * USDT);

/** A link of 16000 NGN, which costs 10.66… USDT, for which 10 were credited, with this order. */
async function paid(order: string): Promise<string> {
  const refid = await aPaidLink(api, merchant, 10n);
  await database.pool.query("update payment_links set payment_reference = $2 where refid = $1", [
    refid,
    order,
  ]);
  return refid;
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
  assert.deepEqual([whole.status, whole.body.code], [400, "non-refundable"]);
  const cases = [
    [{ refundVariant: "Nothing" }, "refundVariant"],
    [{ refundVariant: "Custom", customAmount: "x" }, "amount"],
    [{ refundVariant: "Custom", customAmount: "1", customCurrency: "JPY" }, "currency"],
    [{ refundVariant: "Fiat", subtractPercentage: "2.5" }, "subtractPercentage"],
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
