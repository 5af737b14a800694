import assert from "node:assert/strict";
import { after, test } from "node:test";
import { and, eq } from "drizzle-orm";
import { apiKeys, buys, tokenSettings } from "#lib/db/schema.ts";
import { checkLedger } from "#lib/ledger/check-ledger.ts";
import type { TokenCode } from "#lib/money/tokens.ts";
import { startApi, type TestAnswer, type TestApi, type TestMerchant } from "#tests/support/api.ts";
import { fund, units } from "#tests/support/fund.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const EARLIER = new Date("2026-03-01T11:00:00.000Z");
const api = await startApi({ now: () => AT });
const limited = await startApi({ now: () => AT, deskLimitUsd: 1_000 });
after(() => Promise.all([api.close(), limited.close()]));

const SUCCESS = {
  status: 200,
  body: { status: "success", message: "buy completed successfully", data: null },
};
const refused = (status: number, message: string) => ({ status, body: { status: "fail", message } });
const shown = ({ status, body }: TestAnswer) => ({ status, body });

const post = (
  at: TestApi,
  path: string,
  form: Record<string, string>,
  key: string,
  idempotencyKey?: string,
) =>
  at.send({
    path,
    form,
    headers: {
      [key.startsWith("pl_live_") ? "x-api-key" : "x-staging-api-key"]: key,
      ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
    },
  });
const buy = async (form: Record<string, string>, by: TestMerchant, idempotencyKey?: string) =>
  shown(await post(api, "/trade/buy", form, by.test, idempotencyKey));

async function balances(of: TestMerchant, at = api): Promise<Record<string, unknown>> {
  const { body } = await post(at, "/balances", {}, of.test);
  return (body as { data: { balance: Record<string, unknown> } }).data.balance;
}
async function history(of: TestMerchant, form: Record<string, string> = {}): Promise<string[]> {
  const { body } = await post(api, "/history", { email: of.email, ...form }, of.test);
  const { history } = (body as { data: { history: Record<string, unknown>[] } }).data;
  return history.map(
    (e) => `${e.status} ${e.direction} ${e.token} ${e.amount}: ${e.balance_before} → ${e.balance_after}`,
  );
}
async function funded(usdt: string, at = api): Promise<TestMerchant> {
  const merchant = await at.merchant();
  await fund(at.database.db, { merchantId: merchant.id, token: "usdt", amount: usdt }, EARLIER);
  return merchant;
}
const clean = async (at = api) => assert.deepEqual((await checkLedger(at.database.db)).problems, []);
const buysOf = (merchant: TestMerchant) =>
  api.database.db.select().from(buys).where(eq(buys.merchantId, merchant.id));

test("a buy takes cost and fee from USDT and gives the token, in one go", async () => {
  const merchant = await funded("1000");
  assert.deepEqual(await buy({ amount: "0.01", token: "btc" }, merchant), SUCCESS);
  const { usdt, btc } = await balances(merchant);
  assert.deepEqual([usdt, btc], [394, 0.01]);
  assert.deepEqual(await history(merchant), [
    "1 credit btc 0.01: 0 → 0.01",
    "1 debit usdt 6: 400 → 394",
    "1 debit usdt 600: 1000 → 400",
    "1 credit usdt 1000: 0 → 1000",
  ]);
  const [row, ...others] = await buysOf(merchant);
  assert.deepEqual(others, []);
  assert.deepEqual(row, {
    ...{ id: row?.id, env: "test", merchantId: merchant.id, token: "btc", amount: 1_000_000n },
    ...{ cost: units("usdt", "600"), fee: units("usdt", "6") },
    ...{ price: "60000", priceSource: "fixed", priceAt: AT, createdAt: AT },
  });
  const { body } = await api.send({
    path: "/analytics/stats",
    headers: { "x-staging-api-key": merchant.test },
  });
  assert.deepEqual((body as { data: unknown }).data, {
    ...{ total_volume: 2_206, total_credit: 1_600, total_debit: 606 },
  });
  await clean();
});

