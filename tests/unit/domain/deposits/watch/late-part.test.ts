/** A late report may show a part of its transaction. The other part is still retried where it could not be recorded. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { listAttention } from "#lib/domain/attention/queries.ts";
import { setAside } from "#lib/domain/attention/set-aside.ts";
import { attention } from "#lib/domain/attention/tables.ts";
import { insertCursor } from "#lib/domain/deposits/record/cursor-store.ts";
import { transactionSubject } from "#lib/domain/deposits/rules.ts";
import type { BlockRef } from "#lib/domain/deposits/types.ts";
import { createPassMemory } from "#lib/domain/deposits/watch/pass-rules.ts";
import { runPass } from "#lib/domain/deposits/watch/run-pass.ts";
import { USDT } from "#tests/support/watched-chain.ts";
import { HASH, openOffline, SCOPE } from "../offline-chain.ts";

const NOW = new Date();
const at = (height: number): BlockRef => ({ height, hash: `a${height}` });

test("a transaction of which a late report shows a part keeps its mark, and is read whole by its retry", async (t) => {
  const watched = await openOffline(t);
  const { db } = watched;
  const [first, second] = [await watched.address(), await watched.address()];
  const pay = (address: string, position: number) => ({
    ...{ txHash: HASH, position, token: "usdt" as const, sender: null, amount: 5n * USDT },
    ...{ block: { ...at(11), time: NOW }, spends: [], unmatchedReason: null, address },
  });
  const transfers = [pay(first.address, 0), pay(second.address, 1)];
  let late = transfers.slice(0, 1);
  const node: NetworkAdapter = {
    ...watched.adapter,
    blocks: {
      ...watched.adapter.blocks,
      fetchHash: async (height) => at(height).hash,
      fetchHead: async () => ({ ...at(20), time: null, finalizedHeight: 20 }),
      scan: async ({ from, to }, ours) => {
        await ours([first.address, second.address]);
        return { transfers, tipHash: at(to).hash, parentHash: at(from - 1).hash };
      },
    },
    late: {
      list: async () => ({
        transfers: late,
        done: () => {
          late = [];
        },
      }),
    },
  };
  const adapter: NetworkAdapter = {
    ...node,
    nodes: { ...node.nodes, withOne: (_, work) => work(node, "n") },
  };
  const watch = watched.watchOf(adapter, NOW);
  await db.transaction((tx) => insertCursor(tx, SCOPE, { ...at(20), gap: null }, NOW));
  const mark = { subject: transactionSubject(SCOPE, HASH), height: 11 };
  await setAside(db, mark, new Error("it could not be recorded"), NOW);
  const listMarks = async () =>
    (await listAttention(db, { after: null, limit: 9 })).map(({ subject }) => subject);
  const memory = createPassMemory();
  await runPass(watch, memory);
  assert.deepEqual([(await watched.deposits()).length, late], [1, []]);
  assert.deepEqual(await listMarks(), [mark.subject]);

  await db.update(attention).set({ retryAt: new Date(0) });
  await runPass(watch, memory);
  assert.deepEqual([(await watched.deposits()).length, await listMarks()], [2, []]);
});
