import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { chooseSweep, type SweepCandidate } from "#lib/signer/evm/sweep-rules.ts";

const units = (max: bigint) => fc.bigInt({ min: 0n, max });
const candidate = fc.record({
  balance: units(10n ** 22n),
  gas: fc.bigInt({ min: 10_000n, max: 200_000n }),
  isDelegated: fc.boolean(),
  isCleared: fc.boolean(),
});
const largestFirst = (list: readonly SweepCandidate[]) =>
  [...list].sort((one, other) => (one.balance < other.balance ? 1 : -1));

test("a chosen sweep is worth its fee and within every cap", () => {
  fc.assert(
    fc.property(
      fc.array(candidate, { maxLength: 50 }).map(largestFirst),
      fc.record({
        policy: fc.record({
          maxFeeBps: units(10_000n),
          maxFee: fc.option(units(10n ** 17n)),
          feePerDay: units(10n ** 18n),
        }),
        above: units(10n ** 21n),
        spent: units(10n ** 18n),
        now: units(10n ** 11n),
      }),
      (candidates, { policy, above, spent, now }) => {
        const price = { now, most: now * 2n, worthOf: (wei: bigint) => wei * 3_000n };
        const choice = chooseSweep(candidates, { policy, above, price, spent });
        if (!choice.ok) return;
        const { chosen, gasLimit } = choice;
        const moved = chosen.reduce((sum, { balance }) => sum + balance, 0n);
        const authorizations = chosen.filter(({ isDelegated }) => !isDelegated).length;
        const gas = chosen.reduce((sum, one) => sum + one.gas, 21_000n + 25_000n * BigInt(authorizations));
        assert.ok(chosen.length > 0 && chosen.every((one) => candidates.includes(one)));
        assert.ok(moved >= above && gasLimit > gas);
        assert.ok(gasLimit * price.most + spent <= policy.feePerDay);
        assert.ok(policy.maxFee === null || gasLimit * price.most <= policy.maxFee);
        const [largest = 0n] = chosen.map((one) => one.gas).sort((one, other) => (one < other ? 1 : -1));
        assert.ok(price.worthOf((gas - largest) * now) * 10_000n <= policy.maxFeeBps * moved);
      },
    ),
    { numRuns: 300 },
  );
});

test("dust is left out, and what does not fit under the cap of a transaction waits for the next", () => {
  const big = { balance: 10n ** 20n, gas: 20_000n, isDelegated: false, isCleared: false };
  const price = { now: 10n ** 9n, most: 10n ** 9n, worthOf: (wei: bigint) => wei * 600n };
  const policy = { maxFeeBps: 100n, maxFee: null, feePerDay: 10n ** 18n };
  const choose = (candidates: readonly SweepCandidate[], maxFee: bigint | null = null) =>
    chooseSweep(candidates, { policy: { ...policy, maxFee }, above: 1n, price, spent: 0n });
  const dusty = choose([big, big, { ...big, balance: 10n ** 15n }]);
  assert.deepEqual(dusty.ok && dusty.chosen, [big, big]);
  const capped = choose([big, big, big], 130_000n * 10n ** 9n);
  assert.equal(capped.ok && capped.chosen.length, 1);
  assert.deepEqual(choose([big], 1n), { ok: false, reason: "above_max_sweep_fee" });
  assert.deepEqual(choose([]), { ok: false, reason: "below_sweep_above" });
});
