import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  divideContradicting,
  divideDisplacing,
  dropMined,
  dropReassigned,
  listTransactions,
  pickTransactions,
  reconcile,
} from "#lib/domain/deposits/record/reconcile-rules.ts";
import type { RecordedDeposit, TransferObservation } from "#lib/domain/deposits/types.ts";
import type { DepositStatus } from "#lib/domain/types.ts";

const block = (height: number, hash: string) => ({ height, hash, time: new Date(height * 1_000) });

function recorded(changes: Partial<RecordedDeposit>): RecordedDeposit {
  return {
    id: 1,
    txHash: "t",
    position: 0,
    token: "usdt",
    addressId: 1,
    amount: 5n,
    status: "seen",
    unmatchedReason: null,
    creditRound: 0,
    spends: [],
    blockHeight: 100,
    blockHash: "old",
    ...changes,
  };
}

function observation(changes: Partial<TransferObservation>): TransferObservation {
  return {
    txHash: "t",
    position: 0,
    token: "usdt",
    addressId: 1,
    merchantId: 1,
    amount: 5n,
    sender: null,
    spends: [],
    unmatchedReason: null,
    block: block(100, "old"),
    ...changes,
  };
}

const summary = (result: ReturnType<typeof reconcile>) => ({
  inserted: result.inserted.length,
  moved: result.moved.map((m) => m.recorded.id),
  lost: result.lost.map(({ id }) => id),
  missing: result.missing.map(({ id }) => id),
  displaced: result.displaced.map(({ id }) => id),
});
const BLOCKS = { forkHeight: null, gone: null, missing: null };
const FORK = { forkHeight: 99, gone: null, missing: null };
const NOTHING = { inserted: 0, moved: [], lost: [], missing: [], displaced: [] };

test("an observation of a transfer where it is recorded changes nothing", () => {
  assert.deepEqual(summary(reconcile([recorded({})], [observation({})], BLOCKS)), NOTHING);
});

test("a transfer that is recorded in a block stays where it is when its address has another owner now", () => {
  const held = recorded({ unmatchedReason: "unknown_tag", status: "held" });
  const reassigned = observation({ addressId: 2, merchantId: 2 });
  const other = observation({ position: 1, addressId: 2, merchantId: 2 });
  assert.deepEqual(dropReassigned([held], [reassigned, other]), [other]);
  // Where it is recorded, in another block, or after it was dropped, the observation counts.
  for (const counts of [
    observation({}),
    observation({ addressId: 2, block: block(100, "new") }),
    observation({ addressId: 2, block: null }),
    observation({ addressId: 2, amount: 4n }),
  ]) {
    assert.deepEqual(dropReassigned([held], [counts]), [counts]);
  }
  const dropped = recorded({ status: "dropped", blockHeight: null, blockHash: null });
  assert.deepEqual(dropReassigned([dropped], [reassigned]), [reassigned]);
});

test("where an address gets a token once in a transaction, the same block contradicts another recorded amount", () => {
  const held = recorded({ unmatchedReason: "other_token", status: "held" });
  const whole = observation({ position: 3, amount: 12n });
  const others = [
    observation({ position: 3 }),
    observation({ amount: 12n, addressId: 2 }),
    observation({ amount: 12n, token: "usdc" }),
    observation({ amount: 12n, txHash: "u" }),
    observation({ amount: 12n, block: block(100, "new") }),
    observation({ amount: 12n, block: null }),
  ];
  const divided = divideContradicting([held], [whole, ...others]);
  assert.deepEqual(divided, { agreeing: others, contradicting: [whole], undoubted: [held] });
  const dropped = recorded({ status: "dropped", blockHeight: null, blockHash: null });
  assert.deepEqual(divideContradicting([dropped], [whole]).agreeing, [whole]);
});

test("a transfer in another block is moved, and so is a dropped one that returns", () => {
  const elsewhere = observation({ block: block(102, "new"), position: 7 });
  assert.deepEqual(summary(reconcile([recorded({})], [elsewhere], FORK)), { ...NOTHING, moved: [1] });
  const dropped = recorded({ status: "dropped", blockHeight: null, blockHash: null });
  assert.deepEqual(summary(reconcile([dropped], [observation({})], BLOCKS)), { ...NOTHING, moved: [1] });
});

test("after a fork, an unobserved deposit above it is lost, and one below it stays", () => {
  const rows = [recorded({ id: 1 }), recorded({ id: 2, txHash: "u", blockHeight: 99 })];
  assert.deepEqual(summary(reconcile(rows, [], FORK)), { ...NOTHING, lost: [1] });
  assert.deepEqual(summary(reconcile(rows, [], BLOCKS)), NOTHING);
});

