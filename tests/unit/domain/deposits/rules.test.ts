import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  applyUnlistedLimits,
  dropMined,
  estimateBlocksSince,
  firstSeenTime,
  hasEnoughConfirmations,
  reconcile,
  retryDelay,
  unmatchedReasonFor,
} from "#lib/domain/deposits/rules.ts";
import type { DepositStatus, RecordedDeposit, TransferObservation } from "#lib/domain/deposits/types.ts";

test("a deposit is due at its required confirmations and not one before", () => {
  assert.equal(hasEnoughConfirmations(11, { requiredConfirmations: 12 }), false);
  assert.equal(hasEnoughConfirmations(12, { requiredConfirmations: 12 }), true);
});

test("money is unmatched for the first thing that is wrong with it, and for nothing else", () => {
  const usdt = { token: "usdt", unmatchedReason: null } as const;
  const own = { network: "bep20", purpose: "merchant" } as const;
  const ofLink = { network: "bep20", purpose: "payment_link" } as const;
  type Given = Parameters<typeof unmatchedReasonFor>;
  const reason = (transfer: Given[0], address: Given[2], link: Given[3]) =>
    unmatchedReasonFor(transfer, "bep20", address, link);
  assert.equal(reason(usdt, own, null), null);
  assert.equal(reason(usdt, { ...own, purpose: "customer" }, null), null);
  assert.equal(reason(usdt, ofLink, { token: "usdt" }), null);
  assert.equal(reason(usdt, ofLink, { token: "bnb" }), "other_token");
  assert.equal(reason(usdt, ofLink, null), "no_purpose");
  assert.equal(reason(usdt, { ...ofLink, network: "trc20" }, { token: "bnb" }), "other_network");
  assert.equal(reason({ ...usdt, unmatchedReason: "no_tag" }, own, null), "no_tag");
});

test("of a flood of unknown tokens a few of each contract and not many of an address are kept", () => {
  const from = (contract: string, addressId = 1) => ({ addressId, contract });
  const flood = Array.from({ length: 9 }, () => from("a"));
  const { kept, left } = applyUnlistedLimits(
    [...flood, from("b"), from("a", 2)],
    new Map([[1, new Map([["a", 3]])]]),
  );
  assert.deepEqual(kept, [from("a"), from("a"), from("b"), from("a", 2)]);
  assert.equal(left.length, 7);
  const many = Array.from({ length: 80 }, (_, i) => from(String(i)));
  assert.equal(applyUnlistedLimits(many, new Map()).kept.length, 50);
  assert.equal(applyUnlistedLimits(many, new Map([[1, new Map([["x", 50]])]])).kept.length, 0);
});

test("first seen is the block's time, unless a clock ahead of ours says so", () => {
  const now = new Date(10_000);
  assert.deepEqual(firstSeenTime(now, { time: new Date(9_000) }), new Date(9_000));
  assert.deepEqual(firstSeenTime(now, { time: new Date(11_000) }), now);
  assert.deepEqual(firstSeenTime(now, null), now);
});

test("a chain has made no more blocks since a moment than are reckoned with, whatever the clocks say", () => {
  const now = new Date("2026-01-01T00:10:00Z");
  assert.equal(estimateBlocksSince(new Date("2026-01-01T00:00:00Z"), now, 600), 103);
  assert.equal(estimateBlocksSince(new Date("2026-01-01T00:00:00Z"), now, 0.45), 4_100);
  assert.equal(estimateBlocksSince(new Date("2026-01-01T00:20:00Z"), now, 3), 100);
});

test("the wait after failures grows, is jittered, and ends at thirty seconds", () => {
  assert.equal(retryDelay(1, 500, 1), 1_000);
  assert.equal(retryDelay(1, 500, 0), 500);
  assert.equal(retryDelay(3, 500, 1), 4_000);
  assert.equal(retryDelay(1_000, 500, 1), 30_000);
});

const block = (height: number, hash: string) => ({ height, hash, time: new Date(height * 1_000) });

