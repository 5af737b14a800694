/** A payment whose block cannot be written keeps the mark of that block, whatever a mempool shows meanwhile. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sql } from "drizzle-orm";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { listAttention } from "#lib/domain/attention/queries.ts";
import { attention } from "#lib/domain/attention/tables.ts";
import { insertCursor } from "#lib/domain/deposits/record/cursor-store.ts";
import { recordScan, type Scan } from "#lib/domain/deposits/record/record-scan.ts";
import type { BlockRef, TransferObservation } from "#lib/domain/deposits/types.ts";
import { retryTransactions } from "#lib/domain/deposits/watch/retry-transactions.ts";
import { bitcoinNetwork } from "#tests/support/bitcoin-adapter.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";
import { log, openWatchedNetwork } from "#tests/support/watched-network.ts";

const SCOPE = { env: "test", network: "bitcoin" } as const;
const HASH = "ab".repeat(32);
const NOW = new Date("2026-03-01T12:00:00Z");
const at = (height: number): BlockRef => ({ height, hash: `a${height}` });

/** A network that was read up to block 10, a payment that waits, and the same in block 11. */
async function openPayment(t: TestContext) {
  const pair = { network: "bitcoin", token: "btc" } as const;
  const watched = await openWatchedNetwork(bitcoinNetwork("http://127.0.0.1:9"), pair, "btc/usd=50000");
  t.after(watched.close);
  const { db, merchantId, paymentLinks, database } = watched;
  const { id: addressId, address } = await watched.address();
  const waiting = {
    ...{ txHash: HASH, position: 0, token: "btc", sender: null, amount: 20_000n, addressId, merchantId },
    ...{ spends: [`${"cd".repeat(32)}:0`], unmatchedReason: null, block: null },
  } as const satisfies TransferObservation;
  const mined = { ...waiting, block: { ...at(11), time: NOW } };
  const adapter: NetworkAdapter = {
    ...watched.adapter,
    blocks: {
      ...watched.adapter.blocks,
      fetchHash: async (height) => at(height).hash,
      scan: async ({ from, to }, ours) => {
        await ours([address]);
        const { addressId: _, merchantId: __, ...transfer } = mined;
        return { transfers: [{ ...transfer, address }], tipHash: at(to).hash, parentHash: at(from - 1).hash };
      },
    },
  };
  const watch = {
    ...{ ...SCOPE, adapter, database: database.database, paymentLinks, log },
    ...openManualClock(NOW),
  };
  await db.transaction((tx) => insertCursor(tx, SCOPE, { ...at(10), gap: null }, NOW));
  await db.execute(sql`create function refuse_row() returns trigger language plpgsql as
    $$ begin raise numeric_value_out_of_range; end $$`);
  return {
    ...{ watched, watch, waiting, mined },
    record(part: Pick<Scan, "from" | "to"> & Partial<Scan>, missing: ReadonlySet<number> = new Set()) {
      const blocks = part.from === part.to ? [] : [part.to];
      const rest = { fork: null, blocks, observations: [], nodeHeight: part.to.height, mempool: null };
      return recordScan(watch, { ...rest, ...part }, missing, NOW);
    },
    /** Rows can be written again, and what was set aside is tried again. */
    async retry(waits: readonly TransferObservation[] | null) {
      await db.execute(sql`drop trigger refuse on deposits`);
      await db.update(attention).set({ retryAt: new Date(0) });
      await retryTransactions(watch, { at: at(11), nodeHeight: 11, waiting: waits });
      const rows = await watched.deposits();
      return rows.map(({ status, blockHeight }) => [status, blockHeight]);
    },
  };
}

for (const shown of ["not shown any more", "shown again by a node that lags"] as const) {
  test(`a payment is recorded from its block although it was ${shown} in the mempool`, async (t) => {
    const { watched, waiting, mined, record, retry } = await openPayment(t);
    const { db } = watched;
    const [ten, eleven] = [at(10), at(11)];
    await record({ from: ten, to: ten, mempool: { observations: [waiting], gone: null } });
    await db.execute(sql`create trigger refuse before update on deposits for each row
      when (new.block_hash is not null) execute function refuse_row()`);
    await record({ from: ten, to: eleven, observations: [mined] });

    const list = { observations: [], gone: new Set([HASH]) };
    const missing = await record({ from: eleven, to: eleven, mempool: list });
    await record({ from: eleven, to: eleven, mempool: list }, missing ?? new Set());
    assert.deepEqual(
      (await watched.deposits()).map(({ status }) => status),
      ["dropped"],
    );
    if (shown !== "not shown any more")
      await record({ from: eleven, to: eleven, mempool: { observations: [waiting], gone: null } });

    assert.deepEqual(await retry(null), [["seen", 11]]);
    assert.deepEqual(await listAttention(db, { after: null, limit: 9 }), []);
  });
}

test("a payment is recorded from its block although a node that lags shows it, and that cannot be written either", async (t) => {
  const { watched, waiting, mined, record, retry } = await openPayment(t);
  const [ten, eleven] = [at(10), at(11)];
  await watched.db.execute(sql`create trigger refuse before insert on deposits
    for each row execute function refuse_row()`);
  await record({ from: ten, to: eleven, observations: [mined] });
  await record({ from: eleven, to: eleven, mempool: { observations: [waiting], gone: null } });
  assert.deepEqual(await retry([]), [["seen", 11]]);
  assert.deepEqual(await listAttention(watched.db, { after: null, limit: 9 }), []);
});
