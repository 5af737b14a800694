import assert from "node:assert/strict";
import type { Fault, FaultFront } from "#tests/support/fault-front.ts";
import { between, LONG, pick, random } from "#tests/support/fault-random.ts";
import type { FaultStack } from "#tests/support/fault-stack.ts";
import { until } from "#tests/support/until.ts";
import { testScenario } from "./fault-test.ts";

const FAULTS: readonly Fault[] = ["limit", "half", "garbage", "gap", "old-head", "old-block", "other-chain"];
/**
 * Requests that each fault spoils in turn, without a good one between. Then faults and good answers are
 * mixed.
 */
const SPOILED = LONG ? 6 : 2;
const SPOILED_AMONG_GOOD = LONG ? 60 : 4;
const DOWN_BLOCKS = 500;

testScenario(
  `finds the payments of ${DOWN_BLOCKS} blocks during which a node was down`,
  async (stack, front) => {
    const worker = await stack.startWorker();
    await stack.followed();
    front.down();
    await until("the trouble to show", async () => (await stack.cursor())?.error);
    for (let mined = 0; mined < DOWN_BLOCKS; mined += 10) {
      await payOne(stack);
      await stack.chain.mine(10);
    }
    front.up();
    const upAt = Date.now();
    await isWell(stack);
    const caughtUp = Math.round((Date.now() - upAt) / 1_000);
    assert.ok(worker.alive());
    return { "blocks down": DOWN_BLOCKS, "seconds to catch up, the wait included": caughtUp };
  },
);

testScenario(
  "finds payments to addresses that were allocated before the network was first watched",
  async (stack, front) => {
    front.down();
    const worker = await stack.startWorker();
    const blocks = 40;
    for (let mined = 0; mined < blocks; mined += 4) {
      await payOne(stack);
      await stack.chain.mine(4);
    }
    front.up();
    await isWell(stack);
    assert.ok(worker.alive());
    return { "blocks before it": blocks };
  },
);

testScenario(
  "a node with wrong answers causes no wrong credit, and is watched again when it recovers",
  async (stack, front) => {
    await stack.chain.mine(20);
    const worker = await stack.startWorker();
    await stack.followed();
    for (const fault of FAULTS) {
      for (const sameIdentity of fault === "other-chain" ? [false, true] : [true]) {
        const other = fault === "other-chain" ? await stack.chain.stranger(sameIdentity) : null;
        front.other = other?.url ?? null;
        const before = await stack.cursor();
        await spoilFor(stack, front, SPOILED, () => fault);
        if (fault === "other-chain") assert.equal((await stack.cursor())?.hash, before?.hash);
        front.choose = () => null;
        await isWell(stack);
        await other?.stop();
      }
    }
    const anyFault = () => (random() < 0.15 ? pick(FAULTS) : null);
    const other = await stack.chain.stranger(true);
    front.other = other.url;
    await spoilFor(stack, front, SPOILED_AMONG_GOOD, anyFault);
    front.choose = () => null;
    await isWell(stack);
    await other.stop();
    assert.ok(worker.alive());
    return { "faults of the node": front.spoiled, "kinds of them": FAULTS.length + 1 };
  },
);

async function payOne({ chain, link }: FaultStack): Promise<void> {
  const { address, amount } = await link(pick([50, 500, 20_000]));
  await chain.pay(address, amount);
}

/** Pays and mines while requests are spoiled, until there were enough of them. */
async function spoilFor(
  stack: FaultStack,
  front: FaultFront,
  requests: number,
  choose: () => Fault | null,
): Promise<void> {
  const enough = front.spoiled + requests;
  front.choose = choose;
  let at = front.spoiled;
  await payOne(stack);
  await stack.chain.mine();
  await until(
    "requests to be spoiled",
    async () => {
      if (front.spoiled > at && random() < 0.5) {
        at = front.spoiled;
        await payOne(stack);
        await stack.chain.mine(between(1, 3));
      }
      return front.spoiled >= enough;
    },
    { withinMs: 900_000 },
  );
}

/** Waits for a complete pass without an error that has read the newest block. */
async function isWell(stack: FaultStack): Promise<void> {
  const well = async () => (await stack.atTip()) && (await stack.cursor())?.error === null;
  await until("the network to be watched again", well, { withinMs: 120_000 });
}
