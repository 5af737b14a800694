import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { mnemonicToAccount } from "viem/accounts";
import { customers } from "#lib/domain/merchants/tables.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import { accountKeys, addresses } from "#lib/domain/wallets/tables.ts";
import type { RequestBody } from "#packages/client/src/client.ts";
import { ACCOUNT_OF, MNEMONIC, startTestApi, type TestMerchant } from "#tests/support/api.ts";
import { watchLockWaits } from "#tests/support/lock-waits.ts";
import { PAYMENT_LINK, paymentLinkForm } from "#tests/support/payment-link.ts";
import { refused, succeeded, successOf } from "#tests/support/says.ts";

const NOW = new Date("2026-03-01T12:00:00.250Z");
const api = await startTestApi({ now: () => NOW });
const merchant = await api.merchant();

const CUSTOMER = PAYMENT_LINK.customer_details;
const BEP20 = { network: "bep20", token: "USDT" };
type NewLink = RequestBody<"/payment-links">;
/** The form of a valid link with these changes. */
const create = (changes: Partial<NewLink> = {}, env: "live" | "test" = "test") =>
  api.client(merchant[env]).POST("/payment-links", { body: { ...PAYMENT_LINK, ...changes } });
const send = (form: Record<string, string>) => api.send({ path: "/payment-links", form, key: merchant.test });

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
  const { merchantId, env, amount, metadata, customerEmail, customerPhone, state } = link;
  assert.deepEqual(
    [merchantId, env, amount, metadata, customerEmail, customerPhone, state],
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
    key: merchant.test,
    headers: { "content-type": "application/json" },
  });
  const refid = refidOf(response.text);
  const link = await stored(refid);
  const [row] = await api.database.db.select().from(addresses).where(eq(addresses.env, "test"));
  assert.ok(row);
  const { address } = mnemonicToAccount(MNEMONIC, {
    accountIndex: ACCOUNT_OF.test,
    addressIndex: row.index,
  });
  succeeded(response, "payment link generated successfully", {
    refid,
    payment_reference: "A1",
    payment_link: `https://pay.example.com/${refid}`,
    wallets: [{ address, network: "bep20", token: "USDT" }],
    wallet_pre_generated: 1,
    amount_required: 0.12345678,
    amount_currency: "btc",
    expires_at: "2026-03-01T23:30:00Z",
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
  succeeded(response, "payment link generated successfully", {
    refid,
    payment_reference: "ORDER1001",
    payment_link: `https://pay.example.com/${refid}`,
    wallets: [],
    wallet_pre_generated: 0,
    amount_required: "25000.5",
    amount_currency: "ngn",
    expires_at: "2026-03-01T13:00:00Z",
  });
  assert.equal((await stored(refid)).metadata, '{"order":1001}');
});