function known(changes: Partial<RecordedDeposit>): RecordedDeposit {
  return {
    id: 1,
    txHash: "t",
    position: 0,
    token: "usdt",
    addressId: 1,
    amount: 5n,
    status: 0,
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

const summary = (outcome: ReturnType<typeof reconcile>) => ({
  inserted: outcome.inserted.length,
  moved: outcome.moved.map((m) => m.recorded.id),
  rewritten: outcome.rewritten.map((m) => m.recorded.id),
  lost: outcome.lost.map(({ id }) => id),
  missing: outcome.missing.map(({ id }) => id),
  displaced: outcome.displaced.map(({ id }) => id),
});
const BLOCKS = { forkHeight: null, mempoolRead: false, missing: null };
const FORK = { forkHeight: 99, mempoolRead: false, missing: null };
const NOTHING = { inserted: 0, moved: [], rewritten: [], lost: [], missing: [], displaced: [] };

test("a movement observed again where it is recorded changes nothing", () => {
  assert.deepEqual(summary(reconcile([known({})], [observation({})], BLOCKS)), NOTHING);
});

test("a movement in another block moves, and a dropped one that returns does too", () => {
  const elsewhere = observation({ block: block(102, "new"), position: 7 });
  assert.deepEqual(summary(reconcile([known({})], [elsewhere], FORK)), { ...NOTHING, moved: [1] });
  const dropped = known({ status: 2, blockHeight: null, blockHash: null });
  assert.deepEqual(summary(reconcile([dropped], [observation({})], BLOCKS)), { ...NOTHING, moved: [1] });
});

test("after a fork, what is not observed above it is lost, and what lies below it stays", () => {
  const rows = [known({ id: 1 }), known({ id: 2, txHash: "u", blockHeight: 99 })];
  assert.deepEqual(summary(reconcile(rows, [], FORK)), { ...NOTHING, lost: [1] });
  assert.deepEqual(summary(reconcile(rows, [], BLOCKS)), NOTHING);
});

test("a transaction with another effect in its new block rewrites its deposit", () => {
  const other = observation({ amount: 4n, block: block(101, "new") });
  assert.deepEqual(summary(reconcile([known({})], [other], FORK)), { ...NOTHING, rewritten: [1] });
});

test("a deposit that lost its place to another of its transaction makes room", () => {
  const rows = [known({ id: 1, addressId: 1, position: 0 }), known({ id: 2, addressId: 2, position: 1 })];
  const outcome = reconcile(
    rows,
    [observation({ addressId: 1, position: 1, block: block(101, "new") })],
    FORK,
  );
  assert.deepEqual(summary(outcome), { ...NOTHING, moved: [1], lost: [2], displaced: [2] });
});

test("what waited in the mempool and neither waits nor stands in a block is lost", () => {
  const waiting = known({ blockHeight: null, blockHash: null });
  const look = { forkHeight: null, mempoolRead: true, missing: new Set([1]) };
  assert.deepEqual(summary(reconcile([waiting], [], look)), { ...NOTHING, lost: [1] });
  assert.deepEqual(summary(reconcile([waiting], [], BLOCKS)), NOTHING);
  assert.deepEqual(summary(reconcile([waiting], [observation({ block: null })], look)), NOTHING);
  assert.deepEqual(summary(reconcile([waiting], [observation({})], look)), { ...NOTHING, moved: [1] });
  assert.deepEqual(summary(reconcile([{ ...waiting, status: 2 }], [], look)), NOTHING);
});

test("where a mempool is shown, only what two looks in a row miss is lost, or what another payment spends the coins of", () => {
  const waiting = known({ blockHeight: null, blockHash: null, spends: ["a:0", "b:1"] });
  const mined = known({ id: 2, txHash: "u", spends: ["c:0"] });
  const first = { forkHeight: 99, mempoolRead: true, missing: new Set<number>() };
  assert.deepEqual(summary(reconcile([waiting, mined], [], first)), { ...NOTHING, missing: [1, 2] });
  const second = { ...first, missing: new Set([1]) };
  assert.deepEqual(summary(reconcile([waiting, mined], [], second)), { ...NOTHING, lost: [1], missing: [2] });
  const blind = { forkHeight: 99, mempoolRead: false, missing: new Set([1, 2]) };
  assert.deepEqual(summary(reconcile([waiting, mined], [], blind)), { ...NOTHING, missing: [2] });
  const other = observation({ txHash: "v", spends: ["b:1"], block: null });
  assert.deepEqual(summary(reconcile([waiting, mined], [other], first)), {
    ...NOTHING,
    inserted: 1,
    lost: [1],
    missing: [2],
  });
});

test("a mempool that still shows what stands in a block says nothing, one after a fork does", () => {
  const late = observation({ block: null });
  assert.deepEqual(dropMined([late], [], [known({})], null), []);
  assert.deepEqual(dropMined([late], [observation({})], [], null), []);
  assert.deepEqual(dropMined([late], [], [known({})], 99), [late]);
  assert.deepEqual(dropMined([late], [], [known({})], 100), []);
  assert.deepEqual(dropMined([late], [], [], null), [late]);
});

test("every observation finds one home, every deposit one fate, and a second look changes nothing", () => {
  const place = fc.record({
    txHash: fc.constantFrom("t", "u"),
    position: fc.nat(4),
    addressId: fc.integer({ min: 1, max: 2 }),
    amount: fc.constantFrom(1n, 2n),
  });
  const distinct = (items: { txHash: string; position: number }[]) =>
    new Set(items.map(({ txHash, position }) => `${txHash} ${position}`)).size === items.length;
  const placesOf = fc.array(place, { maxLength: 6 }).filter(distinct);
  const status = fc.constantFrom<DepositStatus>(0, 1, 2);
  fc.assert(
    fc.property(
      placesOf,
      placesOf,
      fc.array(status, { minLength: 6, maxLength: 6 }),
      (rows, seen, states) => {
        const before = rows.map((row, i) => {
          const dropped = states[i] === 2;
          const where = dropped ? { blockHeight: null, blockHash: null } : {};
          return known({ ...row, ...where, id: i + 1, status: states[i]! });
        });
        const observations = seen.map((row) => observation({ ...row, block: block(101, "new") }));
        const outcome = reconcile(before, observations, FORK);
        const matched = [...outcome.moved, ...outcome.rewritten];
        assert.equal(matched.length + outcome.inserted.length, observations.length);
        const ids = [...matched.map((m) => m.recorded.id), ...outcome.lost.map(({ id }) => id)];
        assert.equal(new Set(ids).size, ids.length);

        const parked = new Set(outcome.displaced.map(({ id }) => id));
        const after = [
          ...before
            .filter(({ id }) => !matched.some((m) => m.recorded.id === id))
            .map((d) =>
              known({
                ...d,
                status: 2,
                blockHeight: null,
                blockHash: null,
                position: parked.has(d.id) ? -d.id : d.position,
              }),
            ),
          ...matched.map((m) =>
            known({ ...m.observation, id: m.recorded.id, blockHeight: 101, blockHash: "new" }),
          ),
          ...outcome.inserted.map((s, i) => known({ ...s, id: 100 + i, blockHeight: 101, blockHash: "new" })),
        ];
        assert.ok(distinct(after), "no two deposits at one place");
        assert.deepEqual(summary(reconcile(after, observations, FORK)), NOTHING);
      },
    ),
    { numRuns: 2_000 },
  );
});
