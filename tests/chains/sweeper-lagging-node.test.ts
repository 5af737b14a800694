/** Sweeps whose node lags: it does not know the newest deposits, which must not be forgotten. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mine, payUsdt, rpc } from "#tests/support/anvil.ts";
import { sweep } from "#tests/support/sweep-gas.ts";
import { sweeperWorld } from "#tests/support/sweeper-world.ts";
import { USDT } from "#tests/support/withdrawals.ts";

const HALF_AN_HOUR = 1_800_000;

test("an address that a lagging node calls empty is swept when the node knows its deposit", async (t) => {
  const w = await sweeperWorld(t);
  const paid = await w.allocate();
  await w.credit(paid, 20n * USDT, "usdt");
  assert.deepEqual(await sweep(w), []);
  await payUsdt(w.url, [{ to: paid.address, amount: 20n * USDT }]);
  await mine(w.url);
  w.pass(HALF_AN_HOUR);
  const [swept] = await sweep(w);
  assert.deepEqual(swept?.moves, [{ token: "usdt", amount: 20n * USDT, from: paid.address, to: w.hot }]);
  for (let hour = 0; hour < 12; hour++) {
    w.pass(3_600_000);
    assert.deepEqual(await sweep(w), []);
  }
  assert.equal(await w.left(), 0);
});

for (const [before, dust] of [
  ["empty", 0n],
  ["almost empty", USDT / 1000n],
] as const)
  test(`an address that a lagging node calls ${before} while others are swept is swept later`, async (t) => {
    const w = await sweeperWorld(t);
    const [known, late] = [await w.allocate(), await w.allocate()];
    if (dust > 0n) await payUsdt(w.url, [{ to: late.address, amount: dust }]);
    await w.pay([known], 20n * USDT);
    await w.credit(late, 20n * USDT, "usdt");
    const [first, ...others] = await sweep(w);
    assert.deepEqual([first?.moves.map(({ from }) => from), others], [[known.address], []]);
    w.pass(HALF_AN_HOUR / 2);
    assert.deepEqual(await sweep(w), []);
    await payUsdt(w.url, [{ to: late.address, amount: 20n * USDT }]);
    await mine(w.url);
    w.pass(HALF_AN_HOUR);
    const [second] = await sweep(w);
    const amount = 20n * USDT + dust;
    assert.deepEqual(second?.moves, [{ token: "usdt", amount, from: late.address, to: w.hot }]);
  });

test("the delegation of a permanent address ends also while its balance is doubted", async (t) => {
  const w = await sweeperWorld(t);
  const [known, late] = [await w.allocate(), await w.allocate("merchant")];
  await payUsdt(w.url, [{ to: late.address, amount: 5n * USDT }]);
  await w.pay([known], 20n * USDT);
  await w.credit(late, 20n * USDT, "usdt");
  const [first] = await sweep(w);
  assert.deepEqual(first?.moves.map(({ from }) => from).sort(), [known.address, late.address].sort());
  assert.equal(await rpc(w.url, "eth_getCode", [late.address, "latest"]), "0x");
});
