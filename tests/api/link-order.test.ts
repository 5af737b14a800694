/** The description and the items of a payment link. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApi } from "#tests/support/api.ts";
import { PAYMENT_LINK, paymentLinkForm } from "#tests/support/payment-link.ts";
import { refused, successOf } from "#tests/support/says.ts";

const api = await startTestApi({ now: () => new Date("2026-03-01T12:00:00.250Z") });
const merchant = await api.merchant();
const client = api.client(merchant.test);

const ORDER = {
  description: "Coffee <b>& tea</b>",
  items: [
    { name: "Coffee", quantity: 2, amount: "20000" },
    { name: "Tea", quantity: 1, amount: "5000.5" },
  ],
};
const create = (changes: object) => client.POST("/payment-links", { body: { ...PAYMENT_LINK, ...changes } });
const read = async (refid: string) =>
  successOf(await client.GET("/payment-links/{refid}", { params: { path: { refid } } })).data;

test("a link keeps its description and items, and returns them", async () => {
  const { refid } = successOf(await create(ORDER)).data;
  const { description, items } = await read(refid);
  assert.deepEqual({ description, items }, ORDER);
});

test("a link without them has none, and an empty list has none", async () => {
  for (const changes of [{}, { items: [] }]) {
    const { description, items } = await read(successOf(await create(changes)).data.refid);
    assert.deepEqual([description, items], [null, []]);
  }
});

test("a list of links has descriptions and no items", async () => {
  await create({ ...ORDER, payment_reference: "LISTED" });
  const query = { payment_reference: "LISTED" };
  const { data } = successOf(await client.GET("/payment-links", { params: { query } }));
  assert.deepEqual(
    data.map((link) => [link.description, "items" in link]),
    [[ORDER.description, false]],
  );
});

test("reads the amounts of items from their text, as a form field and as JSON numbers", async () => {
  const large = { amount: "999999999999.99999999", amount_currency: "btc" };
  const items =
    '[{"name":"a","quantity":1,"amount":999999999999.99999998},{"name":"b","quantity":"1","amount":"0.00000001"}]';
  const form = { ...paymentLinkForm(large), items };
  const sent = await api.send({ path: "/payment-links", form, key: merchant.test });
  assert.equal(sent.status, 200, sent.text);
  const body = JSON.stringify({ ...PAYMENT_LINK, ...large }).replace(/}$/, `,"items":${items}}`);
  const headers = { "content-type": "application/json" };
  const response = await api.send({ path: "/payment-links", body, headers, key: merchant.test });
  assert.equal(response.status, 200, response.text);
  const { refid } = (response.body as { data: { refid: string } }).data;
  const { text } = await api.send({ path: `/payment-links/${refid}`, key: merchant.test });
  assert.ok(text.includes('"amount":999999999999.99999998'), text);
});

test("refuses items that do not add up, and says by how much", async () => {
  const { items } = ORDER;
  const form = paymentLinkForm({ items: JSON.stringify(items.slice(0, 1)) });
  const response = await api.send({ path: "/payment-links", form, key: merchant.test });
  refused(response, 400, "amounts of items must add up to amount");
  assert.equal(
    response.headers.get("x-paylink-hint"),
    "The items add up to 20000, amount is 25000.5. An item's amount is that of its whole quantity.",
  );
});

test("refuses what is no list of items", async () => {
  const malformed =
    "items must be a list of at most 20 objects with name (1 to 100 characters), quantity (1 to 1000000) and amount";
  const one = { name: "Coffee", quantity: 1, amount: "25000.5" };
  const lists = [
    {},
    "x",
    [1],
    [null],
    [{ ...one, name: 7 }],
    [{ ...one, quantity: 1.5 }],
    [{ name: "Coffee" }],
  ];
  for (const items of lists) {
    const form = paymentLinkForm({ items: JSON.stringify(items) });
    refused(await api.send({ path: "/payment-links", form, key: merchant.test }), 400, malformed);
  }
  const form = paymentLinkForm({ items: JSON.stringify([{ ...one, amount: "0" }]) });
  refused(
    await api.send({ path: "/payment-links", form, key: merchant.test }),
    400,
    "amounts of items must be above 0, at most 1e12, with at most the currency's decimals",
  );
  const text = "description must be one line of plain text of at most 300 characters";
  for (const description of ["a\nb", "x".repeat(301)]) refused(await create({ description }), 400, text);
});
