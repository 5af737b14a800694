import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "drizzle-orm";
import { hasPaidLink } from "#lib/domain/payment-links/totals/queries.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { planOf } from "#tests/support/plan-of.ts";
import { aMerchant } from "#tests/support/unmatched.ts";

const { db, database } = await databaseOfFile({ isNew: true });

test("a paid link counts, of the merchant and environment alone, found by an index among many that are not", async () => {
  const merchantId = await aMerchant(db, "shop@example.com");
  const owner = { merchantId, env: "test" } as const;
  const links = (first: number, last: number, state: string) => sql`
    insert into payment_links (refid, merchant_id, env, customer_id, customer_email, customer_first_name, customer_last_name,
      payment_reference, amount, currency, success_url, cancel_url, expires_at, wallet_pre_generated, state)
    select 'link' || n, ${merchantId}, 'test', c.id, c.email, 'A', 'B', 'R', 1, 'usd', '', '', now(), false, ${state}
    from customers c, generate_series(${first}::int, ${last}::int) as n`;
  await db.execute(sql`insert into customers (merchant_id, env, email, first_name, last_name)
    values (${merchantId}, 'test', 'a@example.com', 'A', 'B')`);
  await db.execute(links(1, 1_000, "open"));
  await db.execute(links(1_001, 2_500, "failed"));
  await db.execute(links(2_501, 4_000, "expired"));
  await db.execute("analyze payment_links");
  assert.equal(await hasPaidLink(db, owner), false);
  const plan = await planOf({ database }, (logged) => hasPaidLink(logged, owner));
  assert.match(plan, /payment_links_state/);
  assert.doesNotMatch(plan, /Seq Scan|Rows Removed/);
  for (const state of ["completed", "overpaid"]) {
    await db.execute(sql`update payment_links set state = ${state} where refid = 'link1001'`);
    assert.equal(await hasPaidLink(db, owner), true, state);
  }
  assert.equal(await hasPaidLink(db, { merchantId, env: "live" }), false);
  assert.equal(await hasPaidLink(db, { merchantId: merchantId + 1, env: "test" }), false);
});
