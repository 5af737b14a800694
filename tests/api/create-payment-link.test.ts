import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eq, sql } from "drizzle-orm";
import { mnemonicToAccount } from "viem/accounts";
import type { RequestBody } from "#lib/client/client.ts";
import { customers } from "#lib/domain/merchants/tables.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import { accountKeys, addresses } from "#lib/domain/wallets/tables.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { ACCOUNT_OF, MNEMONIC, startApi } from "#tests/support/api.ts";
import { PAYMENT_LINK, paymentLinkForm } from "#tests/support/payment-link.ts";
import { refused, says, successOf } from "#tests/support/says.ts";
import { until } from "#tests/support/until.ts";

const NOW = new Date("2026-03-01T12:00:00.250Z");
const api = await startApi({ now: () => NOW });
after(() => api.close());
const merchant = await api.merchant();

const CUSTOMER = PAYMENT_LINK.customer_details;
const BEP20 = { network: "bep20", token: "USDT" };
const headers = { "x-staging-api-key": merchant.test };

type NewLink = RequestBody<"/payment-links">;
/** The form of a valid link with these changes. */
const create = (changes: Partial<NewLink> = {}, env: "live" | "test" = "test") =>
  api.client(merchant[env]).POST("/payment-links", { body: { ...PAYMENT_LINK, ...changes } });
const send = (form: Record<string, string>) => api.send({ path: "/payment-links", form, headers });

function without(name: string): Record<string, string> {
  const { [name]: _, ...rest } = paymentLinkForm();
  return rest;
}

function refidOf(text: string): string {
  const refid = /"refid":"([1-9A-HJ-NP-Za-km-z]{22})"/.exec(text)?.[1];
  assert.ok(refid, text);
  return refid;
}

async function stored(refid: string) {
  const [link] = await api.database.db.select().from(paymentLinks).where(eq(paymentLinks.refid, refid));
  assert.ok(link);
  return link;
}

async function counts() {
  const { db } = api.database;
  const keys = await db.select({ nextIndex: accountKeys.nextIndex }).from(accountKeys);
  return {
    links: await db.$count(paymentLinks),
    customers: await db.$count(customers),
    addresses: await db.$count(addresses),
    indexes: keys.map((row) => row.nextIndex),
  };
}

test("creates a link from a form, in NGN and for two hours by default", async () => {
  const response = await send(paymentLinkForm());
  const refid = refidOf(response.text);
  assert.equal(response.status, 200);
  assert.equal(
    response.text,
    `{"status":"success","message":"payment link generated successfully","data":{"refid":"${refid}",` +
      `"payment_reference":"ORDER1001","payment_link":"https://pay.example.com/${refid}","wallets":[],` +
      `"wallet_pre_generated":0,"amount_required":25000.5,"amount_currency":"ngn",` +
      `"expires_at":"2026-03-01T14:00:01Z"}}`,
  );
  const link = await stored(refid);
  assert.deepEqual(
    [
      link.merchantId,
      link.env,
      link.amount,
      link.metadata,
      link.customerEmail,
      link.customerPhone,
      link.state,
    ],
    [merchant.id, "test", 2_500_050n, null, "ada@example.com", null, "open"],
  );
});

test("accepts every field in a JSON body, with the exact text of numbers and metadata", async () => {
  const metadata = '{ "order" : 1001.00, "tags":["a" , "b"] }';
  const body =
    `{"amount":0.12345678,"amount_currency":"BTC","customer_details":${JSON.stringify({ ...CUSTOMER, phone: "+234 800" })},` +
    `"payment_reference":"A1","success_url":"http://localhost:3000/ok","cancel_url":"https://shop.example.com/c",` +
    `"expires_at":"2026-03-02T00:30:00+01:00","metadata":${metadata},"wallets":[{"network":"bep20","token":"usdt"}]}`;
  const response = await api.send({
    path: "/payment-links",
    body,
    headers: { ...headers, "content-type": "application/json" },
  });
  const refid = refidOf(response.text);
  const link = await stored(refid);
  const [row] = await api.database.db.select().from(addresses).where(eq(addresses.env, "test"));
  assert.ok(row);
  const { address } = mnemonicToAccount(MNEMONIC, {
    accountIndex: ACCOUNT_OF.test,
    addressIndex: row.index,
  });
  says(response, 200, {
    status: "success",
    message: "payment link generated successfully",
    data: {
      refid,
      payment_reference: "A1",
      payment_link: `https://pay.example.com/${refid}`,
      wallets: [{ address, network: "bep20", token: "USDT" }],
      wallet_pre_generated: 1,
      amount_required: 0.12345678,
      amount_currency: "btc",
      expires_at: "2026-03-01T23:30:00Z",
    },
  });
  assert.equal(link.metadata, metadata);
  assert.equal(link.customerPhone, "+234 800");
  assert.equal(link.state, "awaiting");
});

