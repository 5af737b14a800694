import assert from "node:assert/strict";
import { before, test } from "node:test";
import { recordRefusedAttempt } from "#lib/domain/ledger/record-refused-attempt.ts";
import { refusedAttempts } from "#lib/domain/ledger/tables.ts";
import type { RequestBody, RequestQuery } from "#packages/client/src/client.ts";
import { startTestApi } from "#tests/support/api.ts";
import { fund, units } from "#tests/support/fund.ts";
import { LAST_PAGE, refused, succeeded, successOf } from "#tests/support/says.ts";

const api = await startTestApi();
const { db } = api.database;
const merchant = await api.merchant();
const otherMerchant = await api.merchant();
const { email } = merchant;
const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute, 0, 250));

type Body = RequestBody<"/history">;
type Query = RequestQuery<"/history", "post">;
const ask = (body: Body, query: Query = {}, key = merchant.test) =>
  api.client(key).POST("/history", { params: { query }, body });
const send = (form: Record<string, string>) => api.send({ path: "/history", form, key: merchant.test });

interface Listed {
  readonly data: { readonly history: readonly Record<string, unknown>[] };
}
/** "1 credit btc 2" for each entry. */
const brief = ({ data }: Listed) =>
  data.history.map((e) => `${e.status} ${e.direction} ${e.token} ${e.amount}`);

const ALL = [
  "1 credit usdt 4",
  "0 debit btc 9",
  "1 credit btc 0.5",
  "0 credit eth 7",
  "1 credit usdt 3",
  "1 credit usdt 1.000000000000000001",
];

before(async () => {
  const refuse = (token: "btc" | "eth", direction: "credit" | "debit", whole: string, minute: number) => {
    const [amount, balance] = [units(token, whole), units(token, "0.5")];
    const attempt = { env: "test", merchantId: merchant.id, token, direction, amount, balance } as const;
    return recordRefusedAttempt(db, { ...attempt, reason: "usdt_balance_too_small" }, at(minute));
  };
  const give = (token: "usdt" | "btc", amount: string, minute: number) =>
    fund(db, { merchantId: merchant.id, token, amount }, at(minute));
  await give("usdt", "1.000000000000000001", 0);
  await give("usdt", "3", 1);
  await refuse("eth", "credit", "7", 2);
  await give("btc", "0.5", 3);
  await refuse("btc", "debit", "9", 4);
  await give("usdt", "4", 5);
  await fund(db, { merchantId: merchant.id, token: "usdt", amount: "8", env: "live" }, at(6));
  await fund(db, { merchantId: otherMerchant.id, token: "usdt", amount: "9" }, at(6));
});

test("lists postings and refused attempts, newest first, complete and exact", async () => {
  const response = await ask({ email });
  const { history } = successOf(response).data;
  assert.ok(history.every(({ id }) => Number.isInteger(id)));
  const expected = [
    [1, "credit", "usdt", "4", "4.000000000000000001", "8.000000000000000001"],
    [0, "debit", "btc", "9", "0.5", "0.5"],
    [1, "credit", "btc", "0.5", "0", "0.5"],
    [0, "credit", "eth", "7", "0.5", "0.5"],
    [1, "credit", "usdt", "3", "1.000000000000000001", "4.000000000000000001"],
    [1, "credit", "usdt", "1.000000000000000001", "0", "1.000000000000000001"],
  ].map(([status, direction, token, amount, balance_before, balance_after], i) => ({
    ...{ id: history[i]?.id, status, direction, balance_before, balance_after, token, amount, email },
    ...{ created_at: at(5 - i).toISOString(), updated_at: at(5 - i).toISOString(), deleted_at: null },
  }));
  succeeded(response, "history retrieved successfully", { history: expected }, LAST_PAGE);
  const { text } = await send({ email });
  assert.match(text, /"balance_before":4\.000000000000000001,"balance_after":8\.000000000000000001,/);
});

