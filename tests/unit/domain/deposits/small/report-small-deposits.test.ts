import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { inArray, sql } from "drizzle-orm";
import { emitDepositEvents } from "#lib/domain/deposits/deposit-record.ts";
import { reportSmallDeposits } from "#lib/domain/deposits/small/report-small-deposits.ts";
import { deposits, smallDeposits } from "#lib/domain/deposits/tables.ts";
import { settlePayments } from "#lib/domain/payment-links/settle/settle-links.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { watchLockWaits } from "#tests/support/lock-waits.ts";
import { minutes, START } from "#tests/unit/domain/payment-links/facts.ts";
import { aWorld, usdt, type World } from "#tests/unit/domain/payment-links/world.ts";

const DUST = usdt("0.001");

describe("deposits below the minimum of their link", () => {
  let world: World;
  beforeEach(async () => {
    world = await aWorld();
  });
  afterEach(() => world.close());

  /** Records a block that pays the link, as a watcher does. Returns the deposits. */
  const credit = (refid: string, amounts: readonly bigint[], at: Date) =>
    world.db.transaction(async (tx) => {
      const ids: number[] = [];
      for (const amount of amounts)
        ids.push(await world.record(tx, refid, { amount, status: "credited", at }));
      await settlePayments(tx, world.deps, ids, at);
      await emitDepositEvents(tx, world.adapter, { type: "deposit_credited", depositIds: ids }, at);
      return ids;
    });
  /** Removes the deposits' block, as a watcher does after a reorg. */
  const reverse = async (tx: Tx, ids: readonly number[], at: Date) => {
    await tx
      .update(deposits)
      .set({ status: "seen", confirmedAt: null })
      .where(inArray(deposits.id, [...ids]));
    await settlePayments(tx, world.deps, ids, at);
    await emitDepositEvents(tx, world.adapter, { type: "deposit_reversed", depositIds: ids }, at);
  };
  const report = (at: Date) => reportSmallDeposits({ db: world.db, networks: world.deps.networks }, at);
  const smallEvents = async () =>
    (await world.events()).filter(({ type }) => type === "small_deposits").map(({ data }) => data);

  test("are one event a minute, with their sum, their number and the newest 20; others are reported at once", async () => {
    const { refid } = await world.createPicked();
    await credit(refid, [usdt("100")], START);
    const paid = ["completed", "deposit_credited"];
    assert.deepEqual(await world.eventTypes(), paid);
    const blocks = 20;
    for (let block = 0; block < blocks; block++) {
      const at = new Date(START.getTime() + block * 1_000);
      await credit(refid, new Array(10).fill(DUST), at);
      await report(at);
    }
    assert.deepEqual(await world.eventTypes(), paid, "a minute is collected");
    await credit(refid, [DUST, usdt("5")], minutes(START, 0.5));
    assert.deepEqual((await world.eventTypes()).slice(paid.length), ["extra", "deposit_credited"]);

    assert.equal(await report(new Date(minutes(START, 1).getTime() - 1)), 0);
    assert.equal(await report(minutes(START, 1)), 1);
    const [event, ...others] = await smallEvents();
    assert.deepEqual(others, []);
    const { deposits: listed, ...rest } = event as { deposits: { ref: string; value: string }[] };
    assert.deepEqual(rest, {
      refid,
      payment_reference: "ORDER1001",
      environment: "test",
      credited_count: 201,
      credited: [{ network: "bep20", token: "usdt", amount: "0.201" }],
      reversed_count: 0,
      reversed: [],
    });
    const small = await world.db.select().from(deposits).where(sql`amount = ${DUST}`).orderBy(deposits.id);
    assert.deepEqual(
      listed.map(({ ref, value }) => [ref, value]),
      small.slice(-20).map(({ id }) => [String(id), "0.001"]),
    );
    assert.equal((await world.events()).at(-1)?.txHashes.length, 201);

    await credit(refid, [DUST], minutes(START, 1));
    assert.equal(await report(minutes(START, 1.9)), 0);
    assert.equal(await report(minutes(START, 2)), 1);
  });

  test("are neither lost nor reported twice by processes that fail or report at the same time", async () => {
    const links = [await world.createPicked(), await world.createPicked()];
    for (const { refid } of links) await credit(refid, [DUST, DUST], START);
    await world.db.execute(sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`);
    await world.db.execute(
      sql`create trigger refuse before insert on webhook_events execute function refuse()`,
    );
    await assert.rejects(report(minutes(START, 1)));
    assert.equal(await world.db.$count(smallDeposits), 4);
    await world.db.execute(sql`drop trigger refuse on webhook_events`);
    const counts = await Promise.all([1, 1, 1].map((n) => report(minutes(START, n))));
    assert.equal(
      counts.reduce((a, b) => a + b),
      2,
    );
    assert.deepEqual(
      (await smallEvents()).map((data) => [data.refid, data.credited_count]),
      links.map(({ refid }) => [refid, 2]),
    );
    assert.equal(await world.db.$count(smallDeposits), 0);
  });

  test("that are reversed before their event are not in it, and later ones are reported as reversed", async () => {
    const { refid } = await world.createPicked();
    const [kept, gone] = await credit(refid, [DUST, DUST], START);
    const lockWait = await watchLockWaits(world.database.pool);
    let reporting: Promise<number> | undefined;
    await world.db.transaction(async (tx) => {
      await reverse(tx, [gone!], minutes(START, 0.5));
      reporting = report(minutes(START, 1));
      await lockWait();
    });
    assert.equal(await reporting, 1);
    await world.db.transaction((tx) => reverse(tx, [kept!], minutes(START, 2)));
    assert.equal(await report(minutes(START, 3)), 1);
    assert.deepEqual(
      (await smallEvents()).map(({ credited_count, reversed_count, reversed, deposits: listed }) => [
        credited_count,
        reversed_count,
        reversed,
        (listed as { ref: string; status: number }[]).map(({ ref, status }) => [ref, status]),
      ]),
      [
        [1, 0, [], [[String(kept), 1]]],
        [0, 1, [{ network: "bep20", token: "usdt", amount: "0.001" }], [[String(kept), 0]]],
      ],
    );
  });
});