test("returns every digit of an amount that a float cannot hold", async () => {
  const exact = { amount: "999999999999.99999999", amount_currency: "btc" } as const;
  assert.equal(successOf(await create(exact)).data.amount_required, exact.amount);
  const { text } = await send(paymentLinkForm(exact));
  assert.match(text, /"amount_required":999999999999\.99999999,/);
});

test("the client creates the same link from the same details as objects", async () => {
  const response = await create({ metadata: { order: 1001 }, expires_at: "2026-03-01T13:00:00Z" });
  const { refid } = successOf(response).data;
  says(response, 200, {
    status: "success",
    message: "payment link generated successfully",
    data: {
      refid,
      payment_reference: "ORDER1001",
      payment_link: `https://pay.example.com/${refid}`,
      wallets: [],
      wallet_pre_generated: 0,
      amount_required: "25000.5",
      amount_currency: "ngn",
      expires_at: "2026-03-01T13:00:00Z",
    },
  });
  assert.equal((await stored(refid)).metadata, '{"order":1001}');
});

test("creates the same link from the same details as JSON texts in a JSON body", async () => {
  const texts = {
    customer_details: JSON.stringify(CUSTOMER),
    metadata: '{"a": 1}',
    wallets: JSON.stringify([BEP20]),
  };
  const live = { "x-api-key": merchant.live };
  const { text } = await api.send({
    path: "/payment-links",
    json: { ...PAYMENT_LINK, ...texts },
    headers: live,
  });
  const link = await stored(refidOf(text));
  assert.deepEqual([link.env, link.metadata, link.walletPreGenerated], ["live", '{"a": 1}', true]);
});

test("treats an empty wallet list as no wallets, and empty optional fields as absent", async () => {
  const { wallets, wallet_pre_generated } = successOf(await create({ wallets: [] })).data;
  assert.deepEqual([wallets, wallet_pre_generated], [[], 0]);
  for (const wallets of ["[]", ""]) {
    const response = await send(
      paymentLinkForm({ wallets, expires_at: "", metadata: "", amount_currency: "" }),
    );
    assert.equal(response.status, 200, response.text);
    assert.match(response.text, /"wallets":\[\],"wallet_pre_generated":0/);
  }
});

const missing: [Record<string, string>, string][] = [
  "amount",
  "customer_details",
  "payment_reference",
  "success_url",
  "cancel_url",
].flatMap((name): [Record<string, string>, string][] => [
  [without(name), `(${name}) not found in request body`],
  [paymentLinkForm({ [name]: "" }), `(${name}) not found in request body`],
]);

const customer = (details: object) => ({ customer_details: JSON.stringify(details) });
const PAIRS_MALFORMED = "pairs must be an array of different pairs of network and token";
const WRONG_PAIR = "unsupported wallet pair: use bitcoin/BTC, trc20/USDT or bep20/USDT";
const untyped: [Record<string, string>, string][] = [
  ...missing,
  [{}, "(amount, customer_details, payment_reference, success_url, cancel_url) not found in request body"],
  [
    { amount: "1", payment_reference: "R1", success_url: "rubbish" },
    "(customer_details, cancel_url) not found in request body",
  ],
  [
    paymentLinkForm(customer({ phone: "+1" })),
    "(email, first_name, last_name) not found in request body for customer_details",
  ],
  [
    paymentLinkForm(customer({ ...CUSTOMER, email: "nobody", last_name: "" })),
    "(email, last_name) not found in request body for customer_details",
  ],
  [paymentLinkForm({ customer_details: "[]" }), "customer_details must be a json object"],
  ...(["email", "first_name", "last_name"] as const).map((name): [Record<string, string>, string] => [
    paymentLinkForm(customer({ ...CUSTOMER, [name]: undefined })),
    `(${name}) not found in request body for customer_details`,
  ]),
  [paymentLinkForm(customer({ ...CUSTOMER, phone: 234 })), "(phone) must be a string"],
  [paymentLinkForm({ amount_currency: "xau" }), "amount_currency not supported"],
  [paymentLinkForm({ wallets: '{"network":"bep20"}' }), "wallets must be an array"],
];
for (const [form, message] of untyped) {
  const shown = Object.entries(form).filter(([name, value]) => paymentLinkForm()[name] !== value);
  test(`${message}: ${JSON.stringify(Object.fromEntries(shown)).slice(0, 80)}`, async () => {
    refused(await send(form), 400, message);
  });
}

