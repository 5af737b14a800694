import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { report } from "#tests/support/fault-audit.ts";
import { openEvmChain } from "#tests/support/fault-evm.ts";
import { type FaultFront, startFaultFront } from "#tests/support/fault-front.ts";
import { LONG } from "#tests/support/fault-random.ts";
import { type FaultStack, openFaultStack } from "#tests/support/fault-stack.ts";
import { openBitcoinChain } from "./fault-bitcoin.ts";

const CHAINS = { bep20: openEvmChain, bitcoin: openBitcoinChain };
type Network = keyof typeof CHAINS;
export const BOTH: readonly Network[] = ["bep20", "bitcoin"];

/** The counts of a scenario, for its report. The audit must find `payments`. */
export type Figures = Readonly<Record<string, number>> & { readonly payments?: number };

/**
 * Declares a scenario as a test on each of these networks, with a chain and a stack of its own. The audit follows: a worker
 * must run at the end. The front is before the node.
 */
export function testScenario(
  title: string,
  scenario: (stack: FaultStack, front: FaultFront, t: TestContext) => Promise<Figures>,
  networks: readonly Network[] = LONG ? BOTH : ["bep20"],
): void {
  for (const network of networks)
    test(`${network}: ${title}`, async (t) => {
      const startedAt = Date.now();
      const chain = await CHAINS[network]();
      const front = await startFaultFront(chain.nodeUrl);
      t.after(front.close);
      const stack = await openFaultStack(chain, () => front.url);
      t.after(stack.close);
      const { payments, ...figures } = await scenario(stack, front, t);
      const audit = await stack.audit();
      report(`${network}, ${title}`, audit, figures, startedAt);
      if (payments !== undefined) assert.equal(audit.payments, payments);
    });
}
