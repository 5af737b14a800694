import assert from "node:assert/strict";
import { test } from "node:test";
import { NodeError } from "#lib/chains/node-error.ts";
import type { RpcClient } from "#lib/chains/rpc-client.ts";
import { LeftOutError } from "#lib/chains/solana/fetch-blocks.ts";
import { createLateSlots } from "#lib/chains/solana/late-slots.ts";
import { listLatePayments, type SolanaSource } from "#lib/chains/solana/scan-blocks.ts";

const listed = (slot: number) => ({ slot, signature: `of ${slot}`, failed: false });

/** Late slots of a node that fails with this error. Each pass returns the number of its calls. */
function failing(error: NodeError, slots: readonly number[]) {
  const late = createLateSlots();
  late.add(slots.map(listed), Number.POSITIVE_INFINITY);
  let calls = 0;
  const fail = () => {
    calls += 1;
    return Promise.reject(error);
  };
  const watched = { listLate: late.list, dropLate: late.drop, postponeLate: late.postpone };
  const client = { call: fail, batch: fail } as unknown as RpcClient;
  const source = { client, tokens: [], reportUnreadable: () => {}, watched } as unknown as SolanaSource;
  const pass = async (slot: number) => {
    calls = 0;
    await listLatePayments(source, slot, async () => new Set());
    return calls;
  };
  return { late, pass };
}

test("a late slot is given up when its block was shown without the payment, never because no block is shown", async () => {
  const silent = [
    "unreachable",
    "rate_limited",
    "refused",
    "malformed",
    "inconsistent",
    "behind",
    "stale",
  ] as const;
  for (const error of [new LeftOutError(5), ...silent.map((kind) => new NodeError(kind, "for a test"))]) {
    const { late, pass } = failing(error, [5]);
    let tries = 0;
    for (; tries < 300 && late.list(10).size > 0; tries++) await pass(10);
    assert.equal(tries, error instanceof LeftOutError ? 100 : 300, error.kind);
  }
});

test("a late slot that no node has any more is given up after the slots that a new process asks for", async () => {
  const { late, pass } = failing(new NodeError("refused", "cleaned up"), [5]);
  await pass(1_000_000);
  assert.equal(late.list(1_000_000).size, 1);
  await pass(1_000_006);
  assert.equal(late.list(1_000_006).size, 0);
});

test("late slots that fail hold back no other one", async () => {
  const gone = Array.from({ length: 500 }, (_, slot) => slot);
  const { late, pass } = failing(new NodeError("refused", "cleaned up"), gone);
  for (let i = 0; i < 100; i++) assert.ok((await pass(600)) <= 8);
  late.add([listed(550)], Number.POSITIVE_INFINITY);
  assert.ok(late.list(600).has(550));
});