for (const [changes, message] of [
  [{ amount: -5 }, "amount must be greater than 0"],
  [{ amount: 5.5, amount_currency: "xof" }, "amount has too many decimals"],
  [{ customer_details: "Ada" }, "customer_details must be a json object"],
  [{ wallets: "bep20" }, "wallets must be an array"],
] as const) {
  test(`${message}: ${JSON.stringify(changes)} in a JSON body`, async () => {
    const json = { ...PAYMENT_LINK, ...changes };
    refused(await api.send({ path: "/payment-links", json, headers }), 400, message);
  });
}

const typed: [Partial<NewLink>, string, status?: number][] = [
  [{ amount: " 1 " }, "(amount) must be a number"],
  [{ amount: "NaN" }, "(amount) must be a number"],
  [{ amount: "0x10" }, "(amount) must be a number"],
  [{ amount: "0" }, "amount must be greater than 0"],
  [{ amount: "1.001" }, "amount has too many decimals"],
  [{ amount: "1000000000000.01" }, "amount is too large"],
  [{ amount: "1e400" }, "amount is too large"],
  [
    { customer_details: { ...CUSTOMER, email: "nobody" } },
    "(email) not found in request body for customer_details",
  ],
  [
    { customer_details: { ...CUSTOMER, last_name: "O\0bi" } },
    "(last_name) contains an unsupported character",
  ],
  [
    { customer_details: { ...CUSTOMER, first_name: "\ud83d" } },
    "(first_name) contains an unsupported character",
  ],
  [{ customer_details: { ...CUSTOMER, first_name: "A".repeat(256) } }, "(first_name) is too long"],
  [{ payment_reference: "a-b" }, "payment_reference must be 1 to 20 letters and digits"],
  [{ payment_reference: "a".repeat(21) }, "payment_reference must be 1 to 20 letters and digits"],
  [{ success_url: "http://shop.example.com" }, "success_url must be an https url"],
  [{ success_url: `https://shop.example.com/${"a".repeat(2048)}` }, "(success_url) is too long"],
  [{ cancel_url: "https://user@shop.example.com" }, "cancel_url must be an https url"],
  [{ expires_at: "2020-01-01T00:00:00Z" }, "expires_at must be a future iso 8601 date-time"],
  [{ expires_at: "2026-03-01T12:00:00.000Z" }, "expires_at must be a future iso 8601 date-time"],
  [{ expires_at: "2026-03-01T12:00:00Z" }, "expires_at must be a future iso 8601 date-time"],
  [{ expires_at: "2026-02-30T12:00:00Z" }, "expires_at must be a future iso 8601 date-time"],
  [{ expires_at: "2027-03-01T12:00:02Z" }, "expires_at cannot be more than one year ahead"],
  [{ expires_at: "9999-12-31T23:59:59.999Z" }, "expires_at cannot be more than one year ahead"],
  [{ expires_at: "9999-12-31T23:59:59-01:00" }, "expires_at cannot be more than one year ahead"],
  [{ metadata: "hello" }, "metadata must be json"],
  [{ metadata: { long: "x".repeat(8182) } }, "metadata is too large"],
  [{ wallets: [{ network: "bep20", token: "BTC" }] }, WRONG_PAIR],
  [{ wallets: [{ network: "solana", token: "USDT" }] }, WRONG_PAIR],
  [{ pairs: [] }, PAIRS_MALFORMED],
  [{ pairs: [BEP20, BEP20] }, PAIRS_MALFORMED],
  [{ pairs: [{ network: "bitcoin", token: "USDT" }] }, PAIRS_MALFORMED],
  [{ pairs: [{ network: "bep20", token: "BNB" }] }, "payment pair not enabled for merchant", 422],
  [{ pairs: [BEP20], wallets: [{ network: "bitcoin", token: "BTC" }] }, WRONG_PAIR],
  [{ wallets: [BEP20, BEP20] }, "only one wallet per network"],
  [{ amount: "0.01", wallets: [BEP20] }, "amount is below what any network can receive", 422],
  [{ amount: "0.01" }, "amount is below what any network can receive", 422],
  [
    { wallets: [BEP20, { network: "bitcoin", token: "BTC" }] },
    "wallet generation not enabled for network",
    422,
  ],
];
for (const [changes, message, status = 400] of typed) {
  test(`${message}: ${JSON.stringify(changes).slice(0, 80)}`, async () => {
    refused(await create(changes), status, message);
  });
}

