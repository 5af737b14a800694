/** Invoices of the Greenfield protocol over the API: made, read, listed, changed, marked and archived, each as plugins send it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestGreenfield } from "#tests/support/greenfield.ts";

const greenfield = await startTestGreenfield();
const { api, send: sendAny } = greenfield;
const store = await greenfield.store();
const rival = await greenfield.store();
const { send } = store;

type Fields = Readonly<Record<string, unknown>>;
const create = (fields: Fields = {}) =>
  send("POST", "/invoices", { amount: "16.50", currency: "USD", ...fields });

async function created(fields: Fields = {}) {
  const { status, body, text } = await create(fields);
  assert.equal(status, 200, text);
  return body;
}

test("an invoice as WooCommerce makes it is answered with texts for amounts and whole seconds for times", async () => {
  const metadata = { orderId: "wc-order_00000012", buyerEmail: "ada@example.com", buyerName: "Ada B Obi" };
  const made = await created({
    metadata,
    checkout: {
      ...{ speedPolicy: "HighSpeed", paymentMethods: ["USDT_BEP20"], redirectAutomatically: true },
      redirectURL: "https://shop.example/done?order={OrderId}&amp;invoice={InvoiceId}",
      defaultLanguage: "fr-FR",
    },
  });
  assert.equal(made.checkoutLink, `https://pay.example.com/i/${made.id}`);
  assert.deepEqual(
    [made.storeId, made.amount, made.paidAmount, made.currency, made.status, made.additionalStatus],
    [store.id, "16.5", "0", "USD", "New", "None"],
  );
  for (const name of ["createdTime", "expirationTime", "monitoringExpiration"])
    assert.ok(Number.isSafeInteger(made[name]), name);
  assert.ok(made.expirationTime - made.createdTime - 7200 <= 1);
  assert.deepEqual(made.metadata, metadata);
  assert.deepEqual(made.checkout.paymentMethods, ["USDT-BEP20"]);
  assert.equal(
    made.checkout.redirectURL,
    `https://shop.example/done?order=wc-order_00000012&invoice=${made.id}`,
  );
  assert.equal(made.checkout.defaultLanguage, "fr");
  assert.deepEqual(made.availableStatusesForManualMarking, ["Invalid"]);
  assert.deepEqual((await send("GET", `/invoices/${made.id}`)).body, made);
  const flat = await sendAny({ path: `/api/v1/invoices/${made.id}/`, key: store.key });
  assert.deepEqual(flat.body, made);
});

test("metadata are answered exactly as they were sent, up to 64 KiB", async () => {
  const metadata = `{"orderId":"a\\u0000b"  , "n":1.10,"big":12345678901234567890,"é":[ ],"pad":"${"x".repeat(60_000)}"}`;
  const { body, status } = await sendAny({
    path: `/api/v1/stores/${store.id}/invoices`,
    key: store.key,
    body: `{"amount":5,"currency":"usd","metadata":${metadata.replace("\\u0000", "-")}}`,
  });
  assert.equal(status, 200);
  const { text } = await send("GET", `/invoices/${body.id}`);
  assert.ok(text.includes(`"metadata":${metadata.replace("\\u0000", "-")}`));
  const large = await create({ metadata: { pad: "x".repeat(65_536) } });
  assert.deepEqual([large.status, large.body[0].path], [422, "metadata"]);
});

test("what plugins send in their own ways is understood", async () => {
  const cases: readonly (readonly [Fields, Fields])[] = [
    [
      { amount: 12.5, currency: "eur" },
      { amount: "12.5", currency: "EUR" },
    ],
    [
      { amount: "12.345678", currency: "USD" },
      { amount: "12.35", currency: "USD" },
    ],
    [
      { amount: "1500", currency: "SATS" },
      { amount: "0.000015", currency: "BTC" },
    ],
    [{ currency: null }, { amount: "16.5", currency: "USD" }],
    [{ metadata: null, checkout: null, receipt: null, unknown: 1 }, { amount: "16.5" }],
    [{ metadata: { buyerEmail: "" } }, { amount: "16.5" }],
  ];
  for (const [given, expected] of cases) {
    const made = await created(given);
    for (const [name, value] of Object.entries(expected))
      assert.equal(made[name], value, JSON.stringify(given));
  }
  const guid = "6f9619ff-8b86-d011-b42d-00c04fc964ff";
  const made = await created({ Metadata: { orderId: guid } });
  const { rows } = await api.database.database.pool.query(
    "select payment_reference, customer_id, customer_email from payment_links where refid = $1",
    [made.id],
  );
  assert.deepEqual(rows, [{ payment_reference: guid, customer_id: null, customer_email: "" }]);
});

test("a wrong field is named", async () => {
  const cases: readonly (readonly [Fields, string])[] = [
    [{ amount: null }, "amount"],
    [{ amount: "0" }, "amount"],
    [{ amount: "-1" }, "amount"],
    [{ amount: "much" }, "amount"],
    [{ amount: "1000000000001" }, "amount"],
    [{ amount: "0.001" }, "amount"],
    [{ currency: "XXX" }, "currency"],
    [{ checkout: { paymentMethods: ["XMR-CHAIN"] } }, "checkout.paymentMethods"],
    [{ checkout: { paymentMethods: ["DOGE-CHAIN"] } }, "checkout.paymentMethods"],
    [{ checkout: { redirectURL: "javascript:alert(1)" } }, "checkout.redirectURL"],
    [{ checkout: { redirectURL: "http://shop.example/" } }, "checkout.redirectURL"],
    [{ checkout: { expirationMinutes: 0 } }, "checkout.expirationMinutes"],
    [{ metadata: { orderId: "x".repeat(257) } }, "metadata.orderId"],
  ];
  for (const [fields, path] of cases) {
    const { status, body } = await create(fields);
    assert.equal(status, 422, JSON.stringify(fields));
    assert.equal(body[0].path, path, JSON.stringify(fields));
    assert.equal(typeof body[0].message, "string");
  }
  for (const body of ["[]", "{", '"text"', "\u0000"]) {
    const answer = await sendAny({ path: `/api/v1/stores/${store.id}/invoices`, key: store.key, body });
    assert.deepEqual([answer.status, answer.body[0].path], [422, ""], body);
  }
});

test("another store's invoices do not exist", async () => {
  const made = await created();
  const asked = [
    ["GET", `/invoices/${made.id}`],
    ["GET", `/invoices/${made.id}/payment-methods`],
    ["PUT", `/invoices/${made.id}`],
    ["DELETE", `/invoices/${made.id}`],
    ["POST", `/invoices/${made.id}/unarchive`],
  ] as const;
  for (const [method, path] of asked) {
    const { status, body } = await rival.send(method, path, method === "PUT" ? { metadata: {} } : undefined);
    assert.deepEqual([status, body.code], [404, "invoice-not-found"], path);
  }
  const marked = await rival.send("POST", `/invoices/${made.id}/status`, { status: "Invalid" });
  assert.equal(marked.status, 404);
  const live = await greenfield.key(store.merchant, { env: "live" });
  const { status } = await sendAny({ path: `/api/v1/invoices/${made.id}`, key: live });
  assert.equal(status, 404);
  assert.equal((await send("GET", `/invoices/${made.id}`)).body.status, "New");
});

test("an order id is one line for people, and as it was sent for the plugin", async () => {
  const orderId = "\tno.\u0007 7\n\u202e8 \u2028";
  const made = await created({ metadata: { orderId } });
  assert.equal(made.metadata.orderId, orderId);
  const { rows } = await api.database.database.pool.query(
    "select payment_reference from payment_links where refid = $1",
    [made.id],
  );
  assert.deepEqual(rows, [{ payment_reference: "no. 7 8" }]);
  const found = await send("GET", `/invoices?orderId=${encodeURIComponent(orderId)}`);
  assert.equal(found.body[0].id, made.id);
  const blank = await created({ metadata: { orderId: " \u0000 ".replace("\u0000", "\u0001") } });
  assert.equal((await send("GET", `/invoices?orderId=${blank.id}`)).body[0].id, blank.id);
});

test("metadata are replaced whole, with the order id", async () => {
  const made = await created({ metadata: { orderId: "1", more: true } });
  const { status, body } = await send("PUT", `/invoices/${made.id}`, { metadata: { orderId: "2" } });
  assert.equal(status, 200);
  assert.deepEqual(body.metadata, { orderId: "2" });
  const found = await send("GET", "/invoices?orderId=2");
  assert.deepEqual(
    found.body.map(({ id }: { id: string }) => id),
    [made.id],
  );
});

test("an unpaid invoice is marked as invalid, and none as settled", async () => {
  const made = await created();
  const settled = await send("POST", `/invoices/${made.id}/status`, { status: "Settled" });
  assert.deepEqual([settled.status, settled.body[0].path], [422, "status"]);
  for (const _ of [1, 2]) {
    const { status, body } = await send("POST", `/invoices/${made.id}/status`, { status: "Invalid" });
    assert.deepEqual([status, body.status, body.additionalStatus], [200, "Invalid", "Marked"]);
    assert.deepEqual(body.availableStatusesForManualMarking, []);
  }
});

test("a list is newest first, filtered, and without archived invoices", async () => {
  const shop = await greenfield.store();
  const ids: string[] = [];
  for (const orderId of ["A", "B", "C"]) {
    const made = await shop.send("POST", "/invoices", {
      amount: "5",
      currency: "USD",
      metadata: { orderId },
    });
    ids.unshift(made.body.id);
  }
  const list = async (query: string) =>
    (await shop.send("GET", `/invoices${query}`)).body.map(({ id }: { id: string }) => id);
  assert.deepEqual(await list(""), ids);
  assert.deepEqual(await list("/"), ids);
  assert.deepEqual(await list("?take=1&skip=1"), [ids[1]]);
  assert.deepEqual(await list("?orderId=A&orderId=C"), [ids[0], ids[2]]);
  assert.deepEqual(await list("?orderId%5B%5D=A"), [ids[2]], "as Zapier asks");
  assert.deepEqual(await list("?textSearch=B"), [ids[1]]);
  assert.deepEqual(await list(`?textSearch=${ids[2]}`), [ids[2]]);
  await shop.send("POST", `/invoices/${ids[0]}/status`, { status: "Invalid" });
  assert.deepEqual(await list("?status=Invalid"), [ids[0]]);
  assert.deepEqual(await list("?status=New&status=Settled"), [ids[1], ids[2]]);
  assert.deepEqual(await list("?startDate=4000000000"), []);
  assert.deepEqual(await list("?endDate=4000000000"), ids);
  // The year 33658.
  assert.deepEqual(await list("?startDate=999999999999"), []);
  assert.deepEqual(await list("?endDate=999999999999"), ids);
  assert.deepEqual(await list("?orderId=A&orderId=B&textSearch=B"), [ids[1]]);
  assert.deepEqual(await list("?orderId=A&textSearch=B"), []);
  assert.deepEqual(await list(`?orderId=A&textSearch=${ids[2]}&status=New`), [ids[2]]);
  assert.equal((await shop.send("GET", `/invoices?${"orderId=A&".repeat(21)}`)).status, 422);
  assert.equal((await shop.send("GET", "/invoices?take=x")).status, 422);
  const gone = await shop.send("DELETE", `/invoices/${ids[0]}`);
  assert.deepEqual([gone.status, gone.text], [200, ""]);
  assert.deepEqual(await list(""), [ids[1], ids[2]]);
  assert.deepEqual(await list("?includeArchived=true"), ids);
  assert.equal((await shop.send("GET", `/invoices/${ids[0]}`)).body.archived, true);
  assert.equal((await shop.send("POST", `/invoices/${ids[0]}/unarchive`)).body.archived, false);
  assert.deepEqual(await list(""), ids);
});

test("a searched text is compared as a whole, however long an order id is", async () => {
  const shop = await greenfield.store();
  const longest = "7".repeat(256);
  const [made] = await Promise.all(
    [longest, longest.slice(0, 254)].map((orderId) =>
      shop.send("POST", "/invoices", { amount: "5", currency: "USD", metadata: { orderId } }),
    ),
  );
  const list = async (text: string) =>
    (await shop.send("GET", `/invoices?textSearch=${text}`)).body.map(({ id }: { id: string }) => id);
  assert.deepEqual(await list(longest), [made?.body.id]);
  assert.deepEqual(await list(`${longest}7`), []);
});

test("a key may do with invoices what its permissions say", async () => {
  const reader = await greenfield.key(store.merchant, { permissions: ["btcpay.store.canviewinvoices"] });
  const made = await created();
  const path = `/api/v1/invoices/${made.id}`;
  assert.equal((await sendAny({ path, key: reader })).status, 200);
  for (const [method, below] of [
    ["POST", "/status"],
    ["PUT", ""],
    ["DELETE", ""],
  ] as const) {
    const { status, body } = await sendAny({ method, path: path + below, key: reader });
    assert.deepEqual([status, body.missingPermission], [403, "btcpay.store.canmodifyinvoices"]);
  }
  const post = await sendAny({ path: "/api/v1/invoices", key: reader, json: { amount: "1" } });
  assert.equal(post.body.missingPermission, "btcpay.store.cancreateinvoice");
});

test("the pages of an invoice lead to the payment page, in the language that was asked for, and into the console", async () => {
  const made = await created({ checkout: { defaultLanguage: "fr-FR" } });
  const plain = await created();
  const cases = [
    [`/i/${made.id}`, `https://pay.example.com/${made.id}?lang=fr`],
    [`/i/${made.id}/?lang=es`, `https://pay.example.com/${made.id}?lang=es`],
    [`/i/${plain.id}`, `https://pay.example.com/${plain.id}`],
    [`/invoices/${made.id}`, `https://pay.example.com/console/invoice/${made.id}`],
    [
      "/api-keys/authorize/?permissions=a&permissions=b",
      "https://pay.example.com/console/authorize?permissions=a&permissions=b",
    ],
  ] as const;
  for (const [path, location] of cases) {
    const { status, headers } = await sendAny({ path });
    assert.deepEqual([status, headers.get("location")], [302, location], path);
  }
  assert.equal((await sendAny({ method: "POST", path: `/i/${made.id}`, body: "" })).status, 405);
});
