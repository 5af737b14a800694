/** A pass whose node was compared with a cursor that another process has moved since. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import type { Blocks } from "#lib/chains/blocks.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { watchCursors, watchedBlocks } from "#lib/domain/deposits/tables.ts";
import { createPassMemory } from "#lib/domain/deposits/watch/pass-rules.ts";
import { runPass } from "#lib/domain/deposits/watch/run-pass.ts";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import { bitcoinAdapter } from "#tests/support/bitcoin-adapter.ts";
import { testDatabase } from "#tests/support/database.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";

const SCOPE = { env: "test", network: "bitcoin" } as const;
const log = pino({ level: "silent" });

test("leaves the blocks that another process has read of another branch meanwhile", async (t) => {
  const { db, database, close } = await testDatabase();
  t.after(close);
  const start = { height: 200, hash: "a200" };
  await db.insert(watchCursors).values({ ...SCOPE, ...start, nodeHeight: 200, updatedAt: new Date() });
  await db.insert(watchedBlocks).values({ ...SCOPE, ...start });
  let isMoved = false;
  const offline = bitcoinAdapter("http://127.0.0.1:9");
  const blocks: Blocks = {
    ...offline.blocks,
    checkIdentity: async () => {},
    readAgainAbove: async () => {},
    fetchHead: async () => {
      if (!isMoved) await db.update(watchCursors).set({ height: 201, hash: "a201" });
      isMoved = true;
      return { height: 201, hash: "b201", time: null, finalizedHeight: null };
    },
    fetchHash: async (height) => (height === 201 ? "b201" : `a${height}`),
    scan: async ({ from, to }) => ({
      ...{ transfers: [], tipHash: `b${to}` },
      parentHash: from === 201 ? "a200" : `b${from - 1}`,
    }),
  };
  const adapter: NetworkAdapter = {
    ...{ ...offline, blocks },
    nodes: {
      ...offline.nodes,
      // The first node has failed, and the second one has the cursor's block.
      withOne: async ({ lastBlock }, work) => {
        const at = typeof lastBlock === "function" ? await lastBlock() : lastBlock;
        assert.deepEqual([at?.height, at?.hash], [start.height, start.hash]);
        return work({ ...offline, blocks, late: null }, "B");
      },
    },
  };
  const networks = { find: () => adapter, list: () => [adapter], all: () => [adapter] };
  const rates = openRates({ fixed: "btc/usd=50000", log });
  const paymentLinks = { db, networks, rates, settings: {} as never };
  const watch = { ...{ ...SCOPE, adapter, database, log, paymentLinks }, ...openManualClock() };
  const more = await runPass(watch, createPassMemory());
  const [cursor] = await db.select().from(watchCursors);
  assert.deepEqual([more, cursor?.height, cursor?.hash], [true, 201, "a201"]);
});
