import assert from "node:assert/strict";
import { before, test } from "node:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { type BuyDeps, buyToken } from "#lib/domain/ledger/buy-token.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { postTransfer } from "#lib/domain/ledger/post-transfers.ts";
import { priceTransfers } from "#lib/domain/ledger/price-transfers.ts";
import { getMerchantBalances, getStatistics, listLedgerAccounts } from "#lib/domain/ledger/queries.ts";
import { reverseTransfer } from "#lib/domain/ledger/reverse-transfers.ts";
import { usdValue } from "#lib/domain/ledger/value-rules.ts";
import type { Rates } from "#lib/domain/rates/types.ts";
import { withdrawalCauses } from "#lib/domain/withdrawals/rules.ts";
import { insertWithdrawal, updateWithdrawal } from "#lib/domain/withdrawals/store.ts";
import type { Withdrawal } from "#lib/domain/withdrawals/types.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { programActAt } from "#tests/support/acts.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { fund, units } from "#tests/support/fund.ts";
import { aMerchant } from "#tests/support/unmatched.ts";

const now = new Date("2026-03-01T12:00:00.000Z");
const PRICES: Record<string, string> = { usdt: "0.9998", btc: "61234.56789" };
const rates: Rates = {
  current: (token, currency) =>
    currency === "usd" && PRICES[token] ? { price: PRICES[token], source: "test", at: now } : null,
  refresh: async () => {},
  start: () => {},
  stop: () => {},
};
const database = await databaseOfFile();
let deps: BuyDeps;
let merchantCount = 0;
let withdrawalCount = 0;

before(async () => {
  deps = { db: database.db, rates, deskLimitUsd: 1_000_000, deskSpreadBps: 0 };
});

const newMerchant = () => aMerchant(database.db, `b${++merchantCount}@example.com`);
const order = (amount: string) =>
  ({ feePercentage: "1", token: "btc", amount: units("btc", amount) }) as const;

/**
 * A pending withdrawal with its reservation, posted like in createWithdrawal. Null if the balance is too
 * small.
 */
function reserve(merchantId: number, amount: bigint): Promise<Withdrawal | null> {
  withdrawalCount += 1;
  return database.db.transaction(async (tx) => {
    const refid = String(withdrawalCount);
    const values = {
      refid,
      env: "test",
      merchantId,
      token: "usdt",
      network: "bep20",
      toAddress: "0x01",
    } as const;
    const row = await insertWithdrawal(tx, { ...values, amount, fee: 0n }, now);
    assert.ok(row !== null);
    const transfer = {
      env: "test",
      token: "usdt",
      from: `merchant:${merchantId}`,
      to: `reserved:${row.id}`,
    } as const;
    const { posted } = await postTransfer(
      tx,
      { ...transfer, amount, cause: withdrawalCauses(row).reserve },
      now,
    );
    if (posted) return row;
    await updateWithdrawal(tx, row.id, { status: "failed" }, now);
    return null;
  });
}

/** Completes the withdrawal: the reserved amount leaves custody. */
async function send(row: Withdrawal): Promise<void> {
  await database.db.transaction(async (tx) => {
    const transfer = { env: "test", token: "usdt", from: `reserved:${row.id}`, to: "custody:bep20" } as const;
    await postTransfer(tx, { ...transfer, amount: row.amount, cause: withdrawalCauses(row).send }, now);
    await updateWithdrawal(tx, row.id, { status: "completed" }, now);
  });
}

/** Fails the withdrawal and reverses its reservation. */
async function refund(row: Withdrawal): Promise<void> {
  await database.db.transaction(async (tx) => {
    const { reserve: reservation, release } = withdrawalCauses(row);
    await reverseTransfer(tx, reservation, release, now);
    await updateWithdrawal(tx, row.id, { status: "failed" }, now);
  });
}

const clean = async () => assert.deepEqual((await checkLedger(database.db)).problems, []);