test("a transaction with another effect in its new block loses its deposit and has another one", () => {
  for (const change of [{ amount: 4n }, { addressId: 2 }, { token: "usdc" as const }]) {
    const other = observation({ ...change, block: block(101, "new") });
    const found = { ...NOTHING, inserted: 1, lost: [1], displaced: [1] };
    assert.deepEqual(summary(reconcile([recorded({})], [other], FORK)), found);
    const mempool = { ...FORK, gone: new Set<string>(), missing: new Set<number>() };
    assert.deepEqual(summary(reconcile([recorded({})], [other], mempool)), found, "never missing first");
    assert.deepEqual(summary(reconcile([recorded({})], [other], BLOCKS)), found, "also without a fork");
    const dropped = recorded({ status: "dropped", blockHeight: null, blockHash: null });
    assert.deepEqual(summary(reconcile([dropped], [other], BLOCKS)), { ...found, lost: [] });
  }
});

test("a deposit is displaced when another of its transaction takes its position", () => {
  const rows = [
    recorded({ id: 1, addressId: 1, position: 0 }),
    recorded({ id: 2, addressId: 2, position: 1 }),
  ];
  const result = reconcile(
    rows,
    [observation({ addressId: 1, position: 1, block: block(101, "new") })],
    FORK,
  );
  assert.deepEqual(summary(result), { ...NOTHING, moved: [1], lost: [2], displaced: [2] });
});

test("what is seen of a transaction in part takes no place of what was left out", () => {
  // Another node numbers the movements one higher, and only the first merchant's is shown.
  const first = recorded({ id: 1, addressId: 1, status: "credited" });
  const second = recorded({ id: 2, addressId: 2, position: 1, status: "credited" });
  const shifted = observation({ addressId: 1, position: 1 });
  assert.deepEqual(summary(reconcile([first, second], [shifted], BLOCKS)).lost, [2]);
  assert.deepEqual(
    divideDisplacing([first, second], [shifted]),
    { kept: [], inDoubt: [shifted], unrecorded: [], txHashes: new Set([shifted.txHash]) },
    "it is recorded already",
  );
  const missed = observation({ addressId: 3, position: 2 });
  assert.deepEqual(divideDisplacing([first, second], [missed]).kept, [missed]);
  const dropped = recorded({ status: "dropped", addressId: 9 });
  assert.equal(divideDisplacing([dropped], [observation({})]).kept.length, 1);
});

test("one place in doubt brings the whole transaction in doubt", () => {
  const third = observation({ addressId: 3, position: 2 });
  const other = observation({ txHash: "u", addressId: 3 });
  const shifted = [observation({ addressId: 2, position: 0 }), third, other];
  const deposits = [1, 2].map((id) => recorded({ id, addressId: id, position: id - 1, status: "credited" }));
  const { kept, unrecorded } = divideDisplacing(deposits, shifted);
  assert.deepEqual([kept, unrecorded], [[other], [third]]);
});

test("a deposit that left the mempool and is in no block is lost", () => {
  const waiting = recorded({ blockHeight: null, blockHash: null });
  const scope = { forkHeight: null, gone: new Set([waiting.txHash]), missing: new Set([1]) };
  assert.deepEqual(summary(reconcile([waiting], [], scope)), { ...NOTHING, lost: [1] });
  const listed = { ...scope, gone: new Set(["another"]) };
  assert.deepEqual(summary(reconcile([waiting], [], listed)), NOTHING, "listed, not fetched yet");
  assert.deepEqual(summary(reconcile([waiting], [], BLOCKS)), NOTHING);
  assert.deepEqual(summary(reconcile([waiting], [observation({ block: null })], scope)), NOTHING);
  assert.deepEqual(summary(reconcile([waiting], [observation({})], scope)), { ...NOTHING, moved: [1] });
  assert.deepEqual(summary(reconcile([{ ...waiting, status: "dropped" }], [], scope)), NOTHING);
});

test("where the mempool is shown, a deposit is lost when two scans miss it or its outpoint is spent", () => {
  const waiting = recorded({ blockHeight: null, blockHash: null, spends: ["a:0", "b:1"] });
  const mined = recorded({ id: 2, txHash: "u", spends: ["c:0"] });
  const first = { forkHeight: 99, gone: new Set([waiting.txHash]), missing: new Set<number>() };
  assert.deepEqual(summary(reconcile([waiting, mined], [], first)), { ...NOTHING, missing: [1, 2] });
  const second = { ...first, missing: new Set([1]) };
  assert.deepEqual(summary(reconcile([waiting, mined], [], second)), { ...NOTHING, lost: [1], missing: [2] });
  const noMempool = { forkHeight: 99, gone: null, missing: new Set([1, 2]) };
  assert.deepEqual(summary(reconcile([waiting, mined], [], noMempool)), { ...NOTHING, missing: [2] });
  const other = observation({ txHash: "v", spends: ["b:1"], block: null });
  assert.deepEqual(summary(reconcile([waiting, mined], [other], first)), {
    ...NOTHING,
    inserted: 1,
    lost: [1],
    missing: [2],
  });
});

