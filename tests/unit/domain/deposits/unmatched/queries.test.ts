import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "drizzle-orm";
import { countUnmatchedDeposits, listUnmatchedDeposits } from "#lib/domain/deposits/unmatched/queries.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { planOf } from "#tests/support/plan-of.ts";
import { aForeignDeposit, aMerchant, anAddress, anUnmatchedDeposit } from "#tests/support/unmatched.ts";
import { bep20 } from "#tests/support/watched-chain.ts";

const database = await databaseOfFile({ isNew: true });
const { db } = database;
const adapter = bep20("http://127.0.0.1:9").find("test", "bep20")!;

/** Deposits of the other merchant that wait. With as many of both, PostgreSQL may expect the same of the indexes of one and of all. */
const OTHERS = 4_000;
/** Deposits of this merchant that were credited or resolved. */
const MATCHED = 400;

test("a merchant's unmatched deposits are read without those of others, and without its matched ones", async () => {
  const merchantId = await aMerchant(db, "shop@example.com");
  const other = await aMerchant(db, "other@example.com");
  const own = await anAddress(db, adapter, merchantId);
  const theirs = await anAddress(db, adapter, other);
  const first = await anUnmatchedDeposit(db, { addressId: own.id });
  const second = await aForeignDeposit(db, { addressId: own.id });
  await db.execute(sql`
    insert into deposits (env, network, token, merchant_id, address_id, tx_hash, position, amount, status,
      required_confirmations, first_seen_at, unmatched_reason)
    select 'test', 'bep20', 'usdt', o.merchant_id, o.address_id, '0x' || o.address_id || lpad(to_hex(n), 60, '0'), 0, 1,
      o.status, 1, now(), o.reason
    from (values (${merchantId}::bigint, ${own.id}::bigint, 1, null, ${MATCHED}::int),
      (${other}::bigint, ${theirs.id}::bigint, 3, 'no_purpose', ${OTHERS}::int))
      o(merchant_id, address_id, status, reason, count), generate_series(1, o.count) n`);
  await db.execute(sql`
    insert into foreign_deposits (env, network, contract, merchant_id, address_id, tx_hash, position, raw_amount, block_height,
      block_hash, resolved_at)
    select 'test', 'bep20', '0xc', o.merchant_id, o.address_id, '0x' || o.address_id || lpad(to_hex(n), 60, '0'), 0, 1, 1, '0xb',
      o.resolved
    from (values (${merchantId}::bigint, ${own.id}::bigint, now(), ${MATCHED}::int),
      (${other}::bigint, ${theirs.id}::bigint, null, ${OTHERS}::int))
      o(merchant_id, address_id, resolved, count), generate_series(1, o.count) n`);
  await db.execute(sql`vacuum analyze deposits, foreign_deposits`);
  const page = { before: null, limit: 3 };
  const listed = await listUnmatchedDeposits(db, "test", merchantId, page);
  assert.deepEqual(
    listed.map(({ id }) => id),
    [second.id, first.id],
  );
  assert.equal(await countUnmatchedDeposits(db, "test", merchantId), 2);
  const plan = await planOf(database, async (seen) => {
    await listUnmatchedDeposits(seen, "test", merchantId, page);
    await countUnmatchedDeposits(seen, "test", merchantId);
  });
  const read = [...plan.matchAll(/(?:actual rows=|by Filter: )([0-9.]+)/g)].map(([, rows]) => Number(rows));
  assert.ok(read.length > 0 && Math.max(...read) < 100, plan);
});
