/** Links that end in the same second: how long all decisions take, and how long the process is busy at a time. */
import assert from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { after, before, test } from "node:test";
import { eq, sql } from "drizzle-orm";
import { sweepPaymentLinks } from "#lib/domain/payment-links/settle/sweep-payment-links.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import { webhookDeliveries, webhookEndpoints } from "#lib/domain/webhooks/tables.ts";
import { LONG } from "#tests/support/fault-random.ts";
import { recountDays } from "#tests/support/recount-days.ts";
import { minutes, START } from "#tests/unit/domain/payment-links/facts.ts";
import { aWorld, ENDED, usdt, type World } from "#tests/unit/domain/payment-links/world.ts";

const LINKS = LONG ? 10_000 : 2_000;

let world: World;
before(async () => {
  world = await aWorld();
  const endpoint = { merchantId: world.owner.merchantId, env: "test" as const, secret: Buffer.of(1) };
  await world.db.insert(webhookEndpoints).values({ ...endpoint, url: "https://shop.example.com/hook" });
});
after(() => world.close());

test(`${LINKS} links paid in part that end in the same second fail in one sweep`, async (t) => {
  const { refid } = await world.createPicked();
  await world.pay(refid, { amount: usdt("10"), status: "credited" });
  await world.pass(minutes(START, 121));
  await copyRow("payment_links", "'id', r.id + n, 'refid', r.refid || n");
  await copyRow("addresses", "'id', r.id + n, 'index', r.index + n, 'address', r.address || n");
  await copyRow(
    "payment_link_wallets",
    "'payment_link_id', r.payment_link_id + n, 'address_id', r.address_id + n",
  );
  await copyRow("quotes", "'id', r.id + n, 'payment_link_id', r.payment_link_id + n");
  await copyRow("deposits", "'id', r.id + n, 'address_id', r.address_id + n, 'tx_hash', r.tx_hash || n");
  await copyRow(
    "payments",
    "'deposit_id', r.deposit_id + n, 'payment_link_id', r.payment_link_id + n, 'quote_id', r.quote_id + n",
  );
  await recountDays(world.db);
  await world.db.execute(sql`analyze`);

  const delay = monitorEventLoopDelay({ resolution: 5 });
  const startedAt = performance.now();
  delay.enable();
  const settled = await sweepPaymentLinks(world.deps, ENDED);
  delay.disable();
  const ms = performance.now() - startedAt;
  const p99 = delay.percentile(99) / 1e6;
  t.diagnostic(
    `${settled} links in ${Math.round(ms)} ms, event-loop delay p99 ${p99.toFixed(1)} ms, at most ${(delay.max / 1e6).toFixed(1)} ms`,
  );
  assert.equal(settled, LINKS);
  assert.equal(await world.db.$count(paymentLinks, eq(paymentLinks.state, "failed")), LINKS);
  assert.equal(await world.db.$count(webhookDeliveries), LINKS);
  const { rows } = await world.db.execute(sql`
    select count(*)::integer as links from payment_links group by xmin::text order by 1 desc limit 1`);
  assert.deepEqual(rows, [{ links: 150 }], "a transaction locks no more");
  assert.ok(!LONG || ms < LINKS, "a thousand a second");
  assert.ok(!LONG || p99 < 50);
});

/** Copies the only row of a table, so that there is one per link. `next`: the values of the n-th copy of the row `r`. */
async function copyRow(table: string, next: string): Promise<void> {
  await world.db.execute(
    sql.raw(`insert into ${table} overriding system value
      select c.* from ${table} r, generate_series(1, ${LINKS - 1}) n,
        lateral jsonb_populate_record(r, jsonb_build_object(${next})) c`),
  );
}
