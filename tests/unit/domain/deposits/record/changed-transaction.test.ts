/** A reorganization gives the same transaction another effect: coins that a contract sends depending on the block. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { asc, eq } from "drizzle-orm";
import { insertCursor } from "#lib/domain/deposits/record/cursor-store.ts";
import { recordScan, type Scan } from "#lib/domain/deposits/record/record-scan.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import type { TransferObservation } from "#lib/domain/deposits/types.ts";
import { paymentLinks, paymentLinkWallets } from "#lib/domain/payment-links/tables.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";
import { log } from "#tests/support/watched-network.ts";
import { minutes, START } from "#tests/unit/domain/payment-links/facts.ts";
import { aWorld, usdt, type World } from "#tests/unit/domain/payment-links/world.ts";

const SCOPE = { env: "test", network: "bep20" } as const;
const FORK = { height: 99, hash: "fork" };

async function addressOf(world: World, refid: string): Promise<number> {
  const [row] = await world.db
    .select({ id: paymentLinkWallets.addressId })
    .from(paymentLinkWallets)
    .innerJoin(paymentLinks, eq(paymentLinks.id, paymentLinkWallets.paymentLinkId))
    .where(eq(paymentLinks.refid, refid));
  return row!.id;
}

test("money that goes to another link after a reorg completes that link and not the first one", async (t) => {
  const world = await aWorld();
  t.after(world.close);
  const { db, adapter, owner } = world;
  const watch = { ...SCOPE, adapter, database: world.database, paymentLinks: world.deps, log };
  const context = { ...watch, ...openManualClock(START) };
  await db.transaction((tx) => insertCursor(tx, SCOPE, { ...FORK, gap: null }, START));
  const [one, other] = [await world.createPicked(), await world.createPicked()];
  const scan = async (
    hash: string,
    fork: Scan["fork"],
    from: Scan["from"],
    changes: Partial<TransferObservation>,
  ) => {
    const block = { height: 100, hash, time: START };
    const transfer = {
      txHash: "0xab",
      position: 0,
      token: "usdt",
      amount: usdt("100"),
      sender: null,
    } as const;
    const observation = {
      ...transfer,
      merchantId: owner.merchantId,
      spends: [],
      unmatchedReason: null,
      block,
    };
    const observations = [{ ...observation, addressId: await addressOf(world, one.refid), ...changes }];
    const read = { from, fork, to: block, blocks: [block], nodeHeight: 100, observations, mempool: null };
    assert.ok(await recordScan(context, read, null, START));
    return block;
  };
  const states = async () =>
    Promise.all([one, other].map(async ({ refid }) => (await world.view(refid, minutes(START, 2))).state));

  const first = await scan("a", null, FORK, {});
  const [paid] = await db.select().from(deposits);
  await world.change([paid!.id], "credited", minutes(START, 1));
  assert.deepEqual(await states(), ["completed", "awaiting"]);

  await scan("b", FORK, first, { addressId: await addressOf(world, other.refid) });
  const rows = await db.select().from(deposits).orderBy(asc(deposits.id));
  assert.deepEqual(
    rows.map(({ addressId, status }) => [addressId, status]),
    [
      [paid!.addressId, "dropped"],
      [await addressOf(world, other.refid), "seen"],
    ],
  );
  assert.deepEqual(await states(), ["awaiting", "detected"]);
  await world.change([rows[1]!.id], "credited", minutes(START, 2));
  assert.deepEqual(await states(), ["awaiting", "completed"]);
  const types = (await world.events()).map(({ type, data }) => [type, data.refid === one.refid]);
  assert.deepEqual(types, [
    ["payment_link_completed", true],
    ["payment_link_reverted", true],
    ["payment_link_completed", false],
  ]);
});
