import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { eq, sql } from "drizzle-orm";
import { listAttention } from "#lib/domain/attention/queries.ts";
import type { SetAside } from "#lib/domain/attention/types.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { settlePayments } from "#lib/domain/payment-links/settle/settle-links.ts";
import { sweepPaymentLinks } from "#lib/domain/payment-links/settle/sweep-payment-links.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import { getErrorLogContext } from "#lib/platform/log/log-context.ts";
import { minutes, START } from "../facts.ts";
import { aWorld, usdt, type World } from "../world.ts";

describe("a link that cannot be settled", () => {
  let world: World;
  beforeEach(async () => {
    world = await aWorld();
  });
  afterEach(() => world.close());

  /** Composing its event fails with a currency that the program does not know. */
  const setCurrency = (refid: string, currency: string) =>
    world.db
      .update(paymentLinks)
      .set({ currency: sql`${currency}` })
      .where(eq(paymentLinks.refid, refid));
  const listAll = () => listAttention(world.db, { after: null, limit: 10 });

  /** Pays links completely and settles them in one transaction, as a pass does. */
  async function payTogether(refids: readonly string[]): Promise<readonly SetAside[]> {
    return world.db.transaction(async (tx) => {
      const ids: number[] = [];
      for (const refid of refids)
        ids.push(await world.record(tx, refid, { amount: usdt("100"), status: "credited" }));
      return settlePayments(tx, world.deps, ids, START);
    });
  }

  test("is set aside while the others of the pass complete, and is settled by a later retry", async () => {
    const links = [];
    for (let i = 0; i < 5; i++) links.push(await world.createPicked());
    const refids = links.map(({ refid }) => refid);
    const broken = refids[2]!;
    await setCurrency(broken, "none");
    const setAsides = await payTogether(refids);
    assert.deepEqual(
      setAsides.map(({ subject, attempts, retryAt }) => [subject, attempts, retryAt]),
      [[`link:${broken}`, 1, minutes(START, 1)]],
    );
    const states = await world.db
      .select({ state: paymentLinks.state })
      .from(paymentLinks)
      .orderBy(paymentLinks.id);
    assert.deepEqual(
      states.map(({ state }) => state),
      ["completed", "completed", "awaiting", "completed", "completed"],
    );
    assert.equal(await world.db.$count(deposits), 5, "its deposit is recorded");
    const [row] = await listAll();
    assert.match(row!.reason, /Unknown currency/);

    // The sweep retries it, and waits longer after each failure.
    await assert.rejects(sweepPaymentLinks(world.deps, minutes(START, 1)), (error: unknown) => {
      assert.ok(error instanceof AggregateError);
      assert.equal(getErrorLogContext(error.errors[0]).refid, broken, "its line in the log names the link");
      return true;
    });
    assert.equal(await sweepPaymentLinks(world.deps, minutes(START, 2)), 0);
    const [again] = await listAll();
    assert.deepEqual([again?.attempts, again?.retryAt], [2, minutes(START, 3)]);

    await setCurrency(broken, "usd");
    assert.equal(await sweepPaymentLinks(world.deps, minutes(START, 3)), 1);
    assert.equal((await world.view(broken, START)).state, "completed");
    assert.deepEqual(await listAll(), []);
    assert.equal((await world.eventTypes()).filter((type) => type === "completed").length, 5);
  });

  test("is no longer set aside once another payment settles it", async () => {
    const { refid } = await world.createPicked();
    await setCurrency(refid, "none");
    await payTogether([refid]);
    assert.equal((await listAll()).length, 1);
    await setCurrency(refid, "usd");
    await payTogether([refid]);
    assert.deepEqual(await listAll(), []);
    assert.equal((await world.view(refid, START)).state, "overpaid");
  });

  test("is not assumed when the database ends the connection: the whole pass fails", async () => {
    const { refid } = await world.createPicked();
    const failing = world.db.transaction(async (tx) => {
      const id = await world.record(tx, refid, { amount: usdt("100"), status: "credited" });
      const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await world.db.execute(sql`select pg_terminate_backend(${rows[0]!.pid})`);
      await settlePayments(tx, world.deps, [id], START);
    });
    await assert.rejects(failing);
    assert.deepEqual(await listAll(), []);
    assert.equal(await world.db.$count(deposits), 0);
  });
});
