import { setTimeout as delay } from "node:timers/promises";
import { between, LONG, random } from "#tests/support/fault-random.ts";
import type { FaultStack } from "#tests/support/fault-stack.ts";
import { testScenario } from "./fault-test.ts";

const IN_ONE_BLOCK = LONG ? 1_000 : 200;
const BLOCKS = LONG ? 100 : 10;
const IN_EACH = LONG ? 10 : 5;

testScenario(`${IN_ONE_BLOCK} payments in one block are all credited`, async (stack) => {
  await stack.startWorker();
  await stack.followed();
  await stack.chain.payMany(await manyLinks(stack, IN_ONE_BLOCK));
  const minedAt = Date.now();
  await stack.chain.mine();
  await stack.followed();
  return { "ms to record the block": Date.now() - minedAt, payments: IN_ONE_BLOCK };
});

testScenario(
  `payments over ${BLOCKS} blocks are all credited, however often the worker restarts`,
  async (stack) => {
    let worker = await stack.startWorker();
    const figures = { kills: 0, stops: 0 };
    for (let block = 0; block < BLOCKS; block++) {
      const links = await manyLinks(stack, IN_EACH);
      for (const { address, amount } of links) await stack.chain.pay(address, amount);
      await stack.chain.mine();
      // Blocks arrive at any time, so the worker is killed at any point of its work.
      await delay(between(0, 400));
      if (random() < 0.25 || block === BLOCKS - 2) {
        const gently = random() < 0.3;
        figures[gently ? "stops" : "kills"] += 1;
        await (gently ? worker.stop() : worker.kill());
        worker = await stack.startWorker();
      }
    }
    return { ...figures, payments: BLOCKS * IN_EACH };
  },
);

async function manyLinks(stack: FaultStack, count: number) {
  const links = [];
  for (let i = 0; i < count; i++) links.push(await stack.link(50));
  return links;
}
