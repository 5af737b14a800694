import { benchBigBlock } from "./big-block.ts";
import { benchCalls } from "./calls.ts";
import { benchCatchUp } from "./catch-up.ts";
import { benchFullMempool } from "./full-mempool.ts";
import { benchLatency } from "./latency.ts";
import { benchSeen } from "./seen.ts";

/** The cost of watching chains, and the time until a customer sees a payment. Real nodes, a real browser. */
export async function bench(): Promise<void> {
  await benchCalls();
  await benchSeen();
  await benchLatency();
  await benchBigBlock();
  await benchCatchUp();
  await benchFullMempool();
}
