import assert from "node:assert/strict";
import { test } from "node:test";
import { PolicyError, parsePolicy } from "#lib/signer/policy.ts";
import { openSignedDay, policyRefusal } from "#lib/signer/policy-rules.ts";
import type { JournalEntry, Payout } from "#lib/signer/types.ts";
import { measureTurns } from "#tests/support/longest-turn.ts";

const NOW = new Date("2026-11-25T10:00:00Z");
const HOUR = 3_600_000;
const UNIT = 10n ** 18n;

const aPayout = (refid: string, changes: Partial<Payout> = {}): Payout => ({
  env: "test",
  network: "bep20",
  refid,
  merchantId: 1,
  token: "usdt",
  amount: 10n * UNIT,
  to: "0x01",
  ...changes,
});

const anEntry = (
  hoursAgo: number,
  payouts: readonly Payout[],
  changes: Partial<JournalEntry> = {},
): JournalEntry => ({
  at: new Date(NOW.getTime() - hoursAgo * HOUR),
  kind: "payout",
  env: "test",
  network: "bep20",
  payouts,
  moves: [],
  spends: [],
  expires: null,
  hash: "0x0a",
  raw: "0x",
  ...changes,
});

test("sums what was signed within 24 hours of the same token and network, each withdrawal once", () => {
  const signed = [
    anEntry(25, [aPayout("too old")]),
    anEntry(23, [aPayout("1"), aPayout("2", { merchantId: 2 })]),
    anEntry(22, [aPayout("1")]),
    anEntry(1, [
      aPayout("3", { token: "bnb" }),
      aPayout("4", { network: "erc20" }),
      aPayout("5", { env: "live" }),
    ]),
    anEntry(1, [aPayout("6")], { kind: "cancel" }),
  ];
  const day = openSignedDay(signed, NOW);
  const sums = () =>
    [{}, { merchantId: 2 }, { except: "1" }].map((which) => day.sum(aPayout(""), which) / UNIT);
  assert.deepEqual(sums(), [20n, 10n, 10n]);
  assert.equal(day.sum(aPayout(""), { merchantId: 2, except: "1" }), 10n * UNIT, "of another merchant");
  day.add([aPayout("2", { merchantId: 2, amount: 4n * UNIT }), aPayout("7")]);
  assert.deepEqual(sums(), [24n, 4n, 14n]);
});

test("a payout that is signed again counts once, and others are still limited", () => {
  const tokens = {
    usdt: { per_transfer: "10", per_day: "15", per_merchant_per_day: "12", auto_up_to: "10" },
  };
  const networks = { "test.bep20": { max_fee_per_gas_gwei: "5", tokens } };
  const policy = parsePolicy(JSON.stringify({ version: 1, networks }), () => null);
  const refusal = (payout: Payout, signed: readonly JournalEntry[], group: readonly Payout[] = []) =>
    policyRefusal(policy, payout, { day: openSignedDay(signed, NOW), group, approvers: [] });
  const signed = [anEntry(1, [aPayout("1")])];
  assert.equal(refusal(aPayout("1"), signed), null);
  assert.equal(refusal(aPayout("2"), signed), "above_per_day");
  assert.equal(refusal(aPayout("2", { amount: 3n * UNIT }), signed), "above_per_merchant_per_day");
  assert.equal(refusal(aPayout("2", { amount: 3n * UNIT, merchantId: 2 }), signed), null);
  assert.equal(refusal(aPayout("2"), [], [aPayout("1")]), "above_per_day", "one of the group");
  assert.equal(refusal(aPayout("2"), [], [aPayout("1", { token: "bnb" })]), null);
  const [small, others] = [{ amount: 3n * UNIT }, [aPayout("1", { merchantId: 2 })]];
  assert.equal(refusal(aPayout("2", small), [], [aPayout("1")]), "above_per_merchant_per_day");
  assert.equal(refusal(aPayout("2", small), [], others), null);
  assert.equal(refusal(aPayout("2", { amount: 11n * UNIT }), []), "above_per_transfer");
  assert.equal(refusal(aPayout("2", { network: "erc20" }), []), "not_in_policy");
});

