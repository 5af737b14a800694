import assert from "node:assert/strict";
import { test } from "node:test";
import type { ElectrumServer } from "#lib/chains/electrum/electrum-server.ts";
import { createChain } from "#lib/chains/electrum/header-chain.ts";
import type { Header } from "#lib/chains/electrum/headers.ts";
import { createProvenPayments } from "#lib/chains/electrum/proven-payments.ts";
import { type ScanContext, scanProvenBlocks } from "#lib/chains/electrum/scan-proven.ts";
import { createGroup } from "#lib/chains/electrum/server-group.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";
import { isNodeError } from "#tests/support/node-errors.ts";

const chainOf = (hash: string) => createChain(7, [{ hash, work: 1n } as Header]);

/** A connected server with this newest block, that has settled with the block `read` when the promise resolves. */
function server(settled: () => Promise<void>, hash = "tip", read = hash) {
  const open = { session: { chain: () => chainOf(hash) } };
  return {
    name: hash,
    current: () => open,
    open: async () => open,
    settle: () => settled().then(() => chainOf(read)),
  } as unknown as ElectrumServer;
}

const never = () => new Promise<void>(() => {});
const failing = async () => {
  throw new NodeError("rate_limited", "busy");
};

test("waits once for a server that does not answer, and again after it did", async () => {
  let answer = () => {};
  let isAnswered = false;
  const best = server(async () => {});
  const slow = server(() =>
    isAnswered
      ? Promise.resolve()
      : new Promise((resolve) => {
          answer = resolve;
        }),
  );
  const clock = openManualClock();
  const group = createGroup([best, slow], clock);
  const first = group.settle(best);
  await clock.untilAsleep();
  assert.deepEqual(clock.sleeping(), [3_000]);
  await clock.advance(3_000);
  await first;
  await group.settle(best);
  isAnswered = true;
  answer();
  await group.settle(best);
});

test("the best server holds nothing up for long while another one shows its newest block", async () => {
  for (const trouble of [never, failing]) {
    const best = server(trouble);
    const clock = openManualClock();
    const settled = createGroup([best, server(async () => {})], clock).settle(best);
    await clock.untilAsleep();
    await clock.advance(3_000);
    await settled;
  }
});

test("a server with other blocks does not stand in for the best one", async () => {
  const best = server(failing);
  await assert.rejects(createGroup([best, server(async () => {}, "other")]).settle(best), /busy/);
  await assert.rejects(createGroup([best]).settle(best), /busy/);
});

test("a server that gets the block while it settles has not read it", async () => {
  const best = server(failing);
  await assert.rejects(createGroup([best, server(async () => {}, "tip", "older")]).settle(best), /busy/);
});

/** Scans the blocks 7 to `to` of a server whose newest one is 7. `after`: its blocks from 7 on, once it has settled so many times. */
function openScan({ late = 1 }, ...after: readonly string[]) {
  let chain = chainOf("tip");
  let settled = 0;
  const session = {
    chain: () => chain,
    header: async (height: number) => chain.at(height),
    refresh: async () => {},
  };
  const best = {
    ...{ name: "best", current: () => ({ session }), open: async () => ({ session }) },
    async settle() {
      const before = chain;
      settled += 1;
      const headers = after.map((hash) => ({ hash }) as Header);
      if (settled >= late) chain = createChain(7, headers);
      return before;
    },
  } as unknown as ElectrumServer;
  const context = {
    ...{ servers: [best], group: createGroup([best]), lookedFor: { live: null } },
    proven: createProvenPayments(),
  } as unknown as ScanContext;
  const scan = (to: number) => scanProvenBlocks(context, { from: 7, to }, async () => new Set());
  return { scan, settled: () => settled };
}

test("a block that is replaced while histories are read is not scanned before those are read again", async () => {
  assert.equal((await openScan({}, "tip", "next").scan(7)).tipHash, "tip");
  await assert.rejects(openScan({}, "other", "next").scan(7), isNodeError("inconsistent"));
});

test("a block that comes while the server settles is not scanned before it has settled once more", async () => {
  const { scan, settled } = openScan({}, "tip", "next");
  assert.equal((await scan(8)).tipHash, "next");
  assert.equal(settled(), 2);
  // Block 8 comes when the server settles for the second time.
  await assert.rejects(openScan({ late: 2 }, "tip", "next").scan(8), isNodeError("inconsistent"));
});