test("JSON, upper case and the least fee: cost and fee are rounded up to the last unit", async () => {
  const merchant = await funded("10");
  const headers = { "x-staging-api-key": merchant.test };
  const json = { amount: 0.00002, token: "BTC" };
  assert.deepEqual(shown(await api.send({ path: "/trade/buy", json, headers })), SUCCESS);
  // 1.2 and, since 1 % of it is 0.012, no least fee of 0.01.
  assert.equal((await balances(merchant)).usdt, 8.788);
  await clean();
});

const set = (token: TokenCode, changes: Partial<typeof tokenSettings.$inferInsert>) =>
  api.database.db
    .update(tokenSettings)
    .set(changes)
    .where(and(eq(tokenSettings.env, "test"), eq(tokenSettings.token, token)));

const poor = await funded("600");
const MALFORMED = [
  [{}, refused(400, "(amount) not found in request body")],
  [{ amount: "", token: "btc" }, refused(400, "(amount) not found in request body")],
  [{ amount: "abc" }, refused(400, "(token) not found in request body")],
  [{ amount: "abc", token: "btc" }, refused(400, "(amount) must be a number")],
  [{ amount: "0x10", token: "btc" }, refused(400, "(amount) must be a number")],
  [{ amount: "0", token: "btc" }, refused(400, "amount must be greater than 0")],
  [{ amount: "-1", token: "btc" }, refused(400, "amount must be greater than 0")],
  [{ amount: "-0", token: "xyz" }, refused(400, "amount must be greater than 0")],
  [{ amount: "1", token: "xyz" }, refused(400, "invalid token symbol")],
  [{ amount: "0.000000001", token: "xyz" }, refused(400, "invalid token symbol")],
  [{ amount: "0.000000001", token: "btc" }, refused(400, "amount has too many decimals")],
  [{ amount: "1e400", token: "btc" }, refused(400, "amount is too large")],
] as const;
const RULED = [
  [{ amount: "1", token: "usdt" }, refused(422, "buys not currently enabled for token")],
  [{ amount: "0.00001", token: "ltc" }, refused(422, "buys not currently enabled for token")],
  [{ amount: "0.00001999", token: "btc" }, refused(422, "amount cannot be less than 0.00002")],
  [{ amount: "1.00000001", token: "btc" }, refused(422, "amount cannot be more than 1")],
  [{ amount: "0.0004", token: "eth" }, refused(422, "amount cannot be less than 0.0005")],
  [{ amount: "1", token: "eth" }, refused(503, "unable to get token data")],
  [{ amount: "0.01", token: "btc" }, refused(422, "insufficient USDT balance")],
] as const;

for (const [form, expected] of MALFORMED) {
  test(`refused, and kept nowhere: ${JSON.stringify(form)}`, async () => {
    const before = await history(poor);
    assert.deepEqual(await buy(form, poor), expected);
    assert.deepEqual(await history(poor), before);
  });
}

for (const [form, expected] of RULED) {
  for (const idempotencyKey of [undefined, "a-key"]) {
    test(`refused, in history: ${JSON.stringify(form)}${idempotencyKey ? " with a key" : ""}`, async () => {
      await set("ltc", { buy: false });
      const before = { balance: await balances(poor), history: await history(poor) };
      assert.deepEqual(await buy(form, poor, idempotencyKey), expected);
      const standing = form.token === "usdt" ? 600 : 0;
      assert.deepEqual(
        { balance: await balances(poor), history: await history(poor) },
        {
          balance: before.balance,
          history: [
            `0 credit ${form.token} ${Number(form.amount)}: ${standing} → ${standing}`,
            ...before.history,
          ],
        },
      );
      assert.deepEqual(await buysOf(poor), []);
      await clean();
    });
  }
}