test("a merchant whose many withdrawals wait for the end of the day costs the others no time", () => {
  const count = 5_000;
  const tokens = {
    usdt: { per_transfer: "10", per_day: "50000", per_merchant_per_day: "50000", auto_up_to: "10" },
  };
  const networks = { "test.bep20": { max_fee_per_gas_gwei: "5", tokens } };
  const policy = parsePolicy(JSON.stringify({ version: 1, networks }), () => null);
  const paid = Array.from({ length: count }, (_, i) => anEntry(1, [aPayout(`paid ${i}`)]));
  const measured = measureTurns();
  const day = openSignedDay(paid, NOW);
  for (let i = 0; i < count; i++)
    assert.equal(policyRefusal(policy, aPayout(`${i}`), { day, group: [], approvers: [] }), "above_per_day");
  // About 30 ms. Adding up the day for each of them takes 20 seconds.
  assert.ok(measured().total < 3_000);
});

test("each family has its own field for the most that a transaction may cost", () => {
  const read = (name: string, fields: object) => {
    const text = JSON.stringify({ version: 1, networks: { [name]: { ...fields, tokens: {} } } });
    return parsePolicy(text, () => null).networks.get(name)?.maxFee;
  };
  assert.equal(read("test.bep20", { max_fee_per_gas_gwei: "1.5" }), 1_500_000_000n);
  assert.equal(read("test.bitcoin", { max_fee_per_vbyte: "20.5" }), 20_500n);
  assert.equal(read("test.trc20", { max_fee: "30" }), 30_000_000n);
  assert.equal(read("test.solana", { max_fee: "0.01" }), 10_000_000n);
  assert.equal(read("test.xrp", { max_fee: "0.1" }), 100_000n);
  assert.throws(() => read("test.xrp", { max_fee_per_vbyte: "1" }), PolicyError);
  assert.throws(() => read("test.bep20", { max_fee_per_gas_gwei: "1", max_fee: "1" }), PolicyError);
  assert.throws(() => read("test.bep20", {}), /max_fee_per_gas_gwei is missing/);
});

test("sweeps need limits of their fees, and a cold address goes with a maximum", () => {
  const read = (network: object, token: object) => {
    const usdt = { per_transfer: "0", per_day: "0", auto_up_to: "0", ...token };
    const networks = { "test.bep20": { max_fee_per_gas_gwei: "1", tokens: { usdt }, ...network } };
    const text = JSON.stringify({ version: 1, networks });
    const canonical = (_env: string, _network: string, address: string) =>
      address === "wrong" ? null : address.toLowerCase();
    return parsePolicy(text, canonical).networks.get("test.bep20");
  };
  const fees = { max_sweep_fee_percent: "1.25", sweep_fee_per_day: "0.01" };
  const policy = read({ ...fees, cold: "0xAB" }, { sweep_above: "50", hot_target: "1", hot_maximum: "2.5" });
  assert.deepEqual(policy?.sweep, { maxFeeBps: 125n, maxFee: null, feePerDay: UNIT / 100n });
  assert.equal(policy.cold, "0xab");
  const { sweepAbove, hot } = policy.tokens.get("usdt") ?? {};
  assert.deepEqual([sweepAbove, hot], [50n * UNIT, { target: UNIT, maximum: (5n * UNIT) / 2n }]);
  assert.equal(read({ ...fees, max_sweep_fee: "0.5" }, {})?.sweep?.maxFee, UNIT / 2n);
  const plain = read({}, {});
  assert.deepEqual([plain?.sweep, plain?.cold, plain?.tokens.get("usdt")?.sweepAbove], [null, null, null]);
  for (const [network, token] of [
    [{}, { sweep_above: "1" }],
    [{ max_sweep_fee_percent: "1" }, { sweep_above: "1" }],
    [{ sweep_fee_per_day: "1" }, {}],
    [{ ...fees, max_sweep_fee_percent: "1.234" }, {}],
    [{}, { hot_target: "1", hot_maximum: "2" }],
    [{ cold: "0xab" }, { hot_target: "1" }],
    [{ cold: "0xab" }, { hot_target: "3", hot_maximum: "2" }],
    [{ cold: "wrong" }, {}],
  ] as const)
    assert.throws(() => read(network, token), PolicyError, JSON.stringify([network, token]));
});
