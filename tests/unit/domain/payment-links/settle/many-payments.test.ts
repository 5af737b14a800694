import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isNotNull, sql } from "drizzle-orm";
import { settlePayments } from "#lib/domain/payment-links/settle/settle-links.ts";
import { payments } from "#lib/domain/payment-links/tables.ts";
import { measureTurns } from "#tests/support/longest-turn.ts";
import { START } from "../facts.ts";
import { aWorld, usdt, type World } from "../world.ts";

describe("many payments of one link", () => {
  const MANY = 10_000;
  /** A turn takes 20 ms. A collection of garbage of the files before adds to one, the more on a slow machine; exact fractions took minutes. */
  const BLOCKED_MS = 1_000;
  /** Records many payments of 10^-18 USDT, as the transfers of one transaction. */
  async function recordDust({ db }: World, refid: string): Promise<number[]> {
    const { rows } = await db.execute<{ id: string }>(sql`
      insert into deposits (env, network, token, merchant_id, address_id, tx_hash, position, amount, status,
        required_confirmations, first_seen_at)
      select 'test', 'bep20', 'usdt', l.merchant_id, w.address_id, ${`0x${"d".repeat(64)}`}, n, 1, 0, 1,
        ${START.toISOString()}::timestamptz + n * interval '1 minute'
      from payment_links l join payment_link_wallets w on w.payment_link_id = l.id, generate_series(1, ${MANY}) n
      where l.refid = ${refid} returning id`);
    return rows.map(({ id }) => Number(id));
  }
  /** Quotes of 20 minutes each, one after the other, each of another amount. */
  async function addQuotes({ db }: World, refid: string, count: number): Promise<void> {
    await db.execute(sql`
      insert into quotes (payment_link_id, network, token, amount, asked, minimum_receive, rate, rate_source, rate_at, valid_from, valid_until)
      select l.id, 'bep20', 'usdt', (100000000 + n)::numeric * 1000000000000, 1, 1000, '1', 'fixed', v.from, v.from,
        v.from + interval '20 minutes'
      from payment_links l, generate_series(1, ${count}) n,
        lateral (select ${START.toISOString()}::timestamptz + n * interval '20 minutes' as from) v
      where l.refid = ${refid}`);
  }
  /** With exact fractions it took minutes. */
  async function settle(world: World, ids: readonly number[]) {
    const stop = measureTurns();
    await world.db.transaction((tx) => settlePayments(tx, world.deps, ids, START));
    return stop();
  }

  for (const quoteCount of [0, 2_000]) {
    test(`are settled within seconds and without blocking the process, with ${quoteCount} former quotes`, async (t) => {
      const world = await aWorld();
      t.after(world.close);
      const { refid } = await world.createPicked();
      if (quoteCount > 0) await addQuotes(world, refid, quoteCount);
      const ids = await recordDust(world, refid);
      const first = await settle(world, ids);
      assert.ok(first.total < 4_000 && first.longest < BLOCKED_MS, JSON.stringify(first));
      assert.equal(await world.db.$count(payments, isNotNull(payments.quoteId)), MANY);
      const used = await world.db.selectDistinct({ id: payments.quoteId }).from(payments);
      assert.ok(used.length >= Math.min(quoteCount, MANY / 20));
      const dusted = await world.view(refid, START);
      assert.deepEqual([dusted.state, dusted.paymentCount], ["awaiting", MANY]);

      // The next payment is settled with the sums of those before it.
      const id = await world.db.transaction((tx) =>
        world.record(tx, refid, { amount: usdt("200"), status: "credited" }),
      );
      const next = await settle(world, [id]);
      assert.ok(next.total < 2_000 && next.longest < BLOCKED_MS, JSON.stringify(next));
      assert.equal((await world.view(refid, START)).state, "overpaid");
    });
  }
});