test("names the JSON field whose value has the wrong type", async () => {
  const wrong: [object, string][] = [
    [{ amount: true }, "(amount) must be a number"],
    [{ amount: null }, "(amount) not found in request body"],
    [{ customer_details: 7 }, "customer_details must be a json object"],
    [{ payment_reference: 1001 }, "payment_reference must be 1 to 20 letters and digits"],
    [{ success_url: ["https://a.co"] }, "success_url must be an https url"],
    [{ expires_at: 1893456000 }, "expires_at must be a future iso 8601 date-time"],
    [{ amount_currency: {} }, "amount_currency not supported"],
    [{ wallets: true }, "wallets must be an array"],
    [{ wallets: [7] }, WRONG_PAIR],
  ];
  for (const [changes, message] of wrong) {
    const response = await api.send({
      path: "/payment-links",
      json: { ...paymentLinkForm(), ...changes },
      headers,
    });
    refused(response, 400, message);
  }
});

test("allows http on the local machine in the test environment only", async () => {
  const cancel_url = "http://127.0.0.1:8080/cart";
  successOf(await create({ cancel_url }, "test"));
  refused(await create({ cancel_url }, "live"), 400, "cancel_url must be an https url");
});

test("a failed request writes nothing and uses no address index", async () => {
  successOf(await create({ wallets: [BEP20] }));
  const before = await counts();
  for (const changes of [
    { amount: "0.01", wallets: [BEP20] },
    { wallets: [BEP20, { network: "bitcoin", token: "BTC" }] },
    {
      wallets: [BEP20],
      payment_reference: "-",
      customer_details: { ...CUSTOMER, email: "new@example.com" },
    },
  ]) {
    assert.ok((await create(changes)).error);
  }
  assert.deepEqual(await counts(), before);
});

test("twenty concurrent links share no address and skip no index", async () => {
  const before = await counts();
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) => create({ wallets: [BEP20], payment_reference: `P${i}` })),
  );
  const found = responses.map((response) => successOf(response).data.wallets[0]?.address ?? "");
  for (const address of found) assert.match(address, /^0x[0-9A-Fa-f]{40}$/);
  assert.equal(new Set(found).size, 20);
  const after = await counts();
  const total = (of: typeof before) => of.indexes.reduce((sum, index) => sum + index, 0);
  assert.equal(total(after) - total(before), 20);
  assert.equal(after.addresses - before.addresses, 20);
});

test("fifty concurrent links with wallets of one merchant do not delay another merchant's", async () => {
  successOf(await create({ wallets: [BEP20] }));
  const other = await api.merchant();
  const ended: string[] = [];
  const createFor = async (key: string, email: string) => {
    const body = { ...PAYMENT_LINK, customer_details: { ...CUSTOMER, email }, wallets: [BEP20] };
    successOf(await api.client(key).POST("/payment-links", { body }));
    ended.push(email);
  };
  const apart = openDatabase(api.database.url, { max: 2 });
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = apart.db.transaction(async (tx) => {
    await tx.select().from(accountKeys).for("update");
    locked.resolve();
    await release.promise;
  });
  const countLockWaits = async () =>
    (
      await apart.db.execute<{ count: number }>(sql`select count(*)::integer from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
    ).rows[0]?.count ?? 0;
  await locked.promise;
  const created = Array.from({ length: 50 }, (_, i) => createFor(merchant.test, `flood${i}@example.com`));
  try {
    await until("three of the first merchant to wait for the key", async () => (await countLockWaits()) >= 3);
    created.push(createFor(other.test, "other@example.com"));
    await until("the other merchant to wait for it too", async () => (await countLockWaits()) > 3);
  } finally {
    release.resolve();
    await Promise.all([holding, ...created]);
    await apart.close();
  }
  assert.equal(ended.length, 51);
  const before = ended.indexOf("other@example.com");
  assert.ok(before < 10, `${before} links of the first merchant came before the other's`);
});
