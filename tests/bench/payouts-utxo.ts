import type { TestContext } from "node:test";
import { hex } from "@scure/base";
import { Transaction } from "@scure/btc-signer";
import { type UtxoWorld, utxoWorld } from "../support/utxo-world.ts";
import { report, reportRatio } from "./report.ts";
import { sized } from "./sized.ts";

const PAYOUTS = sized(100, 3);
const SINGLE = sized(20, 2);

/** On bitcoin, with blocks on demand. */
export async function payoutsUtxo(t: TestContext): Promise<void> {
  const w = await utxoWorld(t);
  await w.deposit(Array.from({ length: 50 }, () => 6));
  const signer = w.start();
  for (let made = 0; made < SINGLE; made++) {
    await w.create(1);
    await w.step(signer);
    if (made % 10 === 9) await w.bitcoin.mine();
  }
  const single = sizeOf(w, 0) / SINGLE;
  const before = w.journal().length;
  for (let made = 0; made < PAYOUTS; made++) await w.create(1);
  const began = performance.now();
  await w.step(w.start());
  const minutes = (performance.now() - began) / 60_000;
  const batched = sizeOf(w, before) / PAYOUTS;
  report("bitcoin: payouts a minute, a hundred at once", (PAYOUTS / minutes).toFixed(0));
  report("bitcoin: virtual bytes of a payout, one by one", single.toFixed(1));
  report("bitcoin: virtual bytes of a payout, a hundred at once", batched.toFixed(1));
  reportRatio("bitcoin: bytes of a payout, to the usual way, one by one", batched / single, {
    text: "at most 0.35",
    met: batched / single <= 0.35,
  });
}

/** The virtual bytes of all transactions from number `first`. */
const sizeOf = (w: UtxoWorld, first: number): number =>
  w
    .journal()
    .slice(first)
    .reduce(
      (sum, { raw }) => sum + Transaction.fromRaw(hex.decode(raw), { allowUnknownOutputs: true }).vsize,
      0,
    );
