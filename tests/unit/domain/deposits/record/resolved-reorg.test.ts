/** A reorganization takes a deposit out of its block and back into the mempool, after the operator assigned it to another merchant. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { confirmDeposits } from "#lib/domain/deposits/record/confirm-deposits.ts";
import { insertCursor } from "#lib/domain/deposits/record/cursor-store.ts";
import { recordScan, type Scan } from "#lib/domain/deposits/record/record-scan.ts";
import type { BlockRef, TransferObservation } from "#lib/domain/deposits/types.ts";
import { resolveDeposit } from "#lib/domain/deposits/unmatched/resolve-deposit.ts";
import { webhookEvents } from "#lib/domain/webhooks/tables.ts";
import { actOf } from "#tests/support/acts.ts";
import { USDT } from "#tests/support/watched-chain.ts";
import { HASH, openOffline, SCOPE } from "../offline-chain.ts";

const NOW = new Date();
const at = (height: number, branch: string): BlockRef => ({ height, hash: `${branch}${height}` });

test("a reversal goes to the merchant who had the money, and the owner of the address is asked again", async (t) => {
  const watched = await openOffline(t);
  const { db, merchantId, stallId } = watched;
  const { id: addressId } = await watched.address();
  let branch = "a";
  const watch = watched.watchOf(
    {
      ...watched.adapter,
      blocks: { ...watched.adapter.blocks, fetchHash: async (height) => at(height, branch).hash },
    },
    NOW,
  );
  const payment = (block: BlockRef | null): TransferObservation => ({
    ...{ txHash: HASH, position: 0, token: "usdt", sender: null, amount: 5n * USDT, spends: [] },
    ...{ block: block && { ...block, time: NOW }, unmatchedReason: "no_purpose", addressId, merchantId },
  });
  const record = (scan: Pick<Scan, "from" | "fork" | "to" | "observations" | "mempool">) =>
    recordScan(watch, { ...scan, blocks: [scan.to], nodeHeight: scan.to.height }, new Set(), NOW);
  const merchants = async () => (await watched.deposits()).map((one) => [one.status, one.merchantId]);
  await db.transaction((tx) => insertCursor(tx, SCOPE, { ...at(10, "a"), gap: null }, NOW));

  const paid = at(11, "a");
  await record({ from: at(10, "a"), fork: null, to: paid, observations: [payment(paid)], mempool: null });
  await confirmDeposits(watch, paid, { finalizedHeight: 11 });
  const [held] = await watched.deposits();
  const resolution = { networks: watched.networks, id: held!.id };
  const resolved = await db.transaction((tx) => resolveDeposit(actOf(tx, stallId), resolution));
  assert.equal(resolved.ok, true);
  assert.deepEqual(await merchants(), [["credited", stallId]]);

  branch = "b";
  const mempool = { observations: [payment(null)], gone: null };
  await record({ from: paid, fork: at(10, "a"), to: at(11, "b"), observations: [], mempool });
  assert.equal(await watched.balance(1), 0n);
  const events = await db.select().from(webhookEvents).orderBy(webhookEvents.id);
  assert.deepEqual(
    events.map(({ type, merchantId, body }) => [type, merchantId, JSON.parse(body).data.total_received]),
    [
      ["deposit_credited", stallId, "5"],
      ["deposit_reversed", stallId, "0"],
    ],
  );

  const again = at(12, "b");
  await record({ from: at(11, "b"), fork: null, to: again, observations: [payment(again)], mempool: null });
  await confirmDeposits(watch, again, { finalizedHeight: 12 });
  assert.deepEqual(await merchants(), [["held", merchantId]]);
  assert.deepEqual((await watched.ledger()).problems, []);
});
