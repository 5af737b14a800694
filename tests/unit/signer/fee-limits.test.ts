import assert from "node:assert/strict";
import { test } from "node:test";
import { feeRefusal, feesOfDay, type Spending } from "#lib/signer/fee-limits.ts";
import type { EntryKind, JournalEntry, NetworkPolicy } from "#lib/signer/types.ts";

const AT = new Date("2026-11-27T12:00:00Z");
const hours = (before: number) => new Date(AT.getTime() - before * 3_600_000);
const policy = (changes: Partial<NetworkPolicy> = {}): NetworkPolicy => ({
  ...{ maxFee: 10n, consolidateBelow: null, maxGas: null, feePerDay: 100n, tokens: new Map(), cold: null },
  sweep: { maxFeeBps: 100n, maxFee: 30n, feePerDay: 50n },
  ...changes,
});
type Paid = Pick<JournalEntry, "kind" | "at" | "spends"> & { readonly fee: bigint };
const paid = (fee: number, spends: readonly string[] = [], kind: EntryKind = "payout", before = 1): Paid => ({
  ...{ kind, spends, fee: BigInt(fee), at: hours(before) },
});
const wanted = (
  fee: number,
  kind: EntryKind = "payout",
  spends: readonly string[] = [],
  most = 1_000,
): Spending => ({
  ...{ kind, spends, cost: { fee: BigInt(fee), most: BigInt(most) } },
});
const refuse = (what: Spending, own: readonly Paid[] = [], limits: NetworkPolicy | null = policy()) =>
  feeRefusal(limits, what, { own, at: AT });

test("every kind of transaction is held by its own cap, without a policy by all", () => {
  for (const kind of ["payout", "cancel", "sweep", "cold", "consolidation", "deploy"] as const) {
    assert.equal(refuse(wanted(11, kind, [], 10)), "network_fee_too_high", kind);
    assert.equal(refuse(wanted(-1, kind)), "network_fee_too_high", kind);
    assert.equal(refuse(wanted(10, kind, [], 10)), null, kind);
    assert.equal(refuse(wanted(1, kind), [], null), "network_fee_too_high", kind);
  }
});

test("sweeps have limits of their own, also when their fee is raised", () => {
  assert.equal(refuse(wanted(31, "sweep")), "above_max_sweep_fee");
  const own = [paid(25, ["hot:1"], "sweep"), paid(20, ["hot:2"], "sweep"), paid(90)];
  assert.equal(refuse(wanted(6, "sweep"), own), "above_sweep_fee_per_day");
  assert.equal(refuse(wanted(5, "sweep"), own), null);
  assert.equal(refuse(wanted(30, "sweep", ["hot:1"]), own), null, "only one of both is paid");
  assert.equal(refuse(wanted(30, "sweep", ["hot:2"]), own), "above_sweep_fee_per_day");
});

test("everything else counts together for a day, and of what excludes each other the dearest", () => {
  const own = [
    paid(20, ["a:0", "b:0"]),
    paid(30, ["a:0", "b:0"]),
    paid(25, ["b:0", "c:0"], "cancel"),
    paid(40, ["d:0"], "cold"),
    paid(70, ["e:0"], "payout", 25),
    paid(9, [], "sweep"),
  ];
  assert.equal(feesOfDay(own, AT, "rest"), 70n);
  assert.equal(feesOfDay(own, AT, "sweeps"), 9n);
  assert.equal(refuse(wanted(30), own), null);
  assert.equal(refuse(wanted(31), own), "above_fee_per_day");
  assert.equal(refuse(wanted(71, "payout", ["d:0"]), own), "above_fee_per_day");
  assert.equal(refuse(wanted(70, "payout", ["d:0"]), own), null);
  assert.equal(refuse(wanted(900), own, policy({ feePerDay: null })), null);
});

test("the cancellation of a payment passes the limit of the day and counts for it; one that cancels nothing does not pass", () => {
  const own = [paid(95, ["hot:1"])];
  assert.equal(refuse(wanted(200, "cancel", ["hot:1"]), own), null);
  assert.equal(refuse(wanted(200, "cancel", ["hot:2"]), own), "above_fee_per_day");
  assert.equal(refuse(wanted(1), [...own, paid(200, ["hot:1"], "cancel")]), "above_fee_per_day");
});
