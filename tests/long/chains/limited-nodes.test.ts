/** How soon a network is read again after a node limited requests, was away or fell silent. */
import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { openFakeNode } from "#tests/support/fake-node.ts";
import { startFaultFront } from "#tests/support/fault-front.ts";
import { LONG } from "#tests/support/fault-random.ts";
import { until } from "#tests/support/until.ts";
import { bep20, openWatchedChain } from "#tests/support/watched-chain.ts";

const SPELL_MS = LONG ? 20_000 : 5_000;
const AWAY_MS = LONG ? 30_000 : 6_000;
/** A pause of 4 s at most, and a pass. A short run shares its processors with other tests, whose turns count too. */
const ANSWERED_WITHIN_MS = LONG ? 5_000 : 30_000;
/** The time limit of a request to an EVM node. */
const REQUEST_MS = 10_000;

/** Runs the trouble, then mines a block. Returns the milliseconds from its end until that block was read. */
async function measureBlindness(
  chain: Awaited<ReturnType<typeof openWatchedChain>>,
  { urls, begin, end, ms }: { urls: readonly string[]; begin(): void; end(): void; ms: number },
): Promise<number> {
  chain.watchInRealTime(bep20(...urls));
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

/** A watched chain behind two nodes. The returned function mines a block and measures how long it takes to be read. */
async function openTwoNodes(t: TestContext) {
  const chain = await openWatchedChain(t);
  const [first, second] = [await openFakeNode(t, chain.url), await openFakeNode(t, chain.url)];
  chain.watchInRealTime(bep20(first.url, second.url));
  await chain.caughtUp();
  const readBlock = async () => {
    const { height } = (await chain.cursor())!;
    const since = performance.now();
    await chain.mine(1);
    await until("the new block", async () => ((await chain.cursor())?.height ?? 0) > height);
    assert.equal((await chain.cursor())?.error, null);
    return performance.now() - since;
  };
  return { first, readBlock };
}

describe("a network of which one of two nodes is in trouble", { concurrency: true }, () => {
  test("is read on while the node limits requests", async (t) => {
    const { first, readBlock } = await openTwoNodes(t);
    let refused = 0;
    first.answer = (response) => {
      refused += 1;
      response.writeHead(429).end("too many requests");
    };
    const since = performance.now();
    const blindMs: number[] = [];
    while (performance.now() - since < SPELL_MS) blindMs.push(await readBlock());
    const longest = Math.round(Math.max(...blindMs));
    t.diagnostic(`${blindMs.length} blocks in the spell, ${refused} refusals, longest wait ${longest} ms`);
    assert.ok(refused > 0);
    assert.ok(longest <= ANSWERED_WITHIN_MS, `${longest} ms`);
  });

  test("waits once for a node that never answers, for the time of one request, and not again", async (t) => {
    const { first, readBlock } = await openTwoNodes(t);
    let asked = 0;
    first.answer = () => {
      asked += 1;
    };
    const atFirst = await readBlock();
    const next = [await readBlock(), await readBlock(), await readBlock()];
    t.diagnostic(`waited ${[atFirst, ...next].map(Math.round).join(", ")} ms`);
    assert.ok(asked > 0);
    assert.ok(atFirst <= REQUEST_MS + ANSWERED_WITHIN_MS, `${atFirst} ms`);
    assert.ok(Math.max(...next) <= ANSWERED_WITHIN_MS, `${next} ms`);
  });
});

describe("a network whose only node is in trouble", { concurrency: true }, () => {
  test(`is read again within ${ANSWERED_WITHIN_MS / 1_000} seconds after the node stops to limit requests`, async (t) => {
    const chain = await openWatchedChain(t);
    const fake = await openFakeNode(t, chain.url);
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

  test(`is read again within ${ANSWERED_WITHIN_MS / 1_000} seconds after the node is back`, async (t) => {
    const chain = await openWatchedChain(t);
    const front = await startFaultFront(chain.url);
    t.after(() => front.close());
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
