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

/** A connected server with this newest block, that has settled when the promise resolves. */
function server(settled: () => Promise<void>, hash = "tip") {
  const chain = createChain(7, [{ hash, work: 1n } as Header]);
  const open = { session: { chain: () => chain } };
  return {
    name: hash,
    current: () => open,
    open: async () => open,
    settle: settled,
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

test("a block that is replaced while histories are read is not scanned before those are read again", async () => {
  const scan = (...after: readonly string[]) => {
    let chain = createChain(7, [{ hash: "tip" } as Header]);
    const session = { chain: () => chain, header: async (height: number) => chain.at(height) };
    const best = {
      ...{ name: "best", current: () => ({ session }), open: async () => ({ session }) },
      async settle() {
        const headers = after.map((hash) => ({ hash }) as Header);
        chain = createChain(7, headers);
      },
    } as unknown as ElectrumServer;
    const context = {
      ...{ servers: [best], group: createGroup([best]), lookedFor: { live: null } },
      proven: createProvenPayments(),
    } as unknown as ScanContext;
    return scanProvenBlocks(context, { from: 7, to: 7 }, async () => new Set());
  };
  assert.equal((await scan("tip", "next")).tipHash, "tip");
  await assert.rejects(scan("other", "next"), isNodeError("inconsistent"));
});
