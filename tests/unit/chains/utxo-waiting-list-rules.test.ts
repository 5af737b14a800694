/** The steps of the list of waiting transactions, without a node. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createWaitingState,
  skipOld,
  step,
  type WaitingEvent,
  type WaitingState,
} from "#lib/chains/utxo/waiting-list-rules.ts";

/** Transactions that were fetched, and those that pay us. */
function openFetched(known: readonly string[] = [], ours: readonly string[] = []) {
  const [has, pays] = [new Set(known), new Set(ours)];
  return {
    known: has,
    has: (txid: string) => has.has(txid),
    paysUs: (txid: string) => pays.has(txid),
    forget: (txid: string) => void [has, pays].map((part) => part.delete(txid)),
    forgetAllBut(listed: ReadonlySet<string>) {
      for (const txid of has) if (!listed.has(txid)) has.delete(txid);
    },
  };
}

const FOLLOWED = { run: 1, next: 10, isAligned: false };
const listed = (txids: readonly string[], wanted: readonly string[] = []): WaitingEvent => ({
  kind: "listed",
  node: "one",
  txids,
  wanted,
  summary: "s",
  followed: FOLLOWED,
});
const changed = (
  state: WaitingState,
  changes: (WaitingEvent & { kind: "changed" })["changes"],
  {
    wanted = [],
    blocks = {},
  }: { wanted?: readonly string[]; blocks?: Record<string, readonly string[]> } = {},
): WaitingEvent => {
  assert.ok(state.followed);
  const confirmed = new Map(Object.entries(blocks));
  return { kind: "changed", followed: state.followed, changes, confirmed, wanted };
};

function play(events: readonly ((state: WaitingState) => WaitingEvent)[], fetched = openFetched()) {
  return events.reduce((state, next) => step(state, next(state), fetched), createWaitingState());
}

test("the first list is the backlog, and a transaction of a later one comes before it", () => {
  const first = play([() => listed(["a", "b"])]);
  assert.deepEqual([first.number, first.backlog, first.arrivals], [1, ["a", "b"], []]);
  const later = play([() => listed(["a", "b"]), () => listed(["b", "c"])]);
  assert.deepEqual([later.number, later.backlog, later.arrivals], [2, ["b"], ["c"]]);
});

test("a wanted transaction that the list names is fetched first, another one is gone", () => {
  const state = play([() => listed(["a", "b"], ["a", "z"])]);
  assert.deepEqual([state.arrivals, state.gone, [...state.left]], [["a"], ["z"], ["z"]]);
  const asked = step(state, { kind: "asked", count: 1 }, openFetched());
  assert.deepEqual([...asked.asking], ["a"]);
});

test("changes in a row are applied, and the next one has the next number", () => {
  const state = play([
    () => listed(["a"]),
    (at) =>
      changed(at, [
        { kind: "added", txid: "b", number: 10 },
        { kind: "removed", txid: "a", number: 11 },
      ]),
  ]);
  assert.deepEqual([[...state.listed], state.arrivals, state.number], [["b"], ["b"], 2]);
  assert.deepEqual(state.followed, { run: 1, next: 12, isAligned: true });
});

test("a missing change needs a list", () => {
  const state = play([() => listed(["a"]), (at) => changed(at, [{ kind: "added", txid: "b", number: 11 }])]);
  assert.equal(state.followed, null);
  assert.deepEqual([...state.listed], ["a"]);
});

test("a block takes its transactions out, and counts each of them", () => {
  const fetched = openFetched(["a"], ["a"]);
  const state = play(
    [
      () => listed(["a", "b"]),
      (at) =>
        changed(
          at,
          [
            { kind: "added", txid: "c", number: 10 },
            { kind: "connected", blockHash: "h" },
          ],
          { wanted: ["a"], blocks: { h: ["a", "x"] } },
        ),
    ],
    fetched,
  );
  assert.deepEqual([[...state.listed], state.gone, state.followed?.next], [["b", "c"], ["a"], 12]);
  assert.equal(fetched.has("a"), false);
});

test("a block that may be older than the list, that the node lacks, or that is disconnected needs a list", () => {
  const block = { kind: "connected", blockHash: "h" } as const;
  const isFollowed = (changes: Parameters<typeof changed>[1], more: Parameters<typeof changed>[2]) =>
    play([() => listed(["a"]), (at) => changed(at, changes, more)], openFetched(["a"], ["a"])).followed !==
    null;
  assert.equal(isFollowed([block], { blocks: { h: ["x"] } }), true);
  assert.equal(isFollowed([block], { blocks: { h: ["a"] } }), false);
  assert.equal(isFollowed([block], {}), false);
  // The payment left the mempool, and the block that went may have held it.
  const removed = { kind: "removed", txid: "a", number: 10 } as const;
  assert.equal(isFollowed([removed], { wanted: ["a"] }), true);
  assert.equal(isFollowed([removed, { kind: "disconnected", blockHash: "g" }], { wanted: ["a"] }), false);
});

test("another size is believed at the second time, and no longer after a change", () => {
  const sized = (at: WaitingState, size: number): WaitingEvent => ({
    kind: "sized",
    followed: at.followed,
    size,
  });
  const once = play([() => listed(["a"]), (at) => sized(at, 2)]);
  assert.deepEqual([once.isOff, once.followed], [true, FOLLOWED]);
  assert.equal(play([() => listed(["a"]), (at) => sized(at, 2), (at) => sized(at, 2)]).followed, null);
  const explained = play([
    () => listed(["a"]),
    (at) => sized(at, 2),
    (at) => changed(at, [{ kind: "added", txid: "b", number: 10 }]),
    (at) => sized(at, 1),
  ]);
  assert.deepEqual([explained.isOff, explained.followed !== null], [true, true]);
});

test("what was not fetched waits behind the arrivals, unless the node sent it wrong", () => {
  const failed = (failure: "malformed" | "other" | null) =>
    play([
      () => listed(["a", "b"]),
      () => ({ kind: "asked", count: 2 }),
      () => ({ kind: "answered", failure }),
    ]);
  assert.deepEqual(failed("other").arrivals, ["b", "a"]);
  const { arrivals, isSentWrong, summary } = failed("malformed");
  assert.deepEqual([arrivals, isSentWrong, summary], [[], true, "s"]);
  // The node lists what it does not have: its list is not true.
  assert.equal(failed(null).summary, null);
});

test("only listed transactions are fetched once more", () => {
  const state = play([() => listed(["a"]), () => ({ kind: "retaken", txids: ["a", "z"] })]);
  assert.deepEqual(state.arrivals, ["a"]);
});

test("changes from before the list are skipped until one has its number", () => {
  const old = { kind: "added", txid: "a", number: 9 } as const;
  const block = { kind: "connected", blockHash: "h" } as const;
  const next = { kind: "added", txid: "b", number: 10 } as const;
  assert.deepEqual(skipOld([block, old, next], FOLLOWED), [next]);
  assert.deepEqual(skipOld([block, old, next], { ...FOLLOWED, isAligned: true }), [block, old, next]);
});
