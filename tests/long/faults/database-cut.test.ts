import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { between, LONG, pick, random } from "#tests/support/fault-random.ts";
import { type FaultStack, OWN_NAME } from "#tests/support/fault-stack.ts";
import { until } from "#tests/support/until.ts";
import { testScenario } from "./fault-test.ts";

const ROUNDS = LONG ? 60 : 4;

testScenario("a watcher recovers when its database connections are cut at any time", async (stack) => {
  const worker = await stack.startWorker();
  await stack.followed();
  const figures = { connections: 0, transactions: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = between(1, 3); i > 0; i--) {
      const { address, amount } = await stack.link(pick([50, 500, 20_000]));
      await stack.chain.pay(address, amount);
    }
    if (random() < 0.2) await stack.chain.reorg(between(1, 4), { later: random() < 0.5 });
    await stack.chain.mine(between(1, 3));
    for (let cuts = between(1, 3); cuts > 0; cuts--) {
      // At any time during a pass, and finally within a transaction.
      await delay(between(0, 300));
      figures.connections += await cut(stack, "true");
    }
    const hit = await hunt(stack);
    figures.connections += hit;
    figures.transactions += hit;
    await stack.followed();
  }
  assert.ok(worker.alive());
  return { "connections cut": figures.connections, "of them at work": figures.transactions };
});

/** Ends the server's connections that match `condition`. Returns their number. */
async function cut({ pool }: FaultStack, condition: string): Promise<number> {
  const { rows } = await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name <> $1 and ${condition}`,
    [OWN_NAME],
  );
  return rows.length;
}

/** Finds a transaction of the watcher and ends it, unless everything is recorded before. */
async function hunt(stack: FaultStack): Promise<number> {
  const working = "xact_start is not null and state <> 'idle'";
  let hit = 0;
  const hunted = async () => {
    hit = await cut(stack, working);
    return hit > 0 || (await stack.atTip());
  };
  await until("a transaction to be cut", hunted, { withinMs: 60_000, everyMs: 0 });
  return hit;
}
