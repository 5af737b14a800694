import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { listDeposits, listTransactionDeposits } from "#lib/domain/deposits/queries.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { evmHash } from "#tests/support/deposits.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { planOf } from "#tests/support/plan-of.ts";
import { aMerchant, anAddress } from "#tests/support/unmatched.ts";
import { bep20 } from "#tests/support/watched-chain.ts";

const database = await databaseOfFile({ isNew: true });
const { db } = database;
const adapter = bep20("http://127.0.0.1:9").find("test", "bep20")!;
const merchantId = await aMerchant(db, "shop@example.com");
const owner = { merchantId, env: "test" } as const;
const addresses: number[] = [];
for (let i = 0; i < 3; i++) addresses.push((await anAddress(db, adapter, merchantId)).id);

/** Inserts `count` deposits at an address with one statement. */
const insert = (count: number, addressId: number, status: number, at = 0) =>
  db.execute(`insert into deposits (env, network, token, merchant_id, address_id, tx_hash, position, amount, status,
      required_confirmations, first_seen_at, unmatched_reason)
    select 'test', 'bep20', case when n % 2 = 0 then 'usdt' else 'btc' end, ${merchantId}, ${addressId},
      '0x' || lpad(to_hex(${at} + n), 64, '0'), 0, n + 1, ${status}, 1, now(),
      case when ${status} = 3 then 'no_purpose' end
    from generate_series(0, ${count} - 1) n`);

const wrong = async () => (await checkLedger(db)).problems.filter((problem) => problem.startsWith("address"));
const paidAddresses = async () => {
  const counts = await database.database.pool.query("select count::int from paid_address_counts");
  const paid = await database.database.pool.query(
    "select count(distinct address_id)::int as count from deposit_totals having count(*) > 0",
  );
  return [counts.rows, paid.rows];
};

test("the totals are the sums of the credited deposits, whatever statement changes them", async () => {
  let made = 0;
  const change = fc.oneof(
    fc.record({ insert: fc.nat(20), address: fc.nat(2), status: fc.nat(3) }),
    fc.record({ from: fc.nat(3), to: fc.nat(3), step: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ move: fc.nat(2), to: fc.nat(2) }),
    fc.record({ swap: fc.integer({ min: 1, max: 5 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
      for (const one of changes) {
        if ("insert" in one) {
          await insert(one.insert, addresses[one.address]!, one.status, made);
          made += one.insert;
        } else if ("step" in one) {
          await db.execute(`update deposits set status = ${one.to}, unmatched_reason = 'x', amount = amount + 1
            where status = ${one.from} and id % ${one.step} = 0`);
        } else if ("move" in one) {
          await db.execute(`update deposits set address_id = ${addresses[one.to]!}
            where address_id = ${addresses[one.move]!} and id % 3 = 0`);
        } else {
          await db.execute(`update deposits set token = case token when 'usdt' then 'btc' else 'usdt' end
            where id % ${one.swap} = 0`);
        }
      }
      assert.deepEqual(await wrong(), []);
      const [counted, paid] = await paidAddresses();
      assert.deepEqual(counted, paid, "each paid address is counted once");
    }),
    { numRuns: 30 },
  );
});

test("concurrent credits and reversals at one address keep the total right", async () => {
  const { id } = await anAddress(db, adapter, merchantId);
  await insert(200, id, 0, 5_000_000);
  await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      await db.execute(`update deposits set status = 1 where address_id = ${id} and id % 20 = ${i}`);
      await db.execute(`update deposits set status = 2 where address_id = ${id} and id % 40 = ${i}`);
    }),
  );
  assert.deepEqual(await wrong(), []);
});

test("the ledger check finds a total that differs from its deposits", async () => {
  await db.execute("update deposit_totals set total = total + 1 where token = 'btc'");
  const problems = await wrong();
  assert.ok(problems.length > 0);
  assert.match(problems[0]!, /^address \d+ has a total of \d+ btc, but its credited deposits add up to \d+$/);
  await db.execute("update deposit_totals set total = total - 1 where token = 'btc'");
  assert.deepEqual(await wrong(), []);
});

test("a list and a lookup read only what they return from indexes, with many deposits at one address", async () => {
  const { id } = await anAddress(db, adapter, merchantId);
  await insert(20_000, id, 1, 10_000_000);
  await db.execute("analyze");
  const asked = {
    txHash: evmHash(10_000_005),
    network: null,
    position: null,
    statuses: ["credited"],
  } as const;
  for (const [name, indexes, read] of [
    [
      "the credited",
      /using deposits_credited /,
      (watched: Db) => listDeposits(watched, owner, ["credited"], { before: null, limit: 501 }),
    ],
    [
      "a later page",
      /using deposits_credited /,
      (watched: Db) => listDeposits(watched, owner, ["credited"], { before: 15_000, limit: 501 }),
    ],
    [
      "all",
      /using deposits_merchant /,
      (watched: Db) =>
        listDeposits(watched, owner, ["credited", "seen", "dropped"], { before: null, limit: 501 }),
    ],
    ["one", /using deposits_hash /, (watched: Db) => listTransactionDeposits(watched, owner, asked)],
  ] as const) {
    const plan = await planOf(database, read);
    assert.match(plan, indexes, `${name}\n${plan}`);
    assert.doesNotMatch(plan, /Seq Scan on deposits /, `${name}\n${plan}`);
    const most = Math.max(
      ...[...plan.matchAll(/actual rows=(\d+)[^\n]* loops=(\d+)/g)].map(([, n, l]) => Number(n) * Number(l)),
    );
    assert.ok(most <= 600, `${name} reads ${most} rows in a step\n${plan}`);
  }
});
