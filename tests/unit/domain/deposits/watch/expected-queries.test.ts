import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "drizzle-orm";
import { hasBegun, isPaymentExpected } from "#lib/domain/deposits/watch/expected-queries.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { planOf } from "#tests/support/plan-of.ts";

const scope = { env: "live", network: "bep20" } as const;
const DAY_AGO = new Date("2026-03-01T12:00:00Z");
const HEIGHT = 1_000;

/**
 * On bep20: 10,000 addresses of links that have ended, with a credited deposit and a completed withdrawal each, and an old
 * address of a customer. On base: as many links, all open.
 */
const t = await databaseOfFile({ isNew: true });
await t.database.pool.query(`
  insert into merchants (id, email, name) overriding system value values (1, 'shop@example.com', 'Shop');
  insert into customers (id, merchant_id, env, email, first_name, last_name) overriding system value values (1, 1, 'live', 'c@example.com', 'Ada', 'Obi');
  insert into account_keys (id, env, key) overriding system value values (1, 'live', 'key');
  insert into addresses (id, env, network, address, account_key_id, index, path, merchant_id, purpose, customer_id, created_at) overriding system value
    select n, 'live', case when n > 10000 then 'base' else 'bep20' end, 'a' || n, 1, n, 'm/' || n, 1,
      case when n = 10000 then 'customer' else 'payment_link' end, case when n = 10000 then 1 end, '2026-02-01'
    from generate_series(1, 20000) n;
  insert into payment_links (id, refid, merchant_id, env, customer_id, customer_email, customer_first_name,
      customer_last_name, payment_reference, amount, currency, success_url, cancel_url, expires_at,
      wallet_pre_generated, state, next_check_at, created_at, updated_at) overriding system value
    select n, 'r' || n, 1, 'live', 1, 'c@example.com', 'Ada', 'Obi', 'R' || n, 1, 'usd', 'https://a.example',
      'https://a.example', '2027-01-01', false, case when n > 10000 then 'open' else 'completed' end,
      case when n > 10000 then timestamptz '2026-03-05' end, '2026-02-01', '2026-02-01'
    from generate_series(1, 20000) n where n <> 10000;
  insert into payment_link_wallets (payment_link_id, network, token, address_id, created_at)
    select id, case when id > 10000 then 'base' else 'bep20' end, 'usdt', id, '2026-02-01' from payment_links;
  insert into deposits (env, network, token, merchant_id, address_id, tx_hash, position, amount, status, block_height,
      confirmations, required_confirmations, first_seen_at)
    select 'live', 'bep20', 'usdt', 1, n, 'h' || n, 0, 1, 1, n / 20, 1, 1, '2026-02-01' from generate_series(1, 10000) n;
  insert into withdrawals (refid, env, merchant_id, token, network, to_address, amount, fee, status, tx_hash)
    select 'w' || n, 'live', 1, 'usdt', 'bep20', 'x', 1, 0, 3, 't' || n from generate_series(1, 10000) n;
  analyze addresses, payment_links, payment_link_wallets, deposits, withdrawals`);

const expected = () => isPaymentExpected(t.db, scope, { since: DAY_AGO, sinceHeight: HEIGHT });
const begun = () => hasBegun(t.db, scope, DAY_AGO);

/** Returns the answers of both queries while these changes are made. The changes are undone. */
async function whenever(...changes: readonly string[]) {
  const undo = new Error("undone");
  const found: boolean[] = [];
  await t.db
    .transaction(async (tx) => {
      for (const change of changes) await tx.execute(sql.raw(change));
      const within = tx as never;
      found.push(await isPaymentExpected(within, scope, { since: DAY_AGO, sinceHeight: HEIGHT }));
      found.push(await hasBegun(within, scope, DAY_AGO));
      throw undo;
    })
    .catch((error: unknown) => assert.equal(error, undo));
  return { expected: found[0], begun: found[1] };
}

test("nothing is expected on a network where all has ended, whatever is open on others", async () => {
  assert.deepEqual([await expected(), await begun()], [false, false]);
  const others = { ...scope, network: "base" } as const;
  assert.equal(await isPaymentExpected(t.db, others, { since: DAY_AGO, sinceHeight: HEIGHT }), true);
  assert.equal(
    await isPaymentExpected(t.db, { ...others, env: "test" }, { since: DAY_AGO, sinceHeight: 0 }),
    false,
  );
});

test("what waits, an open link, and a wallet's address that is new or was paid are expected", async () => {
  const both = { expected: true, begun: true };
  assert.deepEqual(await whenever("update deposits set status = 0 where address_id = 5"), both);
  for (const status of [0, 1, 5])
    assert.deepEqual(await whenever(`update withdrawals set status = ${status} where refid = 'w5'`), both);
  const later = "created_at = '2026-03-01T12:00:01Z'";
  assert.deepEqual(await whenever(`update addresses set ${later} where id = 10000`), both);
  // A link's address counts by its link. That one has just begun is known from the address.
  const open = "update payment_links set next_check_at = '2026-03-05', state = 'open' where id = 5";
  assert.deepEqual(await whenever(open), { expected: true, begun: false });
  assert.deepEqual(await whenever(open, `update addresses set ${later} where id = 5`), both);
  assert.deepEqual(await whenever(`update addresses set ${later} where id = 5`), {
    expected: false,
    begun: true,
  });
  const paid = (id: number) => `update deposits set block_height = ${HEIGHT} where address_id = ${id}`;
  assert.deepEqual(await whenever(paid(10_000)), { expected: true, begun: false });
  assert.deepEqual(await whenever(paid(5)), { expected: false, begun: false });
});

test("reads a few index entries each second, however many rows there are", async () => {
  const plan = await planOf(t, (db) => hasBegun(db, scope, DAY_AGO));
  assert.doesNotMatch(plan, /Seq Scan/);
  for (const [, rows] of plan.matchAll(/\(actual rows=([0-9]+)/g)) assert.ok(Number(rows) <= 1, plan);
  const whole = await planOf(t, (db) =>
    isPaymentExpected(db, scope, { since: DAY_AGO, sinceHeight: HEIGHT }),
  );
  assert.doesNotMatch(whole, /Seq Scan on (addresses|deposits|withdrawals)/, whole);
});
