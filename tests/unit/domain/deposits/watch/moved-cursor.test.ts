/** A pass whose node was compared with a cursor that another process has moved since. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { pino } from "pino";
import type { Blocks } from "#lib/chains/blocks.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { openNodePool } from "#lib/chains/node-pool.ts";
import { watchCursors, watchedBlocks } from "#lib/domain/deposits/tables.ts";
import { createPassMemory } from "#lib/domain/deposits/watch/pass-rules.ts";
import { runPass } from "#lib/domain/deposits/watch/run-pass.ts";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { bitcoinAdapter } from "#tests/support/bitcoin-adapter.ts";
import { testDatabase } from "#tests/support/database.ts";
import { IDLE_CAPABILITIES } from "#tests/support/idle-capabilities.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";

const SCOPE = { env: "test", network: "bitcoin" } as const;
const log = pino({ level: "silent" });

/** Block 201 of one of two branches, which part above block 200. Before its head is read for a pass, `beforeHead` runs. */
function branch(name: string, beforeHead: (finality: boolean) => Promise<void>): Blocks {
  return {
    checkIdentity: async () => {},
    readAgainAbove: async () => {},
    fetchHead: async (options) => {
      await beforeHead(options?.finality ?? true);
      return { height: 201, hash: `${name}201`, time: null, finalizedHeight: null };
    },
    fetchHash: async (height) => (height === 201 ? `${name}201` : `a${height}`),
    scan: async ({ from, to }) => ({
      ...{ transfers: [], tipHash: `${name}${to}` },
      parentHash: from === 201 ? "a200" : `${name}${from - 1}`,
    }),
    hasMoreWork: async () => false,
  };
}

/** A watcher of bitcoin with one process's two nodes. `time` is the pool's clock in milliseconds. */
async function openWatch(t: TestContext, read: (db: Db) => Record<"a" | "b", Blocks>) {
  const { db, database, close } = await testDatabase();
  t.after(close);
  const branches = read(db);
  const clock = { time: 0 };
  const pool = openNodePool({
    ...{ scope: SCOPE, urls: ["http://a.example", "http://b.example"], timeoutMs: 1_000, blockSeconds: 600 },
    read: ({ name }) => ({ ...IDLE_CAPABILITIES, blocks: name === "a.example" ? branches.a : branches.b }),
    now: () => clock.time,
    random: () => 0,
  });
  const adapter: NetworkAdapter = { ...bitcoinAdapter("http://127.0.0.1:9"), ...pool.reader, nodes: pool };
  const networks = { find: () => adapter, list: () => [adapter], all: () => [adapter] };
  const rates = openRates({ fixed: "btc/usd=50000", log });
  const paymentLinks = { db, networks, rates, settings: {} as never };
  const watch = { ...{ ...SCOPE, adapter, database, log, paymentLinks }, ...openManualClock() };
  const memory = createPassMemory();
  const passAndCursor = async () => {
    const more = await runPass(watch, memory);
    const [cursor] = await db.select().from(watchCursors);
    return [more, cursor?.height, cursor?.hash];
  };
  return { db, clock, passAndCursor };
}

const silent = async () => {
  throw new NodeError("unreachable", "the first node does not answer");
};

test("leaves the blocks that another process has read of another branch meanwhile, in the next pass too", async (t) => {
  let isFailing = true;
  const asked: string[] = [];
  const { db, clock, passAndCursor } = await openWatch(t, (db) => ({
    a: branch("a", async (finality) => {
      if (isFailing) await silent();
      if (finality) asked.push("a");
    }),
    b: branch("b", async (finality) => {
      if (!finality) return;
      asked.push("b");
      await db.update(watchCursors).set({ height: 201, hash: "a201" });
    }),
  }));
  const start = { height: 200, hash: "a200" };
  await db.insert(watchCursors).values({ ...SCOPE, ...start, nodeHeight: 200, updatedAt: new Date() });
  await db.insert(watchedBlocks).values({ ...SCOPE, ...start });
  assert.deepEqual(await passAndCursor(), [true, 201, "a201"]);
  assert.deepEqual(asked, ["b"]);
  isFailing = false;
  clock.time = 60_000;
  assert.deepEqual(await passAndCursor(), [false, 201, "a201"]);
  assert.deepEqual(asked, ["b", "a"], "the first pass did not use what the second node said is final");
});

test("leaves the first cursor that another process has inserted meanwhile, and its blocks", async (t) => {
  const blocks = [199, 200, 201].map((height) => ({ height, hash: `a${height}` }));
  const { db, passAndCursor } = await openWatch(t, (db) => ({
    a: branch("a", silent),
    b: {
      ...branch("b", async () => {}),
      // Asked for while the first cursor is looked for.
      fetchHash: async (height) => {
        const at = { height: 201, hash: "a201" };
        const inserted = { ...SCOPE, ...at, nodeHeight: 201, updatedAt: new Date() };
        await db.insert(watchCursors).values(inserted).onConflictDoNothing();
        await db
          .insert(watchedBlocks)
          .values(blocks.map((block) => ({ ...SCOPE, ...block })))
          .onConflictDoNothing();
        return height === 201 ? "b201" : `a${height}`;
      },
    },
  }));
  assert.deepEqual(await passAndCursor(), [true, 201, "a201"]);
  const stored = await db.select().from(watchedBlocks).orderBy(watchedBlocks.height);
  assert.deepEqual(
    stored.map(({ height, hash }) => ({ height, hash })),
    blocks,
  );
});