test("keeps the ledger check clean after credits, reversals, buys and reservations in any order", async () => {
  const merchant = fc.nat(1);
  const step = fc.oneof(
    fc.record({
      kind: fc.constant("credit" as const),
      merchant,
      usdt: fc.integer({ min: 1, max: 400 }),
      priced: fc.boolean(),
    }),
    fc.record({ kind: fc.constant("reverse" as const), credit: fc.nat(4) }),
    fc.record({
      kind: fc.constant("buy" as const),
      merchant,
      satoshi: fc.integer({ min: 2_000, max: 500_000 }),
    }),
    fc.record({ kind: fc.constant("reserve" as const), merchant, usdt: fc.integer({ min: 1, max: 200 }) }),
    fc.record({ kind: fc.constant("send" as const), reservation: fc.nat(2) }),
    fc.record({ kind: fc.constant("refund" as const), reservation: fc.nat(2) }),
    fc.record({ kind: fc.constant("price" as const) }),
  );
  // Random steps seldom credit enough for a buy.
  const aBuy = [
    { kind: "credit" as const, merchant: 0, usdt: 400, priced: true },
    { kind: "buy" as const, merchant: 0, satoshi: 500_000 },
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 16 }), async (steps) => {
      const { db } = database;
      const ids = [await newMerchant(), await newMerchant()];
      const credits: string[] = [];
      const reserved: Withdrawal[] = [];
      for (const s of steps) {
        if (s.kind === "credit") {
          const to = { merchantId: ids[s.merchant]!, token: "usdt", amount: String(s.usdt) } as const;
          credits.push(await fund(db, to, now, s.priced ? "1.01" : null));
        } else if (s.kind === "reverse") {
          const one = credits[s.credit];
          if (one) await db.transaction((tx) => reverseTransfer(tx, one, `${one}:reversal`, now));
        } else if (s.kind === "buy") {
          const amount = (s.satoshi / 1e8).toFixed(8);
          await buyToken(programActAt(db, ids[s.merchant]!, now), { deps, order: order(amount) });
        } else if (s.kind === "reserve") {
          const withdrawal = await reserve(ids[s.merchant]!, units("usdt", String(s.usdt)));
          if (withdrawal) reserved.push(withdrawal);
        } else if (s.kind === "price") {
          await priceTransfers(db, rates, now);
        } else {
          const [withdrawal] = reserved.splice(s.reservation, 1);
          if (withdrawal) await (s.kind === "send" ? send(withdrawal) : refund(withdrawal));
        }
      }
      await clean();
    }),
    { numRuns: 40, examples: [[aBuy]] },
  );
  await priceTransfers(database.db, rates, now);
  await clean();
  const sums = new Map<string, bigint>();
  for (const { token, balance } of await listLedgerAccounts(database.db, "test")) {
    sums.set(token, (sums.get(token) ?? 0n) + balance);
  }
  assert.deepEqual([...sums.values()], [0n, 0n]);
});

test("never overdraws with a hundred concurrent buys on the connections of two processes", async () => {
  const merchantId = await newMerchant();
  await fund(database.db, { merchantId, token: "usdt", amount: "2000" }, now);
  const cost = units("usdt", "61.23456789");
  const fee = units("usdt", "0.6123456789");
  const pools = [0, 1].map(() => openDatabase(database.url, { max: 20 }));
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, i) => {
      const { db } = pools[i % 2]!;
      const one = { deps: { ...deps, db }, order: order("0.001") };
      const act = programActAt(db, merchantId, now);
      // Two in three run like requests with an Idempotency-Key, the others through the batches of their pool.
      return i % 3 === 0 ? buyToken(act, one) : db.transaction((tx) => buyToken({ ...act, db: tx }, one));
    }),
  );
  const bought = outcomes.filter(({ ok }) => ok).length;
  assert.equal(bought, Number(units("usdt", "2000") / (cost + fee)));
  const reasons = outcomes.flatMap((outcome) => ("reason" in outcome ? [outcome.reason] : []));
  assert.deepEqual(new Set(reasons), new Set(["usdt_balance_too_small"]));
  const { units: left } = await getMerchantBalances(database.db, "test", merchantId);
  assert.equal(left.get("usdt"), units("usdt", "2000") - BigInt(bought) * (cost + fee));
  assert.equal(left.get("btc"), BigInt(bought) * units("btc", "0.001"));
  const { credit, debit } = await getStatistics(database.db, "test", merchantId);
  assert.equal(
    credit,
    2_000n * 10n ** 8n + BigInt(bought) * usdValue("btc", units("btc", "0.001"), PRICES.btc!),
  );
  assert.equal(
    debit,
    BigInt(bought) * (usdValue("usdt", cost, PRICES.usdt!) + usdValue("usdt", fee, PRICES.usdt!)),
  );
  await Promise.all(pools.map(({ close }) => close()));
  await clean();
});

test("rejects changes and deletes of posted rows", async () => {
  for (const table of ["ledger_transfers", "ledger_postings"]) {
    for (const statement of [
      `update ${table} set amount = amount`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
    ]) {
      await assert.rejects(database.db.execute(sql.raw(statement)), (error: Error) =>
        /append-only/.test(String(error.cause)),
      );
    }
  }
});

