import type { TestContext } from "node:test";
import { xrpSignerWorld } from "../support/signer-xrp.ts";
import { report } from "./report.ts";
import { sized } from "./sized.ts";

const PAYOUTS = sized(100, 3);

/** With ledgers on demand: what the signer and its database need, not the chain. */
export async function payoutsXrp(t: TestContext): Promise<void> {
  const w = await xrpSignerWorld(t);
  const person = await w.person();
  for (let made = 0; made < PAYOUTS; made++) await w.pay(person.classicAddress, 2n);
  const account = w.adapter.accountKey;
  const before = w.balance(account) + w.balance(person.classicAddress);
  const began = performance.now();
  const signer = w.start();
  while (w.journal().length < PAYOUTS) {
    await w.step(signer);
    w.mine();
  }
  const minutes = (performance.now() - began) / 60_000;
  w.mine();
  report("xrp: payouts a minute", (PAYOUTS / minutes).toFixed(0));
  const fees = before - w.balance(account) - w.balance(person.classicAddress);
  report("xrp: drops of a payout, one transaction each", (Number(fees) / PAYOUTS).toFixed(0));
}
