import type { TestContext } from "node:test";
import { mine } from "../support/anvil.ts";
import { gasOf, sweep, usualGas } from "../support/sweep-gas.ts";
import { type SweeperWorld, sweeperWorld } from "../support/sweeper-world.ts";
import { USDT } from "../support/withdrawals.ts";
import { report } from "./report.ts";
import { sized } from "./sized.ts";

const PAYOUTS = sized(100, 3);
const ADDRESSES = sized(50, 5);

export async function payoutsEvm(t: TestContext): Promise<void> {
  const w = await sweeperWorld(t);
  await reportPayouts(w);
  await reportSweeps(w);
}

/** With blocks on demand: what the signer and its database need, not the chain. */
async function reportPayouts(w: SweeperWorld): Promise<void> {
  for (let made = 0; made < PAYOUTS; made++) await w.create(USDT);
  const began = performance.now();
  const signer = w.start();
  const paid = () => w.refids().length;
  while (paid() < PAYOUTS) {
    await w.step(signer);
    await mine(w.url);
  }
  const minutes = (performance.now() - began) / 60_000;
  report("evm: payouts a minute", (PAYOUTS / minutes).toFixed(0));
  const payouts = w.journal().filter(({ kind }) => kind === "payout");
  report("evm: gas of a payout, one transaction each", (await gasOf(w, payouts.at(-1)?.hash)).toFixed(0));
  w.pass(60_000);
}

async function reportSweeps(w: SweeperWorld): Promise<void> {
  const addresses = await Promise.all(Array.from({ length: ADDRESSES }, () => w.allocate()));
  const permanent = await Promise.all(Array.from({ length: ADDRESSES }, () => w.allocate("merchant")));
  const measure = async (to: typeof addresses) => {
    await w.pay(to, USDT);
    const signed = await sweep(w);
    return Promise.all(signed.map(async ({ hash }) => (await gasOf(w, hash)) / ADDRESSES));
  };
  const [first = 0] = await measure(addresses);
  const [again = 0] = await measure(addresses);
  const [, cleared = 0] = await measure(permanent);
  const [one] = permanent;
  if (one === undefined) return;
  await w.pay([one], USDT);
  const usual = await usualGas(w, one);
  const ratio = (gas: number, most: number) => ({
    text: `${most} of the usual sweep`,
    met: gas / usual < most,
  });
  report("evm: gas of the usual sweep of an address", usual.toFixed(0));
  report(`evm: its gas by delegation, ${ADDRESSES} at once`, first.toFixed(0), ratio(first, 0.65));
  report("evm: the same when it is delegated already", again.toFixed(0), ratio(again, 0.3));
  report("evm: gas of removing a delegation", cleared.toFixed(0));
}