/** Statements that post a transfer like the first one, and then a row that does not belong to it. */
const transfer = (
  columns = "env, token, from_account_id, to_account_id",
) => `insert into ledger_transfers (env, token, from_account_id, to_account_id, amount, cause)
  select env, token, from_account_id, to_account_id, 1, 'stray'
  from (select ${columns} from ledger_transfers order by id limit 1) first`;
const posting = (columns: string) => `with posted as (${transfer()} returning *)
  insert into ledger_postings (transfer_id, account_id, amount, balance_before, balance_after)
  select id, account, amount, 0, amount from (select ${columns} from posted) p`;
const value = (columns: string) => `with posted as (${transfer()} returning *)
  insert into transfer_values (transfer_id, env, merchant_id, direction)
  select id, env, (select min(id) from merchants) + other, 'credit' from (select ${columns} from posted) v`;

const STRAYS: Readonly<Record<string, readonly string[]>> = {
  "a transfer is between": [
    transfer("env, token, 0 as from_account_id, to_account_id"),
    transfer("env, token, from_account_id, 0 as to_account_id"),
    transfer("env, 'sol' as token, from_account_id, to_account_id"),
    transfer("'live' as env, token, from_account_id, to_account_id"),
  ],
  "a posting is one": [
    posting("0 as id, from_account_id as account, -amount as amount"),
    posting("id, 0 as account, amount"),
    posting("id, to_account_id as account, -amount as amount"),
    posting("id, from_account_id as account, amount"),
    posting("id, from_account_id as account, -amount - 1 as amount"),
  ],
  "a value is that": [
    value("0 as id, env, 0 as other"),
    value("id, 'live' as env, 0 as other"),
    value("id, env, 1000000 as other"),
  ],
  "append-only": [
    "delete from ledger_accounts",
    "truncate ledger_accounts cascade",
    "update ledger_accounts set token = token",
    "update transfer_values set transfer_id = transfer_id",
    "delete from transfer_values",
  ],
};

test("rejects rows of the ledger that do not belong together", async () => {
  for (const [refusal, statements] of Object.entries(STRAYS)) {
    for (const statement of statements) {
      await assert.rejects(
        database.db.execute(sql.raw(statement)),
        (error: Error) => String(error.cause).includes(refusal),
        statement,
      );
    }
  }
  await clean();
});

test("ledger check reports rows without what they refer to", async () => {
  await database.db
    .transaction(async (tx) => {
      await tx.execute("set local session_replication_role = replica");
      await tx.execute(`insert into ledger_transfers (env, token, from_account_id, to_account_id, amount, cause, reversal_of)
      values ('test', 'usdt', -1, -2, 5, 'lost', -5)`);
      await tx.execute(`insert into ledger_postings (transfer_id, account_id, amount, balance_before, balance_after)
      select t.id, a.id, a.amount, 0, a.amount from ledger_transfers t, (values (-1, -5), (-2, 5)) a(id, amount)
      where cause = 'lost' union all values (-3, -1, 5, -5, 0)`);
      await tx.execute(
        "insert into transfer_values (transfer_id, env, merchant_id, direction) values (-4, 'test', 0, 'credit')",
      );
      await tx.execute(`insert into payment_links (refid, merchant_id, env, customer_id, customer_email, customer_first_name,
          customer_last_name, payment_reference, amount, currency, success_url, cancel_url, expires_at, wallet_pre_generated)
        values ('lost', (select min(id) from merchants), 'test', -7, '', '', '', '', 1, 'usd', '', '', now(), false)`);
      const { problems } = await checkLedger(tx);
      assert.deepEqual(
        problems.map((problem) => problem.replace(/(posting|transfer|reversal) \d+/, "$1 N")),
        [
          "posting N is of transfer -3, which does not exist",
          "transfer N (lost) is not between two accounts of test usdt",
          "reversal N is of transfer -5, which does not exist",
          "a value is that of transfer -4, which does not exist",
          "payment link lost has a merchant, customer, form or device that is not there, or of another merchant",
        ],
      );
      tx.rollback();
    })
    .catch((error) => assert.match(String(error), /Rollback/));
  await clean();
});

test("ledger check reports a buy that does not match its transfers", async () => {
  await database.db.execute("update buys set cost = cost + 1 where id = (select min(id) from buys)");
  const { problems } = await checkLedger(database.db);
  assert.equal(problems.length, 1);
  assert.match(problems[0]!, /^transfer buy:\d+:cost does not match its buy$/);
  await database.db.execute("update buys set cost = cost - 1 where id = (select min(id) from buys)");
  await clean();
});
