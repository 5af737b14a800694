import assert from "node:assert/strict";
import { test } from "node:test";
import { tronAddressFromHex } from "#lib/chains/tron/address.ts";
import type { TronAccount, TronPrices, TronSendState } from "#lib/chains/tron/types.ts";
import { feeRefusal } from "#lib/signer/fee-limits.ts";
import { openSweepTurns } from "#lib/signer/sweep-turns.ts";
import { actionOf, sizeOf } from "#lib/signer/tron/draft.ts";
import { chooseFeeLimit } from "#lib/signer/tron/fee-rules.ts";
import { costOfStep, type TronSweepDeps } from "#lib/signer/tron/plan-sweep.ts";
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

test("an address whose energy a stranger gave is signed for what was counted when its sweep was planned", () => {
  const a = (digit: string) => tronAddressFromHex(`0x${digit.repeat(40)}`);
  const at = new Date("2026-11-27T12:00:00Z");
  const state = {
    prices: PRICES,
    headTime: at,
    refBlockBytes: "0001",
    refBlockHash: "1111111111111111",
    sender: ACCOUNT,
  } as unknown as TronSendState;
  const action = actionOf({ from: a("1"), to: a("2"), contract: a("3"), value: 5n });
  const bandwidth = sizeOf(action, state);
  const seen = { ...view({ energy: 65_000n }), bandwidth };
  const sweep = { maxFeeBps: 100n, maxFee: 5_000_000n, feePerDay: 100_000_000n };
  const counted = costOfSweep(seen);
  assert.equal(nextStep(seen).kind, "transfer");
  assert.equal(sweepRefusal({ cost: counted, worth: counted, amount: 1_000n, spent: 0n }, sweep), null);
  const needs = { bandwidth, energy: 65_000n, createsAccount: false };
  const feeLimit = chooseFeeLimit(needs, PRICES, 30_000_000n)!;
  assert.ok(feeLimit > sweep.maxFee);
  const policy = { feePerDay: null, maxFee: 30_000_000n, sweep } as unknown as Parameters<
    typeof feeRefusal
  >[0];
  const deps = { policy: () => policy, now: () => at } as unknown as TronSweepDeps;
  const cost = costOfStep(deps, { planned: { action, moves: [], index: 3, feeLimit, counted }, state }, []);
  assert.equal(feeRefusal(policy, { kind: "sweep", spends: [], cost }, { own: [], at }), null);
});

test("a token whose sweep is refused at signing lets the others have their turn", async () => {
  let now = 0;
  const tokens = new Map([
    ["usdt", { sweepAbove: 1n }],
    ["trx", { sweepAbove: 1n }],
  ]);
  const deps = {
    adapter: { env: "test", network: "trc20" },
    policy: () => ({ sweep: {}, tokens }),
    log: { warn() {} },
    now: () => new Date(now),
  } as unknown as Parameters<typeof openSweepTurns>[0];
  const next = openSweepTurns(deps, async ({ swept }) => ({ moves: [{ token: swept.token }] }) as never);
  const turn = async () => {
    const drafted = await next({ own: [], open: [], waiting: [] });
    drafted?.refused?.("above_max_sweep_fee");
    return drafted?.moves[0]?.token ?? null;
  };
  assert.deepEqual([await turn(), await turn(), await turn()], ["usdt", "trx", null]);
  now += 300_000;
  assert.notEqual(await turn(), null);
});
