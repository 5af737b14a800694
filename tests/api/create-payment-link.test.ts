import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eq } from "drizzle-orm";
import { mnemonicToAccount } from "viem/accounts";
import { accountKeys, addresses, customers, paymentLinks } from "#lib/db/schema.ts";
import { ACCOUNT_OF, MNEMONIC, startApi, type TestAnswer } from "#tests/support/api.ts";
import { aPaymentLink } from "#tests/support/payment-link.ts";

const NOW = new Date("2026-03-01T12:00:00.250Z");
const api = await startApi({ now: () => NOW });
after(() => api.close());
const merchant = await api.merchant();

const CUSTOMER = { email: "ada@example.com", first_name: "Ada", last_name: "Obi" };
const BEP20 = '[{"network":"bep20","token":"USDT"}]';

function create(form: Record<string, string>, env: "live" | "test" = "test"): Promise<TestAnswer> {
  return api.send({ path: "/payment-links", form, headers: key(env) });
}

function key(env: "live" | "test"): Record<string, string> {
  return env === "live" ? { "x-api-key": merchant.live } : { "x-staging-api-key": merchant.test };
}

function without(name: string): Record<string, string> {
  const { [name]: _, ...rest } = aPaymentLink();
  return rest;
}

function refidOf(answer: TestAnswer): string {
  const refid = /"refid":"([1-9A-HJ-NP-Za-km-z]{22})"/.exec(answer.text)?.[1];
  assert.ok(refid, answer.text);
  return refid;
}

