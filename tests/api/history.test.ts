import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { RequestBody, RequestQuery } from "#lib/client/client.ts";
import { recordRefusedAttempt } from "#lib/domain/ledger/record-refused-attempt.ts";
import { startApi } from "#tests/support/api.ts";
import { fund, units } from "#tests/support/fund.ts";
import { refused, says, successOf } from "#tests/support/says.ts";

const api = await startApi();
after(() => api.close());
const { db } = api.database;
const merchant = await api.merchant();
const otherMerchant = await api.merchant();
const { email } = merchant;
const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute, 0, 250));

type Body = RequestBody<"/history">;
type Query = RequestQuery<"/history", "post">;
const ask = (body: Body, query: Query = {}, key = merchant.test) =>
  api.client(key).POST("/history", { params: { query }, body });
const send = (form: Record<string, string>, query = "") =>
  api.send({ path: `/history${query}`, form, headers: { "x-staging-api-key": merchant.test } });

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
  const refuse = (token: "btc" | "eth", direction: "credit" | "debit", amount: string, minute: number) =>
    recordRefusedAttempt(
      db,
      {
        ...{ env: "test", merchantId: merchant.id, token, direction, amount: units(token, amount) },
        ...{ balance: units(token, "0.5"), reason: "usdt_balance_too_small" },
      },
      at(minute),
    );
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
  const common = { email, deleted_at: null };
  const times = (minute: number) => ({
    created_at: at(minute).toISOString(),
    updated_at: at(minute).toISOString(),
  });
  const expected = [
    {
      status: 1,
      direction: "credit",
      balance_before: "4.000000000000000001",
      balance_after: "8.000000000000000001",
      token: "usdt",
      amount: "4",
      ...times(5),
    },
    {
      status: 0,
      direction: "debit",
      balance_before: "0.5",
      balance_after: "0.5",
      token: "btc",
      amount: "9",
      ...times(4),
    },
    {
      status: 1,
      direction: "credit",
      balance_before: "0",
      balance_after: "0.5",
      token: "btc",
      amount: "0.5",
      ...times(3),
    },
    {
      status: 0,
      direction: "credit",
      balance_before: "0.5",
      balance_after: "0.5",
      token: "eth",
      amount: "7",
      ...times(2),
    },
    {
      status: 1,
      direction: "credit",
      balance_before: "1.000000000000000001",
      balance_after: "4.000000000000000001",
      token: "usdt",
      amount: "3",
      ...times(1),
    },
    {
      status: 1,
      direction: "credit",
      balance_before: "0",
      balance_after: "1.000000000000000001",
      token: "usdt",
      amount: "1.000000000000000001",
      ...times(0),
    },
  ];
  assert.ok(history.every(({ id }) => Number.isInteger(id)));
  says(response, 200, {
    status: "success",
    message: "history retrieved successfully",
    data: { history: expected.map((entry, i) => ({ id: history[i]?.id, ...entry, ...common })) },
    meta: { has_more: false, next_cursor: null },
  });
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

for (const limit of [1, 2, 3, 5]) {
  test(`pages of ${limit} give the same list, even with new entries in between`, async () => {
    const own = await api.merchant();
    const minutes = [0, 1, 2, 3, 4, 5, 6];
    const add = async (minute: number) => {
      const attempt = { env: "test", merchantId: own.id, token: "eth", direction: "credit" } as const;
      const amounts = { amount: units("eth", String(minute + 1)), balance: 0n, reason: "buys_disabled" };
      if (minute % 3 === 1) await recordRefusedAttempt(db, { ...attempt, ...amounts }, at(minute));
      else
        await fund(
          db,
          { merchantId: own.id, token: minute % 2 === 0 ? "usdt" : "btc", amount: String(minute + 1) },
          at(minute),
        );
    };
    for (const minute of minutes) await add(minute);
    const whole = brief(successOf(await ask({ email: own.email }, {}, own.test)));
    assert.deepEqual(
      whole.map((line) => line.split(" ")[3]),
      ["7", "6", "5", "4", "3", "2", "1"],
    );
    const seen: string[] = [];
    for (let cursor = ""; ; ) {
      const part = successOf(await ask({ email: own.email }, { limit, count: "1", cursor }, own.test));
      seen.push(...brief(part));
      const { has_more, next_cursor } = part.meta;
      await add(10);
      await add(11);
      if (!has_more) {
        assert.equal(next_cursor, null);
        break;
      }
      cursor = String(next_cursor);
    }
    assert.deepEqual(seen, whole);
  });
}

test("keeps the newest thousand refused attempts of a merchant", async () => {
  const own = await api.merchant();
  for (let i = 1; i <= 1_003; i += 1) {
    const attempt = { env: "test", merchantId: own.id, token: "btc", direction: "credit" } as const;
    await recordRefusedAttempt(
      db,
      { ...attempt, amount: BigInt(i), balance: 0n, reason: "buys_disabled" },
      at(0),
    );
  }
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

for (const [query, message] of [
  [{ cursor: "12" }, "invalid cursor"],
  [{ cursor: "12-" }, "invalid cursor"],
  [{ cursor: "0-1" }, "invalid cursor"],
  [{ limit: 501 }, "limit must be between 1 and 500"],
] as const) {
  test(`refuses the query ${JSON.stringify(query)}`, async () =>
    refused(await ask({ email }, query), 400, message));
}

test("refuses the email of another merchant", async () => {
  refused(await ask({ email: otherMerchant.email }), 403, "Invalid merchant");
});

test("requires a key", async () => {
  refused(await api.send({ path: "/history", form: { email } }), 401, "invalid api key");
});
