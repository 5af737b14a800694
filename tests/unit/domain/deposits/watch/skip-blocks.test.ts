/** A network without an address costs one look at its head a pass. No payment to a later address is missed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Blocks } from "#lib/chains/blocks.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { openNodePool } from "#lib/chains/node-pool.ts";
import { deposits, watchCursors } from "#lib/domain/deposits/tables.ts";
import { createPassMemory } from "#lib/domain/deposits/watch/pass-rules.ts";
import { runPass } from "#lib/domain/deposits/watch/run-pass.ts";
import { IDLE_CAPABILITIES } from "#tests/support/idle-capabilities.ts";
import { anAddress } from "#tests/support/unmatched.ts";
import { openOffline, SCOPE } from "../offline-chain.ts";

/** A chain of blocks by height. `pays`: the address that each block pays. `isOther`: the node's URL leads to another chain. */
function openChain(real: NetworkAdapter) {
  const chain = { height: 100, pays: new Map<number, string>(), asked: [] as string[], isOther: false };
  const block = (height: number) => ({ height, hash: `b${height}`, time: new Date() });
  const blocks: Blocks = {
    async checkIdentity() {
      chain.asked.push("identity");
      if (chain.isOther) throw new NodeError("wrong_chain", "the node is of another chain");
    },
    readAgainAbove: async () => {},
    hasMoreWork: async () => false,
    async fetchHead() {
      chain.asked.push("head");
      return { ...block(chain.height), finalizedHeight: null };
    },
    fetchHash: async (height) => `b${height}`,
    async scan({ from, to }, ours) {
      chain.asked.push(`${from}-${to}`);
      const paid = [...chain.pays].filter(([height]) => height >= from && height <= to);
      const known = await ours(paid.map(([, address]) => address));
      const transfers = paid
        .filter(([, address]) => known.has(address))
        .map(([height, address]) => ({
          ...{ txHash: `0x${String(height).padStart(64, "0")}`, position: 0, token: "usdt", address },
          ...{ sender: null, amount: 1n, block: block(height), spends: [], unmatchedReason: null },
        }));
      return { transfers: transfers as never, tipHash: `b${to}`, parentHash: `b${from - 1}` };
    },
  };
  const pool = openNodePool({
    ...{ scope: SCOPE, urls: ["http://a.example"], timeoutMs: 1_000, blockSeconds: 1 },
    read: () => ({ ...IDLE_CAPABILITIES, blocks }),
  });
  const adapter: NetworkAdapter = { ...real, ...pool.reader, nodes: pool };
  return { chain, adapter };
}

test("without an address no block is read, and with the first one every block after it", async (t) => {
  const offline = await openOffline(t);
  const { chain, adapter } = openChain(offline.adapter);
  const watch = offline.watchOf(adapter, new Date());
  const memory = createPassMemory();
  await runPass(watch, memory);
  chain.height = 200;
  assert.equal(await runPass(watch, memory), false);
  assert.deepEqual(chain.asked, ["identity", "head", "head"]);
  chain.height = 500;
  assert.equal(await runPass(watch, memory), false);
  assert.equal(
    chain.asked.some((asked) => asked.includes("-")),
    false,
  );
  const [cursor] = await offline.db.select().from(watchCursors);
  assert.deepEqual([cursor?.height, cursor?.hash], [500, "b500"]);

  const { address } = await anAddress(offline.db, adapter, offline.merchantId);
  chain.pays.set(501, address);
  chain.height = 502;
  await runPass(watch, memory);
  assert.equal(chain.asked.at(-1), "501-502");
  assert.equal((await offline.db.select().from(deposits)).length, 1);
});

test("a block that was replaced is read, also without an address", async (t) => {
  const offline = await openOffline(t);
  const { chain, adapter } = openChain(offline.adapter);
  const watch = offline.watchOf(adapter, new Date());
  await runPass(watch, createPassMemory());
  await offline.db.update(watchCursors).set({ hash: "replaced" });
  await runPass(watch, createPassMemory());
  const [cursor] = await offline.db.select().from(watchCursors);
  assert.deepEqual([cursor?.height, cursor?.hash, chain.asked.at(-1)], [100, "b100", "100-100"]);
});

test("a node whose URL leads to another chain does not move the cursor, also without an address", async (t) => {
  const offline = await openOffline(t);
  const { chain, adapter } = openChain(offline.adapter);
  const watch = offline.watchOf(adapter, new Date());
  const memory = createPassMemory();
  await runPass(watch, memory);
  Object.assign(chain, { height: 50_000_000, isOther: true });
  await assert.rejects(runPass(watch, memory), { kind: "wrong_chain" });

  Object.assign(chain, { height: 110, isOther: false });
  assert.equal(await runPass(watch, memory), false);
  const [cursor] = await offline.db.select().from(watchCursors);
  assert.deepEqual([cursor?.height, cursor?.hash], [110, "b110"]);
});
