import assert from "node:assert/strict";
import { test } from "node:test";
import { NETWORKS } from "#lib/chains/networks.ts";
import {
  chooseCoins,
  chooseSmallCoins,
  MOST_INPUTS,
  planOf,
  type SpendingRules,
} from "#lib/signer/utxo/coin-rules.ts";
import { dustLimit, inputFee } from "#lib/signer/utxo/size-rules.ts";
import type { Coin } from "#lib/signer/utxo/types.ts";

const family = NETWORKS.bitcoin.utxo;
const WPKH = Uint8Array.of(0, 20, ...new Uint8Array(20).fill(7));
const PKH = Uint8Array.of(0x76, 0xa9, 20, ...new Uint8Array(20).fill(7), 0x88, 0xac);
const SH = Uint8Array.of(0xa9, 20, ...new Uint8Array(20).fill(7), 0x87);
const TR = Uint8Array.of(0x51, 32, ...new Uint8Array(32).fill(7));

const coin = (satoshis: number, number: number, isConfirmed = true): Coin => ({
  outpoint: `${number.toString(16).padStart(64, "0")}:0`,
  satoshis: BigInt(satoshis),
  branch: 0,
  index: number,
  isConfirmed,
});
const coins = (...amounts: number[]) => amounts.map((amount, at) => coin(amount, at));
const paying = (satoshis: number) => [{ script: WPKH, satoshis: BigInt(satoshis) }];
const rules = (changes: Partial<SpendingRules> = {}): SpendingRules => ({
  ...{ family, rate: 10_000n, isLow: false, changeScript: WPKH, ancestorFee: 0n },
  ...changes,
});
const amounts = (chosen: readonly Coin[] | undefined) => chosen?.map(({ satoshis }) => Number(satoshis));

test("spends the largest coins first, and the smallest while the fee is low", () => {
  const mine = coins(5_000, 100_000, 20_000, 50_000, 8_000);
  assert.deepEqual(amounts(chooseCoins(mine, paying(110_000), rules())?.inputs), [100_000, 50_000]);
  const low = chooseCoins(mine, paying(25_000), rules({ rate: 1_000n, isLow: true }));
  assert.deepEqual(amounts(low?.inputs), [5_000, 8_000, 20_000]);
});

test("same coins in any order, same choice", () => {
  const mine = coins(30_000, 30_000, 30_000, 30_000);
  const chosen = chooseCoins(mine, paying(40_000), rules());
  assert.deepEqual(chooseCoins(mine.toReversed(), paying(40_000), rules()), chosen);
});

test("leaves coins that cost more than they hold", () => {
  const cost = Number(inputFee("p2wpkh", 10_000n));
  assert.equal(chooseCoins(coins(cost, cost, cost), paying(1_000), rules()), null);
  const small = chooseSmallCoins(coins(cost, cost + 1, cost + 2), rules());
  assert.deepEqual(amounts(small), [cost + 1, cost + 2]);
});

test("spends change that waits for a block only if the rest does not suffice, and pays for it, too", () => {
  const mine = [coin(50_000, 1), coin(90_000, 2, false)];
  const first = chooseCoins(mine, paying(20_000), rules({ ancestorFee: 5_000n }));
  assert.deepEqual([amounts(first?.inputs), first?.fee], [[50_000], 1_410n]);
  const second = chooseCoins(mine, paying(80_000), rules({ ancestorFee: 5_000n }));
  assert.deepEqual([amounts(second?.inputs), second?.fee], [[90_000], 6_410n]);
});

test("change that nodes would not relay goes to the fee", () => {
  const limit = Number(dustLimit(family, WPKH));
  // 141 virtual bytes with change, 110 without.
  const least = planOf(coins(20_000 + 1_410 + limit), paying(20_000), rules());
  assert.deepEqual([least?.outputs.length, least?.fee], [2, 1_410n]);
  const none = planOf(coins(20_000 + 1_410 + limit - 1), paying(20_000), rules());
  assert.deepEqual([none?.outputs.length, none?.fee], [1, BigInt(1_410 + limit - 1)]);
  assert.equal(planOf(coins(20_000 + 1_099), paying(20_000), rules()), null);
});

test("never spends more coins than nodes relay, and then the largest that are needed", () => {
  const mine = coins(...Array.from({ length: 300 }, (_, at) => 10_000 + at));
  for (const isLow of [true, false]) {
    const plan = chooseCoins(mine, paying(900_000), rules({ isLow }));
    assert.ok(plan !== null && plan.inputs.length <= MOST_INPUTS);
  }
  assert.equal(chooseCoins(mine, paying(1_100_000), rules()), null);
  assert.equal(chooseSmallCoins(mine, rules()).length, MOST_INPUTS);
});

test("what a plan spends is what it pays and its fee", () => {
  for (let seed = 1; seed < 200; seed++) {
    const mine = coins(
      ...Array.from({ length: seed % 40 }, (_, at) => 1_000 + ((seed * 7_919 + at * 104_729) % 90_000)),
    );
    const outputs = [...paying(3_000 + seed * 500), { script: TR, satoshis: 2_000n }];
    const plan = chooseCoins(
      mine,
      outputs,
      rules({ rate: BigInt(1_000 + seed * 50), isLow: seed % 2 === 0 }),
    );
    if (plan === null) continue;
    const sum = (list: readonly { readonly satoshis: bigint }[]) =>
      list.reduce((all, one) => all + one.satoshis, 0n);
    assert.equal(sum(plan.inputs), sum(plan.outputs) + plan.fee);
    assert.ok(plan.outputs.every(({ script, satoshis }) => satoshis >= dustLimit(family, script)));
  }
});

test("knows the smallest outputs that nodes of each network relay", () => {
  assert.deepEqual(
    [WPKH, PKH, SH, TR].map((script) => dustLimit(family, script)),
    [294n, 546n, 540n, 330n],
  );
  assert.equal(dustLimit(NETWORKS.litecoin.utxo, WPKH), 2_940n);
  assert.equal(dustLimit(NETWORKS.dogecoin.utxo, PKH), 1_000_000n);
});
