import assert from "node:assert/strict";
import { test } from "node:test";
import type { ElectrumServer } from "#lib/chains/electrum/electrum-server.ts";
import { createChain } from "#lib/chains/electrum/header-chain.ts";
import type { Header } from "#lib/chains/electrum/headers.ts";
import { createGroup } from "#lib/chains/electrum/server-group.ts";
import { NodeError } from "#lib/chains/network.ts";

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
  const group = createGroup([best, slow]);
  const measure = async () => {
    const startedAt = performance.now();
    await group.settle(best);
    return performance.now() - startedAt;
  };
  assert.ok((await measure()) > 2_900);
  assert.ok((await measure()) < 1_000);
  isAnswered = true;
  answer();
  assert.ok((await measure()) < 1_000);
});

test("the best server holds nothing up while another one shows its newest block", {
  timeout: 20_000,
}, async () => {
  for (const trouble of [never, failing]) {
    const best = server(trouble);
    await createGroup([best, server(async () => {})]).settle(best);
  }
});

test("a server with other blocks does not stand in for the best one", { timeout: 20_000 }, async () => {
  const best = server(failing);
  await assert.rejects(createGroup([best, server(async () => {}, "other")]).settle(best), /busy/);
  await assert.rejects(createGroup([best]).settle(best), /busy/);
});