test("creates the same link from the same details as JSON texts in a JSON body", async () => {
  const texts = {
    customer_details: JSON.stringify(CUSTOMER),
    metadata: '{"a": 1}',
    wallets: JSON.stringify([BEP20]),
  };
  const json = { ...PAYMENT_LINK, ...texts };
  const { text } = await api.send({ path: "/payment-links", json, key: merchant.live });
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

const without = (name: string) => ({ ...PAYMENT_LINK, [name]: undefined });
const customer = (changes: object) => ({ customer_details: { ...CUSTOMER, ...changes } });
const missing = (names: string) => `(${names}) not found in request body`;
const missingOf = (names: string) => `(${names}) not found in request body for customer_details`;
const TOO_LATE = "expires_at cannot be more than one year ahead";
const PAIRS_MALFORMED = "pairs must be an array of different pairs of network and token";
const WRONG_PAIR = "unsupported wallet pair: use bitcoin/BTC, trc20/USDT or bep20/USDT";
const BTC = { network: "bitcoin", token: "BTC" };
/** Each text of an error once. Every value that is refused: tests/unit/web/api/fields/payment-link.test.ts. */
const refusals: readonly (readonly [changes: object, message: string, status?: number])[] = [
  ...Object.keys(PAYMENT_LINK).flatMap((name) => [
    [without(name), missing(name)] as const,
    [{ [name]: "" }, missing(name)] as const,
  ]),
  [
    { ...without("customer_details"), cancel_url: "", success_url: "rubbish" },
    missing("customer_details, cancel_url"),
  ],
  [{ customer_details: { phone: "+1" } }, missingOf("email, first_name, last_name")],
  [customer({ email: "nobody", last_name: "" }), missingOf("last_name")],
  [customer({ email: "nobody" }), "(email) of customer_details must be an e-mail address"],
  [customer({ first_name: undefined }), missingOf("first_name")],
  [customer({ last_name: "O\0bi" }), "(last_name) contains an unsupported character"],
  [customer({ first_name: "\ud83d" }), "(first_name) contains an unsupported character"],
  [customer({ first_name: "A".repeat(256) }), "(first_name) is too long"],
  [customer({ phone: 234 }), "(phone) must be a string"],
  [{ customer_details: "Ada" }, "customer_details must be a json object"],
  [{ amount: true }, "(amount) must be a number"],
  [{ amount: "0" }, "amount must be greater than 0"],
  [{ amount: "1.001" }, "amount has too many decimals"],
  [{ amount: 5.5, amount_currency: "xof" }, "amount has too many decimals"],
  [{ amount: "1000000000000.01" }, "amount is too large"],
  [{ amount_currency: "xau" }, "amount_currency not supported"],
  [{ payment_reference: "a-b" }, "payment_reference must be 1 to 20 letters and digits"],
  [{ success_url: "http://shop.example.com" }, "success_url must be an https url"],
  [{ success_url: `https://shop.example.com/${"a".repeat(2048)}` }, "(success_url) is too long"],
  [{ cancel_url: "https://user@shop.example.com" }, "cancel_url must be an https url"],
  [{ expires_at: "2026-03-01T12:00:00Z" }, "expires_at must be a future iso 8601 date-time"],
  [{ expires_at: "2027-03-01T12:00:02Z" }, TOO_LATE],
  [{ expires_at: "9999-12-31T23:59:59-01:00" }, TOO_LATE],
  [{ metadata: "hello" }, "metadata must be json"],
  [{ metadata: { long: "x".repeat(8182) } }, "metadata is too large"],
  [{ wallets: "bep20" }, "wallets must be an array"],
  [{ wallets: [7] }, WRONG_PAIR],
  [{ wallets: [{ network: "solana", token: "USDT" }] }, WRONG_PAIR],
  [{ wallets: [BEP20, BEP20] }, "only one wallet per network"],
  [{ wallets: [BEP20, BTC] }, "wallet generation not enabled for network", 422],
  [{ pairs: [] }, PAIRS_MALFORMED],
  [{ pairs: [BEP20, BEP20] }, PAIRS_MALFORMED],
  [{ pairs: [{ network: "bitcoin", token: "USDT" }] }, PAIRS_MALFORMED],
  [{ pairs: [{ network: "bep20", token: "BNB" }] }, "payment pair not enabled for merchant", 422],
  [{ pairs: [BEP20], wallets: [BTC] }, WRONG_PAIR],
  [{ amount: "0.01", wallets: [BEP20] }, "amount is below what any network can receive", 422],
  [{ amount: "0.01" }, "amount is below what any network can receive", 422],
];
for (const [changes, message, status = 400] of refusals) {
  test(`${message}: ${JSON.stringify(changes).slice(0, 80)}`, async () => {
    const json = { ...PAYMENT_LINK, ...changes };
    refused(await api.send({ path: "/payment-links", json, key: merchant.test }), status, message);
  });
}

test("allows http on the local machine in the test environment only", async () => {
  const cancel_url = "http://127.0.0.1:8080/cart";
  successOf(await create({ cancel_url }, "test"));
  refused(await create({ cancel_url }, "live"), 400, "cancel_url must be an https url");
});

test("a failed request writes nothing and uses no address index", async () => {
  successOf(await create({ wallets: [BEP20] }));
  const before = await counts();
  const stranger = customer({ email: "new@example.com" });
  for (const changes of [
    { amount: "0.01" },
    { amount: "0.01", wallets: [BEP20] },
    { wallets: [BEP20, BTC] },
    { wallets: [BEP20], payment_reference: "-" },
  ]) {
    assert.ok((await create({ ...stranger, ...changes })).error);
  }
  assert.deepEqual(await counts(), before);
});

test("fifty concurrent links with wallets share no address, and do not delay another merchant's", async () => {
  const crowded = await startTestApi({ now: () => NOW });
  const { db, database } = crowded.database;
  const [crowd, other] = [await crowded.merchant(), await crowded.merchant()];
  const ended: string[] = [];
  const allocated = new Set<string | undefined>();
  let customers = 0;
  const createFor = async ({ test: key, email }: TestMerchant) => {
    customers += 1;
    const customer_details = { ...CUSTOMER, email: `ada${customers}@example.com` };
    const body = { ...PAYMENT_LINK, customer_details, wallets: [BEP20] };
    const { wallets } = successOf(await crowded.client(key).POST("/payment-links", { body })).data;
    allocated.add(wallets[0]?.address);
    ended.push(email);
  };
  await createFor(crowd);
  const lockWait = await watchLockWaits(database.pool);
  const created = await db.transaction(async (tx) => {
    await tx.select().from(accountKeys).for("update");
    const links = Array.from({ length: 50 }, () => createFor(crowd));
    for (let i = 0; i < 3; i++) await lockWait();
    links.push(createFor(other));
    await lockWait();
    return links;
  });
  await Promise.all(created);
  assert.deepEqual([ended.length, allocated.size], [52, 52]);
  const before = ended.indexOf(other.email);
  assert.ok(before < 10, `${before} links of the first merchant came before the other's`);
});
