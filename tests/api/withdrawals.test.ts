/** Asking for withdrawals and refunds with a key, following them, and canceling them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { pino } from "pino";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { refusedAttempts } from "#lib/domain/ledger/tables.ts";
import { addIp } from "#lib/domain/merchants/ip-entries.ts";
import { networkSettings, tokenSettings } from "#lib/domain/settings/tables.ts";
import { withdrawalPolicies, withdrawals } from "#lib/domain/withdrawals/tables.ts";
import type { RequestBody } from "#packages/client/src/client.ts";
import { actOf } from "#tests/support/acts.ts";
import { startTestApi } from "#tests/support/api.ts";
import { followAll } from "#tests/support/follow-all.ts";
import { refused, successOf } from "#tests/support/says.ts";
import { anAddress } from "#tests/support/unmatched.ts";
import { operatorSteps } from "#tests/support/withdrawal-steps.ts";
import { accountsOf, aHash, DESTINATION, fund, USDT } from "#tests/support/withdrawals.ts";
import { aPaidLink } from "./paid-link.ts";

const api = await startTestApi();
const { db } = api.database;
const { networks } = api.services;
const adapter = networks.find("test", "bep20")!;
const merchant = await api.merchant();
const rival = await api.merchant();
await fund(db, adapter, merchant.id, 1_000n * USDT);

type Body = RequestBody<"/withdrawals">;
let keys = 0;
const nextKey = () => `key-${++keys}`;
const BODY: Body = { network: "bep20", token: "usdt", amount: "12.5", to: DESTINATION };
const ask = (changes: Partial<Body> = {}, { key = merchant.test, once = nextKey() } = {}) =>
  api.client(key).POST("/withdrawals", {
    params: { header: { "idempotency-key": once } },
    body: { ...BODY, ...changes },
  });
const get = (refid: string, key = merchant.test) =>
  api.client(key).GET("/withdrawals/{refid}", { params: { path: { refid } } });
const cancel = (refid: string, key = merchant.test) =>
  api.client(key).POST("/withdrawals/{refid}/cancel", { params: { path: { refid } } });
const refund = (refid: string, changes: Partial<Body> = {}, key = merchant.test, once = nextKey()) =>
  api.client(key).POST("/payment-links/{refid}/refunds", {
    params: { path: { refid }, header: { "idempotency-key": once } },
    body: { ...BODY, ...changes },
  });
const count = () => db.$count(withdrawals);

test("reserves amount and fee, and is found by its reference, by nobody else", async () => {
  const { data, message } = successOf(await ask());
  assert.equal(message, "withdrawal created successfully");
  const { id, refid, created_at, updated_at, contract, ...rest } = data;
  assert.match(refid, /^[1-9][0-9]{15}$/);
  assert.deepEqual(rest, {
    ...{ checked: 1, status: 0, email: merchant.email, value: "12.5", _to: DESTINATION, token: "usdt" },
    ...{ network: "bep20", fee: "1", tx_hash: null, processed_at: null, waits_for_approval: 0 },
  });
  assert.deepEqual(successOf(await get(refid)).data, data);
  refused(await get(refid, rival.test), 404, "refid details not found");
  refused(await get("1"), 404, "refid details not found");
  assert.deepEqual((await checkLedger(db)).problems, []);
});

test("the same request again creates nothing, also at the same time and after the answer was forgotten", async () => {
  const before = await count();
  const once = nextKey();
  const answers = await Promise.all(Array.from({ length: 5 }, () => ask({}, { once })));
  const refids = new Set(answers.flatMap(({ data }) => data?.data.refid ?? []));
  assert.equal(refids.size, 1);
  await db.execute("delete from idempotency_keys");
  refids.add(successOf(await ask({}, { once })).data.refid);
  assert.deepEqual([refids.size, await count()], [1, before + 1]);
  const reused = "idempotency key already used with a different request";
  refused(await ask({ amount: "13" }, { once }), 409, reused);
  await db.execute("delete from idempotency_keys");
  refused(await ask({ amount: "13" }, { once }), 409, reused);
  const without = await api.send({ path: "/withdrawals", json: BODY, key: merchant.test });
  refused(without, 400, "idempotency key is required");
});

const setToken = (changes: Partial<typeof tokenSettings.$inferInsert>) =>
  db.update(tokenSettings).set(changes).where(eq(tokenSettings.token, "usdt"));
const setNetwork = (send: boolean) =>
  db.update(networkSettings).set({ send }).where(eq(networkSettings.network, "bep20"));

test("each refusal has its text, changes nothing, and is in the history", async () => {
  const own = await anAddress(db, adapter, merchant.id);
  const state = async () => [await count(), await accountsOf(db)];
  const before = await state();
  for (const [changes, status, message] of [
    [{ network: "nothing" }, 400, "unsupported network"],
    [{ token: "nothing" }, 400, "invalid token symbol"],
    [{ amount: "0" }, 400, "amount must be greater than 0"],
    [{ amount: "1e-30" }, 400, "amount has too many decimals"],
    [{ amount: "abc" }, 400, "(amount) must be a number"],
    [{ network: "trc20" }, 422, "withdrawals not enabled for network"],
    [{ token: "btc" }, 422, "token not available on network"],
    [{ to: "0x12" }, 400, "to must be an address of the network"],
    [{ to: adapter.addresses.display(own.address) }, 422, "to must not be an address of this service"],
    [{ to: `0x${"0".repeat(40)}` }, 422, "to must not be a token contract or an address without an owner"],
    [{ amount: "0.01" }, 422, "amount is below the smallest withdrawal"],
    [{ amount: "99999" }, 422, "insufficient balance"],
  ] as const)
    refused(await ask(changes as Partial<Body>), status, message);
  await setToken({ maximumSend: 20n * USDT });
  refused(await ask({ amount: "21" }), 422, "amount is above the largest withdrawal");
  await setToken({ maximumSend: 100_000n * USDT, send: false });
  refused(await ask(), 422, "withdrawals not enabled for token");
  await setToken({ send: true });
  await setNetwork(false);
  refused(await ask(), 422, "withdrawals not enabled for network");
  await setNetwork(true);
  assert.deepEqual(await state(), before);
  const attempts = await db.select().from(refusedAttempts).orderBy(refusedAttempts.id);
  assert.deepEqual(
    attempts.slice(-2).map(({ reason }) => reason),
    ["sends_disabled_for_token", "sends_disabled_for_network"],
  );
});

test("a live key asks only while the merchant has an IP list, and a key of another scope never", async () => {
  const live = () => ask({}, { key: merchant.live });
  refused(await live(), 403, "live keys do this only while the merchant has an ip list");
  await db.transaction((tx) => addIp(actOf(tx, merchant.id), { name: "here", address: "127.0.0.1" }));
  refused(await live(), 422, "insufficient balance");
});

test("what was not sent can be canceled, by its merchant alone; the reservation returns", async () => {
  const { refid } = successOf(await ask()).data;
  refused(await cancel(refid, rival.test), 404, "refid details not found");
  assert.equal(successOf(await cancel(refid)).data.status, 5);
  const late = "withdrawal cannot be canceled: a transaction was sent, or it has ended";
  refused(await cancel(refid), 409, late);
  await followAll({ db, networks, log: pino({ level: "silent" }) });
  assert.equal(successOf(await get(refid)).data.status, 2);
  const sent = successOf(await ask()).data.refid;
  assert.ok((await operatorSteps({ db, networks }).sent(sent, aHash())).ok);
  refused(await cancel(sent), 409, late);
  assert.deepEqual((await checkLedger(db)).problems, []);
});

test("a key's withdrawal waits for a second person too, if the merchant demands one", async () => {
  await db.insert(withdrawalPolicies).values({ merchantId: merchant.id, secondPerson: true });
  assert.equal(successOf(await ask()).data.waits_for_approval, 1);
  await db.delete(withdrawalPolicies);
});

test("a payment is refunded up to what was credited, and an unpaid or another's link is not", async () => {
  const nothing = "nothing is credited for this payment link on this network and in this token";
  const above = "amount is above what was credited and not refunded yet";
  refused(await refund(await aPaidLink(api, merchant, 0n)), 422, nothing);
  const link = await aPaidLink(api, merchant, 10n);
  refused(await refund(link, { amount: "10.5" }), 422, above);
  const once = nextKey();
  const first = successOf(await refund(link, { amount: "6" }, merchant.test, once));
  assert.equal(first.message, "refund created successfully");
  assert.deepEqual(successOf(await refund(link, { amount: "6" }, merchant.test, once)).data, first.data);
  refused(await refund(link, { amount: "6" }), 422, above);
  refused(await refund(link, { amount: "1" }, rival.test), 404, "refid details not found");
  refused(await refund("nothing", { amount: "1" }), 404, "refid details not found");
});
