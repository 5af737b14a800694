/** How soon a network is read again after its only node limited requests, or was away. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { startFakeNode } from "#tests/support/fake-node.ts";
import { startFaultFront } from "#tests/support/fault-front.ts";
import { until } from "#tests/support/until.ts";
import { bep20, openWatchedChain } from "#tests/support/watched-chain.ts";

const SPELL_MS = 5_000;
const AWAY_MS = 6_000;
const ANSWERED_WITHIN_MS = 5_000;

/** Runs the trouble, then mines a block. Returns the milliseconds from its end until that block was read. */
async function measureBlindness(
  chain: Awaited<ReturnType<typeof openWatchedChain>>,
  { urls, begin, end, ms }: { urls: readonly string[]; begin(): void; end(): void; ms: number },
): Promise<number> {
  chain.watch(bep20(...urls));
  const isRead = async () => {
    const at = await chain.cursor();
    return at !== null && at.error === null && at.height === at.nodeHeight;
  };
  await until("the network to be read", isRead);
  const height = (await chain.cursor())!.height;
  begin();
  const since = performance.now();
  await until("the trouble to be over", async () => performance.now() - since >= ms);
  await chain.mine(1);
  end();
  const endedAt = performance.now();
  await until("the new block", async () => ((await chain.cursor())?.height ?? 0) > height);
  return performance.now() - endedAt;
}

describe("a network whose only node is in trouble", { concurrency: true }, () => {
  test("is read again within five seconds after the node stops to limit requests", async (t) => {
    const chain = await openWatchedChain();
    const fake = await startFakeNode(chain.url);
    t.after(async () => {
      await chain.close();
      await fake.close();
    });
    const blindMs = await measureBlindness(chain, {
      urls: [fake.url],
      begin: () => {
        fake.answer = (response) => response.writeHead(429).end("too many requests");
      },
      end: () => {
        fake.answer = null;
      },
      ms: SPELL_MS,
    });
    t.diagnostic(`read ${Math.round(blindMs)} ms after the spell`);
    assert.ok(blindMs <= ANSWERED_WITHIN_MS, `${blindMs} ms`);
  });

  test("is read again within five seconds after the node is back", async (t) => {
    const chain = await openWatchedChain();
    const front = await startFaultFront(chain.url);
    t.after(async () => {
      await chain.close();
      await front.close();
    });
    const blindMs = await measureBlindness(chain, {
      urls: [front.url],
      begin: () => front.down(),
      end: () => front.up(),
      ms: AWAY_MS,
    });
    t.diagnostic(`read ${Math.round(blindMs)} ms after the node was back`);
    assert.ok(blindMs <= ANSWERED_WITHIN_MS, `${blindMs} ms`);
  });
});