test("a mempool entry of a mined transaction is ignored, except above a fork", () => {
  const late = observation({ block: null });
  assert.deepEqual(dropMined([late], [], [recorded({})], null), []);
  assert.deepEqual(dropMined([late], [observation({})], [], null), []);
  assert.deepEqual(dropMined([late], [], [recorded({})], 99), [late]);
  assert.deepEqual(dropMined([late], [], [recorded({})], 100), []);
  assert.deepEqual(dropMined([late], [], [], null), [late]);
});

test("every observation and every deposit is used once, and a second reconciliation changes nothing", () => {
  const position = fc.record({
    txHash: fc.constantFrom("t", "u"),
    position: fc.nat(4),
    addressId: fc.integer({ min: 1, max: 2 }),
    amount: fc.constantFrom(1n, 2n),
  });
  const distinct = (items: { txHash: string; position: number }[]) =>
    new Set(items.map(({ txHash, position }) => `${txHash} ${position}`)).size === items.length;
  const positions = fc.array(position, { maxLength: 6 }).filter(distinct);
  const status = fc.constantFrom<DepositStatus>("seen", "credited", "dropped");
  fc.assert(
    fc.property(
      positions,
      positions,
      fc.array(status, { minLength: 6, maxLength: 6 }),
      (rows, seen, states) => {
        const before = rows.map((row, i) => {
          const dropped = states[i] === "dropped";
          const where = dropped ? { blockHeight: null, blockHash: null } : {};
          return recorded({ ...row, ...where, id: i + 1, status: states[i]! });
        });
        const observations = seen.map((row) => observation({ ...row, block: block(101, "new") }));
        const result = reconcile(before, observations, FORK);
        const matched = result.moved;
        assert.equal(matched.length + result.inserted.length, observations.length);
        const ids = [...matched.map((m) => m.recorded.id), ...result.lost.map(({ id }) => id)];
        assert.equal(new Set(ids).size, ids.length);

        const parked = new Set(result.displaced.map(({ id }) => id));
        const after = [
          ...before
            .filter(({ id }) => !matched.some((m) => m.recorded.id === id))
            .map((d) =>
              recorded({
                ...d,
                status: "dropped",
                blockHeight: null,
                blockHash: null,
                position: parked.has(d.id) ? -d.id : d.position,
              }),
            ),
          ...matched.map((m) =>
            recorded({ ...m.observation, id: m.recorded.id, blockHeight: 101, blockHash: "new" }),
          ),
          ...result.inserted.map((s, i) =>
            recorded({ ...s, id: 100 + i, blockHeight: 101, blockHash: "new" }),
          ),
        ];
        assert.ok(distinct(after), "no two deposits have one position");
        assert.deepEqual(summary(reconcile(after, observations, FORK)), NOTHING);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("what is recorded of a block that is in both branches is not lost, when the block is read again in part", () => {
  const [held, other] = [recorded({}), recorded({ id: 2, txHash: "u" })];
  const { agreeing, contradicting, undoubted } = divideContradicting(
    [held, other],
    [observation({ amount: 3n })],
  );
  assert.equal(contradicting.length, 1);
  assert.deepEqual(summary(reconcile(undoubted, agreeing, FORK)), { ...NOTHING, lost: [2] });
});

test("what else is recorded of a transaction that is read again in part is not lost with it, nor counted twice", () => {
  const rows = [
    recorded({}),
    recorded({ id: 2, addressId: 2, position: 1 }),
    recorded({ id: 3, token: "usdc" }),
  ];
  const seen = [observation({ amount: 3n }), observation({ token: "usdc", position: 4 })];
  const { agreeing, undoubted } = divideContradicting(rows, seen);
  assert.deepEqual(summary(reconcile(undoubted, agreeing, FORK)), { ...NOTHING, moved: [3] });
});

test("a reconciliation can be split into its transactions", () => {
  const before = [
    recorded({ id: 1, txHash: "moved" }),
    recorded({ id: 2, txHash: "changed" }),
    recorded({ id: 3, txHash: "lost" }),
  ];
  const now = block(101, "new");
  const all = reconcile(
    before,
    [
      observation({ txHash: "moved", block: now }),
      observation({ txHash: "changed", amount: 6n, block: now }),
      observation({ txHash: "new", block: now }),
    ],
    FORK,
  );
  const hashes = listTransactions(all);
  assert.deepEqual(hashes.toSorted(), ["changed", "lost", "moved", "new"]);
  assert.deepEqual(pickTransactions(all, new Set(hashes)), all);
  const { inserted, moved, displaced, lost } = pickTransactions(all, new Set(["moved", "lost"]));
  assert.deepEqual([inserted.length, moved.length, displaced.length, lost.length], [0, 1, 0, 1]);
});
