/** A pass through a node that refuses traces reads as many blocks as any other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import type { Blocks } from "#lib/chains/blocks.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { TracesRefusedError } from "#lib/chains/traces-refused.ts";
import { watchCursors } from "#lib/domain/deposits/tables.ts";
import { createPassMemory } from "#lib/domain/deposits/watch/pass-rules.ts";
import { runPass } from "#lib/domain/deposits/watch/run-pass.ts";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import { bitcoinAdapter } from "#tests/support/bitcoin-adapter.ts";
import { testDatabase } from "#tests/support/database.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";

const SCOPE = { env: "test", network: "bitcoin" } as const;
const log = pino({ level: "silent" });
const hashOf = (height: number) => height.toString(16).padStart(64, "0");

test("blocks without traces are read in scans of the usual size, pass after pass", async (t) => {
  const { db, database, close } = await testDatabase();
  t.after(close);
  const at = { height: 200, hash: hashOf(200) };
  await db.insert(watchCursors).values({ ...SCOPE, ...at, nodeHeight: 200, updatedAt: new Date() });
  const scans: unknown[] = [];
  const offline = bitcoinAdapter("http://127.0.0.1:9");
  const blocks: Blocks = {
    ...offline.blocks,
    fetchHead: async () => ({ height: 1_000, hash: hashOf(1_000), time: null, finalizedHeight: null }),
    fetchHash: async (height) => hashOf(height),
    scan: async ({ from, to }, _ours, { mayLackTraces = false } = {}) => {
      scans.push([from, to, mayLackTraces]);
      if (!mayLackTraces) throw new TracesRefusedError("the node does not trace", null);
      return { transfers: [], tipHash: hashOf(to), parentHash: hashOf(from - 1), untraced: [] };
    },
  };
  const adapter: NetworkAdapter = {
    ...{ ...offline, blocks },
    nodes: { ...offline.nodes, withOne: (_, work) => work({ ...offline, blocks }, "A") },
  };
  const networks = { find: () => adapter, list: () => [adapter], all: () => [adapter] };
  const rates = openRates({ fixed: "btc/usd=50000", log });
  const paymentLinks = { db, networks, rates, settings: {} as never };
  const watch = { ...{ ...SCOPE, adapter, database, log, paymentLinks }, ...openManualClock() };
  const memory = { ...createPassMemory(), hasAddresses: true };
  await runPass(watch, memory);
  await runPass(watch, memory);
  assert.deepEqual(scans, [
    [201, 300, false],
    [201, 300, true],
    [301, 400, false],
    [301, 400, true],
  ]);
});
