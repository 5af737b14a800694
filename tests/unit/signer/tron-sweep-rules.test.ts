import assert from "node:assert/strict";
import { test } from "node:test";
import type { TronAccount, TronPrices } from "#lib/chains/tron/types.ts";
import {
  costOfSweep,
  nextStep,
  type SweepView,
  stakeFor,
  sweepRefusal,
} from "#lib/signer/tron/sweep-rules.ts";

const PRICES: TronPrices = {
  energy: 100n,
  energyIncrease: 2_000n,
  bandwidth: 1_000n,
  newAccount: 1_000_000n,
  newAccountBandwidth: 100_000n,
  maxFeeLimit: 15_000_000_000n,
};
const GIVES = { total: 180_000_000_000n, weight: 19_000_000_000n };
const ACCOUNT: TronAccount = {
  exists: true,
  balance: 0n,
  freeBandwidth: 600n,
  ownBandwidth: 0n,
  energy: 0n,
  energyPerTrx: GIVES,
};
const view = (account: Partial<TronAccount>, delegable = 0n): SweepView => ({
  account: { ...ACCOUNT, ...account },
  ...{ bandwidth: 346n, energy: 65_000n, prices: PRICES, delegable, energyPerTrx: GIVES },
});
const NEVER: Partial<TronAccount> = {
  exists: false,
  freeBandwidth: 0n,
  energyPerTrx: { total: 0n, weight: 0n },
};

test("an address that never existed is made an account, gets energy, sends all, each by itself", () => {
  const stake = stakeFor(65_000n, GIVES)!;
  assert.ok(((stake / 1_000_000n) * 180n) / 19n >= 65_000n, `${stake} sun give enough`);
  assert.deepEqual(nextStep(view(NEVER, stake)), { kind: "create" });
  assert.deepEqual(nextStep(view({}, stake)), { kind: "delegate", amount: stake });
  assert.deepEqual(nextStep(view({ energy: 65_000n })), { kind: "transfer" });
  assert.equal(costOfSweep(view(NEVER, stake)), 1_100_000n + 560_000n);
  assert.equal(costOfSweep(view({ energy: 65_000n })), 0n);
});

test("without enough stake it is sent exactly what the transfer burns", () => {
  assert.deepEqual(nextStep(view(NEVER, 1n)), { kind: "fund", amount: 6_500_000n });
  assert.deepEqual(nextStep(view({ balance: 6_499_999n })), { kind: "fund", amount: 1n });
  assert.deepEqual(nextStep(view({ balance: 6_500_000n })), { kind: "transfer" });
  assert.deepEqual(nextStep(view({ energy: 64_999n })), { kind: "fund", amount: 100n });
  assert.deepEqual(nextStep(view({ freeBandwidth: 345n })), { kind: "fund", amount: 6_846_000n });
  // Energy alone does not help an address without bandwidth.
  assert.deepEqual(nextStep(view({ freeBandwidth: 0n }, 10n ** 15n)), { kind: "fund", amount: 6_846_000n });
  assert.equal(costOfSweep(view(NEVER)), 1_100_000n + 6_500_000n + 280_000n);
});

test("a sweep is refused for its part, its cost, and the cost of a day", () => {
  const policy = { maxFeeBps: 100n, maxFee: 8n, feePerDay: 10n };
  const at = { cost: 5n, worth: 1n, amount: 100n, spent: 0n };
  assert.equal(sweepRefusal(at, policy), null);
  assert.equal(sweepRefusal({ ...at, amount: 99n }, policy), "above_max_sweep_fee_percent");
  assert.equal(sweepRefusal({ ...at, cost: 9n }, policy), "above_max_sweep_fee");
  assert.equal(sweepRefusal({ ...at, spent: 6n }, policy), "above_sweep_fee_per_day");
});