test("a token whose buys are off is refused before anything else about it, and again allowed at once", async () => {
  const merchant = await funded("1000");
  await set("btc", { buy: false });
  const off = refused(422, "buys not currently enabled for token");
  assert.deepEqual(await buy({ amount: "99", token: "btc" }, merchant), off);
  await set("btc", { buy: true, status: false });
  assert.deepEqual(await buy({ amount: "0.01", token: "btc" }, merchant), off);
  await set("btc", { status: true });
  assert.deepEqual(await buy({ amount: "0.01", token: "btc" }, merchant), SUCCESS);
  const live = await post(api, "/trade/buy", { amount: "0.01", token: "btc" }, merchant.live);
  assert.deepEqual(shown(live), off);
});

test("a fee that is not below the cost is refused", async () => {
  const merchant = await funded("1000");
  await set("btc", { minimumFee: units("usdt", "6") });
  const tooHigh = refused(422, "fee cannot be greater than or equal to amount");
  assert.deepEqual(await buy({ amount: "0.0001", token: "btc" }, merchant), tooHigh);
  assert.deepEqual(await buy({ amount: "0.00010001", token: "btc" }, merchant), SUCCESS);
  await set("btc", { minimumFee: units("usdt", "0.01") });
  assert.equal((await balances(merchant)).usdt, 1000 - 6.0006 - 6);
  await clean();
});

test("past the desk's limit nothing more is sold", async () => {
  const merchant = await funded("5000", limited);
  const ask = async (amount: string) =>
    shown(await post(limited, "/trade/buy", { amount, token: "btc" }, merchant.test));
  assert.deepEqual(await ask("0.01"), SUCCESS);
  assert.deepEqual(await ask("0.00666667"), refused(422, "buys not currently enabled for token"));
  assert.deepEqual(await ask("0.00666666"), SUCCESS);
  assert.equal((await balances(merchant, limited)).btc, 0.01666666);
  await clean(limited);
});

test("one Idempotency-Key buys once; a refusal leaves the key free", async () => {
  const merchant = await api.merchant();
  const form = { amount: "0.01", token: "btc" };
  assert.deepEqual(await buy(form, merchant, "once"), refused(422, "insufficient USDT balance"));
  await fund(api.database.db, { merchantId: merchant.id, token: "usdt", amount: "5000" }, AT);
  const answers = await Promise.all(Array.from({ length: 20 }, () => buy(form, merchant, "once")));
  assert.deepEqual(answers, Array(20).fill(SUCCESS));
  assert.equal((await balances(merchant)).usdt, 4_394);
  assert.equal((await buysOf(merchant)).length, 1);
  assert.deepEqual(
    await buy({ amount: "0.02", token: "btc" }, merchant, "once"),
    refused(409, "idempotency key already used with a different request"),
  );
});

test("a hundred buys at once on one balance: as many as it pays for, to the unit", async () => {
  const merchant = await funded("2242.7");
  const form = { amount: "0.001", token: "btc" };
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => buy(form, merchant, i % 3 === 0 ? `key-${i}` : undefined)),
  );
  const outcomes = Map.groupBy(answers, ({ status }) => status);
  // 60.6 each.
  assert.deepEqual([outcomes.get(200)?.length, outcomes.get(422)?.length, outcomes.size], [37, 63, 2]);
  assert.deepEqual(new Set(outcomes.get(422)?.map(({ body }) => JSON.stringify(body))).size, 1);
  const { usdt, btc } = await balances(merchant);
  assert.deepEqual([usdt, btc], [0.5, 0.037]);
  assert.equal((await history(merchant, { status: "0" })).length, 63);
  assert.equal((await buysOf(merchant)).length, 37);
  await clean();
});

test("only a full key may buy", async () => {
  const merchant = await funded("1000");
  for (const scope of ["read", "payment-links"] as const) {
    await api.database.db.update(apiKeys).set({ scope }).where(eq(apiKeys.merchantId, merchant.id));
    const answer = await buy({ amount: "0.01", token: "btc" }, merchant);
    assert.deepEqual(answer, refused(403, "api key not allowed for this operation"));
  }
  const { status, body } = await api.send({ path: "/trade/buy", form: { amount: "1", token: "btc" } });
  assert.deepEqual({ status, body }, refused(401, "invalid api key"));
});
