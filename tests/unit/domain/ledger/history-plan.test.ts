/** A page of history reads about a page, whatever the filter and however long the history is. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { listHistory } from "#lib/domain/ledger/queries.ts";
import type { HistoryFilter } from "#lib/domain/ledger/types.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { planOf } from "#tests/support/plan-of.ts";

/** Postings of the account. The plans are the same for a million. */
const POSTINGS = Number(process.env.PLAN_POSTINGS || 30_000);
/** One posting a minute, the newest at this time. */
const NEWEST = new Date("2026-03-01T12:00:00.000Z");
const LIMIT = 101;
const database = await databaseOfFile({ isNew: true });
let merchantId: number;

before(async () => {
  const client = await database.database.pool.connect();
  // Only the plans are of interest: without triggers and references a million rows take seconds.
  await client.query("set session_replication_role = replica");
  const { rows } = await client.query(
    "insert into merchants (email, name) values ('shop@example.com', 'Shop') returning id",
  );
  merchantId = Number(rows[0].id);
  await client.query(
    `insert into ledger_accounts (env, token, code, merchant_id)
      select 'test', t.token, t.code, t.merchant from (values
        ('usdt', 'custody:bep20', null), ('usdt', 'merchant:' || $1::bigint, $1::bigint),
        ('btc', 'merchant:' || $1::bigint, $1::bigint)) t (token, code, merchant)`,
    [merchantId],
  );
  // As many of a merchant who has done nothing for a long time.
  await client.query(
    `insert into ledger_postings (transfer_id, account_id, amount, balance_before, balance_after, created_at)
      select n, a.id, 1, 0, 1, $2::timestamptz - ($1 * 2 - n) * interval '1 minute'
      from generate_series(1, $1::integer) n, ledger_accounts a where a.token = 'btc'`,
    [POSTINGS, NEWEST],
  );
  // Three debits at the beginning, then credits only.
  await client.query(
    `insert into ledger_postings (transfer_id, account_id, amount, balance_before, balance_after, created_at)
      select n, a.id, v.amount, 0, v.amount, $2::timestamptz - ($1 - n) * interval '1 minute'
      from generate_series(1, $1::integer) n, ledger_accounts a,
        lateral (select (case when n <= 3 then -1 else 1 end) * case when a.merchant_id is null then -1 else 1 end as amount) v
      where a.token = 'usdt'`,
    [POSTINGS, NEWEST],
  );
  await client.query("set session_replication_role = default");
  await client.query("vacuum analyze ledger_postings, ledger_accounts, ledger_transfers");
  client.release();
});

const minutesBefore = (minutes: number) => new Date(NEWEST.getTime() - minutes * 60_000);

const FILTERS: Readonly<Record<string, [filter: Partial<HistoryFilter>, found: number]>> = {
  "no filter": [{}, LIMIT],
  credits: [{ direction: "credit" }, LIMIT],
  "debits, of which there are three at the other end": [{ direction: "debit" }, 3],
  "the last ten minutes": [{ since: minutesBefore(9) }, 10],
  "a time to come": [{ since: minutesBefore(-5) }, 0],
  "half of the history": [{ since: minutesBefore(POSTINGS / 2) }, LIMIT],
  "debits of the last ten minutes": [{ direction: "debit", since: minutesBefore(9) }, 0],
  "credits of the last ten minutes": [{ direction: "credit", since: minutesBefore(9) }, 10],
  "the last half of an account that did nothing in it": [
    { token: "btc", since: minutesBefore(POSTINGS - 20) },
    0,
  ],
  "debits of an account without any": [{ token: "btc", direction: "debit" }, 0],
};

for (const [name, [given, found]] of Object.entries(FILTERS)) {
  test(`reads about a page: ${name}`, async () => {
    const filter = {
      env: "test",
      merchantId,
      token: null,
      direction: null,
      since: null,
      status: "executed" as const,
      ...given,
    } as const;
    const page = { before: null, limit: LIMIT - 1 };
    const { entries, next } = await listHistory(database.db, filter, page);
    assert.equal(entries.length + (next === null ? 0 : 1), found);
    const plan = await planOf(database, (db) => listHistory(db, filter, page));
    const read = [...plan.matchAll(/(?:actual rows=|Rows Removed by Filter: )([0-9]+)/g)].map(([, n]) =>
      Number(n),
    );
    assert.ok(Math.max(...read) <= 10 * LIMIT, plan);
    assert.doesNotMatch(plan, /Seq Scan on ledger_postings/, plan);
  });
}
