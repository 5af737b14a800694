import assert from "node:assert/strict";
import { before, test } from "node:test";
import { creditMerchants } from "#lib/domain/ledger/credit-merchants.ts";
import { postTransfer } from "#lib/domain/ledger/post-transfers.ts";
import { reverseTransfer } from "#lib/domain/ledger/reverse-transfers.ts";
import { exportEntries, getStatement, isProved } from "#lib/domain/ledger/statements.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { planOf } from "#tests/support/plan-of.ts";

const database = await databaseOfFile({ isNew: true });
let merchantId: number;
const on = (day: string) => new Date(`2026-${day}T12:00:00.000Z`);
const MARCH = { env: "test", from: new Date("2026-03-01Z"), to: new Date("2026-04-01Z") } as const;

before(async () => {
  const rows = await database.db
    .insert(merchants)
    .values([
      { email: "a@example.com", name: "A" },
      { email: "b@example.com", name: "B" },
    ])
    .returning({ id: merchants.id });
  merchantId = rows[0]!.id;
  const deposit = (n: number, amount: bigint, at: Date, owner = merchantId) =>
    database.db.transaction((tx) => {
      const cause = `deposit:${n}:1`;
      const credit = {
        env: "test",
        token: "usdt",
        network: "bep20",
        merchantId: owner,
        amount,
        cause,
      } as const;
      return creditMerchants(tx, [credit], at, () => ({ price: "1", source: "kraken" }));
    });
  await deposit(1, 100n * 10n ** 18n, on("02-10"));
  await deposit(2, 30n * 10n ** 18n, on("03-02"));
  await deposit(3, 7n * 10n ** 18n, on("03-03"));
  await deposit(4, 5n * 10n ** 18n, on("03-04"), rows[1]!.id);
  await database.db.transaction((tx) =>
    reverseTransfer(tx, "deposit:3:1", "deposit:3:1:reversal", on("03-05")),
  );
  const own = `merchant:${merchantId}` as const;
  const out = { env: "test", token: "usdt", from: own, to: "reserved:1", amount: 20n * 10n ** 18n } as const;
  await database.db.transaction((tx) =>
    postTransfer(tx, { ...out, cause: "withdrawal:1:reserve" }, on("03-31")),
  );
  // Another withdrawal, of 9 and a fee of 1, was sent.
  const sent = { env: "test", token: "usdt", from: own, to: "reserved:2", amount: 10n * 10n ** 18n } as const;
  const fee = { ...sent, from: "reserved:2", to: "fees", amount: 10n ** 18n } as const;
  await database.db.transaction(async (tx) => {
    await postTransfer(tx, { ...sent, cause: "withdrawal:2:reserve" }, new Date("2026-03-31T13:00:00.000Z"));
    await postTransfer(tx, { ...fee, cause: "withdrawal:2:fee" }, new Date("2026-03-31T14:00:00.000Z"));
  });
  await deposit(5, 11n * 10n ** 18n, on("04-01"));
});

test("a statement opens with what was before, closes with the ledger's balance, and its movements prove it", async () => {
  const statement = await getStatement(database.db, { ...MARCH, merchantId });
  const whole = (units: bigint) => Number(units / 10n ** 18n);
  assert.deepEqual(
    statement.map(({ token, opening, closing, movements }) => [
      token,
      whole(opening),
      movements.map(({ kind, isReversal, count, amount }) => [kind, isReversal, count, whole(amount)]),
      whole(closing),
    ]),
    [
      [
        "usdt",
        100,
        [
          ["deposit", false, 2, 37],
          ["deposit", true, 1, -7],
          ["withdrawal", false, 2, -29],
          ["withdrawal fee", false, 1, -1],
        ],
        100,
      ],
    ],
  );
  assert.ok(statement.every(isProved));
  const [one] = statement;
  assert.equal(one && isProved({ ...one, opening: one.opening + 1n }), false);
  const april = { ...MARCH, merchantId, from: MARCH.to, to: new Date("2026-05-01Z") };
  assert.equal((await getStatement(database.db, april))[0]?.opening, 100n * 10n ** 18n);
  assert.deepEqual(await getStatement(database.db, { ...april, env: "live" }), []);
});

test("an export has each posting of the period once, with its value in USD, and the same when repeated", async () => {
  const read = async () =>
    (await Array.fromAsync(exportEntries(database.db, { ...MARCH, merchantId }))).flat();
  const entries = await read();
  assert.deepEqual(
    entries.map(({ cause: { subject, isReversal }, usd, priceSource }) => [
      subject,
      isReversal,
      usd,
      priceSource,
    ]),
    [
      ["withdrawal", false, null, null],
      ["withdrawal", false, null, null],
      ["deposit", true, -700_000_000n, "kraken"],
      ["deposit", false, 700_000_000n, "kraken"],
      ["deposit", false, 3_000_000_000n, "kraken"],
    ],
  );
  assert.deepEqual(await read(), entries);
});

test("a statement reads the postings of its month once, and keeps none of them", async () => {
  const plan = await planOf(database, (db) => getStatement(db, { ...MARCH, merchantId }));
  assert.doesNotMatch(plan, /CTE moved/);
  // One is the fee of the withdrawal that was sent. The others are summed as they are read.
  assert.match(plan, /CTE Scan on charged .*\(actual rows=1\.00 /);
  assert.match(plan, /HashAggregate|GroupAggregate/);
  // The transfers of all time are not read, however many there are.
  assert.match(plan, /\(id >= '?\d+'?(?:::bigint)?\) AND \(id <= '?\d+'?(?:::bigint)?\)/);
});