async function stored(answer: TestAnswer) {
  const [link] = await api.database.db
    .select()
    .from(paymentLinks)
    .where(eq(paymentLinks.refid, refidOf(answer)));
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

test("a link is created from a form, in Naira for two hours unless it says otherwise", async () => {
  const answer = await create(aPaymentLink());
  const refid = refidOf(answer);
  assert.equal(answer.status, 200);
  assert.equal(
    answer.text,
    `{"status":"success","message":"payment link generated successfully","data":{"refid":"${refid}",` +
      `"payment_reference":"ORDER1001","payment_link":"https://pay.example.com/${refid}","wallets":[],` +
      `"wallet_pre_generated":0,"amount_required":25000.5,"amount_currency":"ngn",` +
      `"expires_at":"2026-03-01T14:00:01Z"}}`,
  );
  const link = await stored(answer);
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

test("every field is taken from a JSON body, numbers by their text and metadata word for word", async () => {
  const metadata = '{ "order" : 1001.00, "tags":["a" , "b"] }';
  const body =
    `{"amount":0.12345678,"amount_currency":"BTC","customer_details":${JSON.stringify({ ...CUSTOMER, phone: "+234 800" })},` +
    `"payment_reference":"A1","success_url":"http://localhost:3000/ok","cancel_url":"https://shop.example.com/c",` +
    `"expires_at":"2026-03-02T00:30:00+01:00","metadata":${metadata},"wallets":[{"network":"bep20","token":"usdt"}]}`;
  const answer = await api.send({
    path: "/payment-links",
    body,
    headers: { ...key("test"), "content-type": "application/json" },
  });
  const refid = refidOf(answer);
  const link = await stored(answer);
  const [row] = await api.database.db.select().from(addresses).where(eq(addresses.env, "test"));
  assert.ok(row);
  const { address } = mnemonicToAccount(MNEMONIC, {
    accountIndex: ACCOUNT_OF.test,
    addressIndex: row.index,
  });
  assert.deepEqual(answer.body, {
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

test("an amount that no float holds comes back digit for digit", async () => {
  const answer = await create(aPaymentLink({ amount: "999999999999.99999999", amount_currency: "btc" }));
  assert.match(answer.text, /"amount_required":999999999999\.99999999,/);
});

test("the same details as JSON texts in a JSON body make the same link", async () => {
  const json = { ...aPaymentLink({ metadata: '{"a": 1}', wallets: BEP20 }), amount: "25000.50" };
  const link = await stored(await api.send({ path: "/payment-links", json, headers: key("live") }));
  assert.deepEqual([link.env, link.metadata, link.walletPreGenerated], ["live", '{"a": 1}', true]);
});

test("an empty list of wallets is none, and empty optional fields are absent ones", async () => {
  for (const wallets of ["[]", ""]) {
    const answer = await create(aPaymentLink({ wallets, expires_at: "", metadata: "", amount_currency: "" }));
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.text, /"wallets":\[\],"wallet_pre_generated":0/);
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
  [aPaymentLink({ [name]: "" }), `(${name}) not found in request body`],
]);

const customer = (details: object) => ({ customer_details: JSON.stringify(details) });
const refusals: [Record<string, string>, string, status?: number][] = [
  ...missing,
  [{}, "(amount) not found in request body"],
  [aPaymentLink({ amount: " 1 " }), "(amount) must be a number"],
  [aPaymentLink({ amount: "NaN" }), "(amount) must be a number"],
  [aPaymentLink({ amount: "0x10" }), "(amount) must be a number"],
  [aPaymentLink({ amount: "0" }), "amount must be greater than 0"],
  [aPaymentLink({ amount: "-5" }), "amount must be greater than 0"],
  [aPaymentLink({ amount: "1.001" }), "amount has too many decimals"],
  [aPaymentLink({ amount: "5.5", amount_currency: "xof" }), "amount has too many decimals"],
  [aPaymentLink({ amount: "1000000000000.01" }), "amount is too large"],
  [aPaymentLink({ amount: "1e400" }), "amount is too large"],
  [aPaymentLink({ customer_details: "Ada" }), "customer_details must be a json object"],
  [aPaymentLink({ customer_details: "[]" }), "customer_details must be a json object"],
  ...(["email", "first_name", "last_name"] as const).map((name): [Record<string, string>, string] => [
    aPaymentLink(customer({ ...CUSTOMER, [name]: undefined })),
    `(${name}) not found in request body for customer_details`,
  ]),
  [
    aPaymentLink(customer({ ...CUSTOMER, email: "nobody" })),
    "(email) not found in request body for customer_details",
  ],
  [aPaymentLink(customer({ ...CUSTOMER, phone: 234 })), "(phone) must be a string"],
  [
    aPaymentLink(customer({ ...CUSTOMER, last_name: "O\0bi" })),
    "(last_name) contains an unsupported character",
  ],
  [
    aPaymentLink(customer({ ...CUSTOMER, first_name: "\ud83d" })),
    "(first_name) contains an unsupported character",
  ],
  [aPaymentLink(customer({ ...CUSTOMER, first_name: "A".repeat(256) })), "(first_name) is too long"],
  [aPaymentLink({ payment_reference: "a-b" }), "payment_reference must be 1 to 20 letters and digits"],
  [
    aPaymentLink({ payment_reference: "a".repeat(21) }),
    "payment_reference must be 1 to 20 letters and digits",
  ],
  [aPaymentLink({ success_url: "http://shop.example.com" }), "success_url must be an https url"],
  [aPaymentLink({ cancel_url: "https://user@shop.example.com" }), "cancel_url must be an https url"],
  [aPaymentLink({ expires_at: "2026-03-01T12:00:00Z" }), "expires_at must be a future iso 8601 date-time"],
  [aPaymentLink({ expires_at: "2026-02-30T12:00:00Z" }), "expires_at must be a future iso 8601 date-time"],
  [aPaymentLink({ metadata: "hello" }), "metadata must be json"],
  [aPaymentLink({ metadata: `"${"x".repeat(8191)}"` }), "metadata is too large"],
  [aPaymentLink({ amount_currency: "jpy" }), "amount_currency not supported"],
  [aPaymentLink({ wallets: '{"network":"bep20"}' }), "wallets must be an array"],
  [aPaymentLink({ wallets: "bep20" }), "wallets must be an array"],
  [aPaymentLink({ wallets: '[{"network":"bep20","token":"BTC"}]' }), "unsupported wallet pair"],
  [aPaymentLink({ wallets: '[{"network":"solana","token":"USDT"}]' }), "unsupported wallet pair"],
  [
    aPaymentLink({ wallets: '[{"network":"bep20","token":"USDT"},{"network":"bep20","token":"USDT"}]' }),
    "only one wallet per network",
  ],
  [aPaymentLink({ amount: "0.01", wallets: BEP20 }), "amount is below what any network can receive", 422],
  [aPaymentLink({ amount: "0.01" }), "amount is below what any network can receive", 422],
  [
    aPaymentLink({ wallets: '[{"network":"bep20","token":"USDT"},{"network":"bitcoin","token":"BTC"}]' }),
    "wallet generation not enabled for network",
    422,
  ],
];
for (const [form, message, status = 400] of refusals) {
  const shown = Object.entries(form).filter(([name, value]) => aPaymentLink()[name] !== value);
  test(`${message}: ${JSON.stringify(Object.fromEntries(shown)).slice(0, 80)}`, async () => {
    const answer = await create(form);
    assert.deepEqual(
      { status: answer.status, body: answer.body },
      { status, body: { status: "fail", message } },
    );
  });
}

test("JSON values of the wrong type are refused by name", async () => {
  const wrong: [object, string][] = [
    [{ amount: true }, "(amount) must be a number"],
    [{ amount: null }, "(amount) not found in request body"],
    [{ customer_details: 7 }, "customer_details must be a json object"],
    [{ payment_reference: 1001 }, "payment_reference must be 1 to 20 letters and digits"],
    [{ success_url: ["https://a.co"] }, "success_url must be an https url"],
    [{ expires_at: 1893456000 }, "expires_at must be a future iso 8601 date-time"],
    [{ amount_currency: {} }, "amount_currency not supported"],
    [{ wallets: true }, "wallets must be an array"],
    [{ wallets: [7] }, "unsupported wallet pair"],
  ];
  for (const [changes, message] of wrong) {
    const answer = await api.send({
      path: "/payment-links",
      json: { ...aPaymentLink(), ...changes },
      headers: key("test"),
    });
    assert.deepEqual(answer.body, { status: "fail", message });
    assert.equal(answer.status, 400);
  }
});

test("http on this machine is for the test environment only", async () => {
  const form = aPaymentLink({ cancel_url: "http://127.0.0.1:8080/cart" });
  assert.equal((await create(form, "test")).status, 200);
  assert.deepEqual((await create(form, "live")).body, {
    status: "fail",
    message: "cancel_url must be an https url",
  });
});

test("a refused call leaves nothing and burns no address index", async () => {
  assert.equal((await create(aPaymentLink({ wallets: BEP20 }))).status, 200);
  const before = await counts();
  for (const form of [
    aPaymentLink({ amount: "0.01", wallets: BEP20 }),
    aPaymentLink({ wallets: '[{"network":"bep20","token":"USDT"},{"network":"bitcoin","token":"BTC"}]' }),
    aPaymentLink({
      wallets: BEP20,
      payment_reference: "-",
      ...customer({ ...CUSTOMER, email: "new@example.com" }),
    }),
  ]) {
    const answer = await create(form);
    assert.ok(answer.status >= 400, answer.text);
  }
  assert.deepEqual(await counts(), before);
});

test("twenty links created at once never share an address, and no index is skipped", async () => {
  const before = await counts();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      create(aPaymentLink({ wallets: BEP20, payment_reference: `P${i}` })),
    ),
  );
  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]));
  const found = answers.map((answer) => /"address":"(0x[0-9A-Fa-f]{40})"/.exec(answer.text)?.[1]);
  assert.equal(new Set(found).size, 20);
  const after = await counts();
  const total = (of: typeof before) => of.indexes.reduce((sum, index) => sum + index, 0);
  assert.equal(total(after) - total(before), 20);
  assert.equal(after.addresses - before.addresses, 20);
});
