import type { Failpoint } from "#lib/platform/failpoint.ts";
import { between, LONG, pick, random } from "#tests/support/fault-random.ts";
import type { FaultStack } from "#tests/support/fault-stack.ts";
import { until } from "#tests/support/until.ts";
import { BOTH, testScenario } from "./fault-test.ts";

/** Every step between reading a block and committing it, in order. */
const STEPS: readonly Failpoint[] = [
  "head-read",
  "blocks-read",
  "fork-found",
  "cursor-moved",
  "deposits-recorded",
  "record-committed",
  "credits-due",
  "deposits-credited",
  "credit-committed",
];
const KILLS = LONG ? 20 : 1;
/** A short run has a third of the steps: the simulation (tests/simulation) ends processes at every statement. */
const THIRD = between(0, 2);
const CHOSEN = LONG ? STEPS : STEPS.filter((_, at) => at % 3 === THIRD);

testScenario(
  `workers killed at ${CHOSEN.length} steps of a pass lose nothing and credit nothing twice`,
  async (stack) => {
    let kills = 0;
    for (const step of CHOSEN)
      for (let i = 0; i < KILLS; i++) {
        await killAt(stack, step);
        kills += 1;
      }
    await stack.startWorker();
    return { kills };
  },
  BOTH,
);

/** Pays, mines and reorganizes until the worker is killed. */
async function killAt(stack: FaultStack, step: Failpoint): Promise<void> {
  await act(stack, step);
  const worker = await stack.startWorker({ FAILPOINT: `${step}:${LONG ? between(1, 3) : 1}` });
  await until(
    `the worker to be killed at ${step}`,
    async () => {
      if (!worker.alive()) return true;
      if (await stack.atTip()) await act(stack, step);
      return false;
    },
    { withinMs: 60_000 },
  );
  if (!(await worker.ended)) throw new Error(`the worker ended by itself at ${step}`);
}

async function act({ chain, link }: FaultStack, step: Failpoint): Promise<void> {
  if (step === "fork-found" || random() < 0.2) await chain.reorg(between(1, 6), { later: random() < 0.5 });
  for (let i = between(1, 2); i > 0; i--) {
    const { address, amount } = await link(pick([50, 500, 20_000]));
    await chain.pay(address, amount);
  }
  await chain.mine(between(1, 2));
}