for (const [filter, expected] of [
  [{ token: "btc" }, ["0 debit btc 9", "1 credit btc 0.5"]],
  [{ token: "btc", network: "nowhere" }, ["0 debit btc 9", "1 credit btc 0.5"]],
  [{ direction: "debit" }, ["0 debit btc 9"]],
  [{ direction: "credit", token: "btc" }, ["1 credit btc 0.5"]],
  [{ status: 0 }, ["0 debit btc 9", "0 credit eth 7"]],
  [
    { status: 1, token: "usdt" },
    ["1 credit usdt 4", "1 credit usdt 3", "1 credit usdt 1.000000000000000001"],
  ],
  [{ timestamp: "2026-03-01 12:04:00" }, ALL.slice(0, 2)],
  [{ timestamp: "2026-03-01 12:04:01" }, ALL.slice(0, 1)],
  [{ timestamp: "2026-03-01" }, ALL],
  [{ timestamp: "2026-03-02" }, []],
  [{ email: email.toUpperCase() }, ALL],
] as const) {
  test(`filters by ${JSON.stringify(filter)} and counts, from JSON and from a form`, async () => {
    const response = successOf(await ask({ email, ...filter }, { count: "1" }));
    assert.deepEqual(brief(response), expected);
    assert.deepEqual(response.meta, { has_more: false, next_cursor: null, total: expected.length });
    const texts = Object.entries(filter).map(([name, value]) => [
      name,
      name === "token" ? String(value).toUpperCase() : String(value),
    ]);
    const { body } = await send({ email, ...Object.fromEntries(texts) });
    // This body has floats. The exact numbers of the client are compared above.
    assert.deepEqual(
      brief(body as Listed),
      expected.map((line) => line.replace(/1\.0+1$/, "1")),
    );
  });
}

test("keeps the newest thousand refused attempts of a merchant", async () => {
  const own = await api.merchant();
  const attempt = { env: "test", merchantId: own.id, token: "btc", direction: "credit" } as const;
  const refuse = (i: number) => ({
    ...attempt,
    amount: BigInt(i),
    balance: 0n,
    reason: "buys_disabled" as const,
  });
  const older = Array.from({ length: 1_000 }, (_, i) => ({ ...refuse(i + 1), createdAt: at(0) }));
  await db.insert(refusedAttempts).values(older);
  for (const i of [1_001, 1_002, 1_003]) await recordRefusedAttempt(db, refuse(i), at(0));
  const { data, meta } = successOf(
    await ask({ email: own.email, status: 0 }, { count: "1", limit: 2 }, own.test),
  );
  assert.deepEqual(
    data.history.map(({ amount }) => amount),
    ["0.00001003", "0.00001002"],
  );
  assert.equal(meta.total, 1_000);
});

for (const [form, message] of [
  [{}, "(email) not found in request body"],
  [{ email: "" }, "(email) not found in request body"],
  [{ email: "nobody", direction: "up" }, "direction must be credit or debit"],
  [{ email, token: "xyz", direction: "up" }, "invalid token symbol"],
  [{ email, direction: "up", status: "2" }, "direction must be credit or debit"],
  [{ email, status: "2" }, "status must be 0 or 1"],
  [{ email, status: "success" }, "status must be 0 or 1"],
] as [Record<string, string>, string][]) {
  test(`refuses ${JSON.stringify(form)}`, async () => refused(await send(form), 400, message));
}

for (const timestamp of ["yesterday", "2026-02-30", "2026-03-01 24:00:00", "2026-03-01T12:00:00Z"]) {
  test(`refuses the timestamp ${timestamp}`, async () => {
    const message = "timestamp must be YYYY-MM-DD or YYYY-MM-DD HH:MM:SS";
    refused(await ask({ email, timestamp }), 400, message);
  });
}

test("refuses the email of another merchant", async () => {
  refused(await ask({ email: otherMerchant.email }), 403, "Invalid merchant");
});
