import type { TestContext } from "node:test";
import { payoutsEvm } from "./payouts-evm.ts";
import { payoutsSolana } from "./payouts-solana.ts";
import { payoutsTron } from "./payouts-tron.ts";
import { payoutsUtxo } from "./payouts-utxo.ts";
import { payoutsXrp } from "./payouts-xrp.ts";

/** A section for each family: payouts a minute, and what one costs against the usual way, one by one. */
const SECTIONS = [payoutsEvm, payoutsUtxo, payoutsSolana, payoutsXrp, payoutsTron];

export async function bench(): Promise<void> {
  for (const section of SECTIONS) {
    const ends: (() => unknown)[] = [];
    // The worlds of tests end with a test.
    const context = { after: (end: () => unknown) => ends.push(end) } as unknown as TestContext;
    try {
      await section(context);
    } finally {
      for (const end of ends) await end();
    }
  }
}
