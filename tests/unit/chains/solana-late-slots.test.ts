import assert from "node:assert/strict";
import { test } from "node:test";
import { NodeError } from "#lib/chains/node-error.ts";
import type { RpcClient } from "#lib/chains/rpc-client.ts";
import { createLateSlots } from "#lib/chains/solana/late-slots.ts";
import { listLatePayments, type SolanaSource } from "#lib/chains/solana/scan-blocks.ts";

const listed = (slot: number) => ({ slot, signature: `of ${slot}`, failed: false });

/** A block without transactions. `fees`: those that its leader got. */
const empty = (fees: number) => ({
  ...{
    blockhash: "1".repeat(32),
    previousBlockhash: "2".repeat(32),
    parentSlot: 4,
    blockTime: 1_700_000_000,
  },
  ...{ transactions: [], rewards: [{ rewardType: "Fee", lamports: fees }] },
});

/** Late slots of a node that answers this. Each pass returns the number of its calls. */
function failing(answer: unknown, slots: readonly number[]) {
  const late = createLateSlots();
  late.add(slots.map(listed), Number.POSITIVE_INFINITY);
  let calls = 0;
  const fail = () => {
    calls += 1;
    return answer instanceof NodeError ? Promise.reject(answer) : Promise.resolve([answer]);
  };
  const watched = {
    ...{ listLate: late.list, dropLate: late.drop },
    ...{ postponeLate: late.postpone, pauseLate: late.pause },
  };
  const client = { call: fail, batch: fail } as unknown as RpcClient;
  const source = { client, tokens: [], reportUnreadable: () => {}, watched } as unknown as SolanaSource;
  const pass = async (slot: number) => {
    calls = 0;
    await listLatePayments(source, slot, async () => new Set());
    return calls;
  };
  return { late, pass };
}

/** Passes until the slot was given up, 300 at most. */
async function countPasses(answer: unknown): Promise<number> {
  const { late, pass } = failing(answer, [5]);
  let passes = 0;
  // Longer apart than any pause.
  const slot = () => 10 + passes * 2_000;
  for (; passes < 300 && late.list(slot()).size > 0; passes++) await pass(slot());
  return passes;
}

test("a late slot is given up when its block was shown whole without the payment, never because it is not shown", async () => {
  assert.equal(await countPasses(empty(0)), 100);
  assert.equal(await countPasses(empty(5_000)), 300, "a block that lacks other transactions, too");
  const kinds = [
    "unreachable",
    "rate_limited",
    "refused",
    "malformed",
    "inconsistent",
    "behind",
    "stale",
  ] as const;
  for (const kind of kinds) assert.equal(await countPasses(new NodeError(kind, "for a test")), 300, kind);
});

test("a late slot that no node has any more is given up long after the slots that a new process asks for", async () => {
  const { late, pass } = failing(new NodeError("refused", "cleaned up"), [5]);
  await pass(2_000_000);
  assert.equal(late.list(2_000_000).size, 1);
  await pass(2_000_006);
  assert.equal(late.list(2_000_006).size, 0);
});

test("late slots that fail hold back no other one", async () => {
  const gone = Array.from({ length: 500 }, (_, slot) => slot);
  const { late, pass } = failing(new NodeError("refused", "cleaned up"), gone);
  for (let i = 0; i < 100; i++) assert.ok((await pass(600)) <= 8);
  late.add([listed(550)], Number.POSITIVE_INFINITY);
  assert.ok(late.list(600).has(550));
});

test("a node that does not answer is asked for late slots less often, until it answers", () => {
  const late = createLateSlots();
  late.add([{ slot: 5, signature: "a", failed: false }], 10);
  const asked: number[] = [];
  for (let slot = 100; slot < 2_000; slot += 10) {
    if (late.list(slot).size === 0) continue;
    asked.push(slot);
    late.postpone(5, false);
    late.pause();
  }
  assert.deepEqual(asked, [100, 250, 550, 850, 1_150, 1_450, 1_750]);
  late.add([{ slot: 6, signature: "b", failed: false }], 10);
  assert.equal(late.list(1_990).size, 0);
  assert.equal(late.list(2_050).size, 2);
  late.drop([6]);
  late.pause();
  assert.equal(late.list(2_200).size, 1, "it answered: the next pause is short");
});
