import assert from "node:assert/strict";
import { test } from "node:test";
import { scanUnlistedLogs } from "#lib/chains/evm/scan-unlisted.ts";
import { openLearnedSizes } from "#lib/chains/learned-sizes.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import type { RpcCall } from "#lib/chains/rpc-client.ts";

const MINUTE_MS = 60_000;

test("a size grows by a half every five minutes, up to the largest", () => {
  let now = 0;
  const sizes = openLearnedSizes(() => now);
  sizes.shrink("eth_getLogs", 4);
  const sizeAfter = (minutes: number) => {
    now = minutes * MINUTE_MS;
    return [sizes.get("eth_getLogs", 1_000), sizes.get("eth_getLogs", 7)];
  };
  assert.deepEqual(sizeAfter(4.9), [4, 4]);
  assert.deepEqual(sizeAfter(5), [6, 6]);
  assert.deepEqual(sizeAfter(10), [9, 7]);
  assert.equal(sizes.get("eth_call", 1_000), 1_000, "of the refused method only");
  sizes.shrink("eth_getLogs", 0.5);
  assert.equal(sizes.get("eth_getLogs", 1_000), 1, "never below one");
});

/** A node that answers logs of at most `most` blocks, the spans that it was asked for, and the blocks that it answered for. */
function openNode(most: number, now: () => number) {
  const spans: number[] = [];
  const read: number[] = [];
  const batch = async (calls: readonly RpcCall[]) =>
    calls.map(({ method, params }) => {
      if (method !== "eth_getLogs") {
        const word = (mark: string) => `0x${mark.repeat(64)}`;
        const logsBloom = `0x${"0".repeat(512)}`;
        const number = params[0] === "latest" ? "0xffff" : params[0];
        return { number, hash: word("1"), parentHash: word("2"), timestamp: "0x1", logsBloom };
      }
      const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
      const span = Number(toBlock) - Number(fromBlock) + 1;
      spans.push(span);
      // geth 1.17 with --rpc.rangelimit.
      if (span > most) throw new NodeError("refused", `exceed maximum block range: ${most} (-32000)`);
      for (let height = Number(fromBlock); height <= Number(toBlock); height += 1) read.push(height);
      return [];
    });
  return { spans, read, client: { call: async () => null, batch, sizes: openLearnedSizes(now) } };
}

test("the next scan begins with the span that a node took, and tries more after minutes", async () => {
  let now = 0;
  const { spans, read, client } = openNode(100, () => now);
  const scan = async (from: number) => {
    spans.length = 0;
    await scanUnlistedLogs(client, { contracts: [], hasBlooms: true }, [`0x${"a".repeat(40)}`], {
      from,
      to: from + 399,
    });
    return [...spans];
  };
  assert.deepEqual(await scan(1_000), [400, 200, 100, 100, 100, 100]);
  assert.deepEqual(
    read,
    Array.from({ length: 400 }, (_, i) => 1_000 + i),
    "each block once",
  );
  assert.deepEqual(await scan(2_000), [100, 100, 100, 100], "nothing is refused again");
  now = 5 * MINUTE_MS;
  assert.deepEqual(await scan(3_000), [150, 75, 75, 75, 75, 75, 25]);
});
