import assert from "node:assert/strict";
import { report } from "./fault-audit.ts";
import type { FaultLink, FaultStack, Worker } from "./fault-stack.ts";
import { runCli } from "./run-cli.ts";
import { until } from "./until.ts";

/** For each wait: processes start in between. */
const PATIENCE = { withinMs: 60_000 };

/** How a Paylink is backed up and brought back. The database has the same URL before and after. */
export interface BackupWay {
  /** More variables of its processes. */
  readonly env: Record<string, string>;
  /** Makes the backup; `pay` has somebody pay in the meantime. The worker may be stopped for it. */
  backUp(worker: Worker, pay: () => Promise<FaultLink>): Promise<void>;
  lose(): Promise<void>;
  restore(): Promise<void>;
}

/**
 * Payments before the backup, while it is made, since then, and while the system is down for good; one of these to an
 * address given out since, which the backup does not know. After the restore, and the manual's `addresses skip`, every
 * payment is credited, that last one once a person says to whom, and the books agree with the chain.
 */
export async function restoreScenario(name: string, stack: FaultStack, way: BackupWay): Promise<void> {
  const startedAt = Date.now();
  const { chain } = stack;
  const cli = (...args: string[]) => {
    const run = runCli({ ...stack.env, ...way.env }, ...args);
    assert.equal(run.status, 0, run.stderr);
    return run.json();
  };
  const pay = async (link: FaultLink) => {
    await chain.pay(link.address, link.amount);
    await chain.mine(3);
    return link;
  };
  const completed = (...links: readonly FaultLink[]) =>
    until(
      "the links to be paid",
      async () => {
        const states = await Promise.all(links.map(({ refid }) => stack.linkState(refid)));
        return states.every((state) => state === "completed");
      },
      PATIENCE,
    );
  const links = [];
  for (let i = 0; i < 5; i++) links.push(await stack.link(20));
  const [before, meanwhile, since, alsoSince, down] = links as [
    FaultLink,
    FaultLink,
    FaultLink,
    FaultLink,
    FaultLink,
  ];

  const first = await stack.startWorker(way.env);
  await stack.followed();
  await completed(await pay(before));
  await way.backUp(first, () => pay(meanwhile));
  const second = first.alive() ? first : await stack.startWorker(way.env);
  await completed(meanwhile, await pay(since), await pay(alsoSince));
  const unknown = await stack.link(20);
  const highest = await highestIndex(stack);
  await second.kill();
  const told = await events(stack);
  await way.lose();
  await pay(down);
  await pay(unknown);

  await way.restore();
  assert.equal(await highestIndex(stack), highest - 1);
  const restored = await events(stack);
  const scope = ["--env", "test"];
  assert.deepEqual(cli("addresses", "skip", ...scope, "--network", chain.network, "--to", String(highest)), {
    env: "test",
    network: chain.network,
    skipped: 1,
    next_index: highest + 1,
  });
  cli("numbers", "skip");
  const last = await stack.startWorker(way.env);
  await chain.mine(chain.settleBlocks);
  await completed(...links);
  await until(
    "the payment to the skipped address to be held",
    async () => {
      const { rows } = await stack.pool.query("select 1 from deposits where status = 3");
      return rows.length === 1;
    },
    PATIENCE,
  );
  const [held, ...others] = cli("deposits", "unmatched", ...scope) as Record<string, unknown>[];
  assert.deepEqual(others, []);
  assert.deepEqual([held?.reason, held?.merchant, held?.held], ["skipped_address", null, true]);
  assert.equal(String(held?.address).toLowerCase(), unknown.address);
  cli("deposits", "resolve", String(held?.id), "--to", "shop@example.com");

  const fresh = await stack.link(20);
  assert.equal(await highestIndex(stack), highest + 1);
  await completed(await pay(fresh));
  // Merchants that have seen a number take what comes under it again for a repeat.
  const fromNowOn = (await events(stack)).filter((id) => !restored.includes(id));
  assert.ok(told.length > restored.length && fromNowOn.length > 0);
  assert.deepEqual(
    fromNowOn.filter((id) => told.includes(id)),
    [],
  );
  report(name, await stack.audit(), {}, startedAt);
  await last.stop();
}

/** The numbers of all events. */
async function events({ pool }: FaultStack): Promise<number[]> {
  return (await pool.query("select id::int from webhook_events order by id")).rows.map(({ id }) => id);
}

async function highestIndex({ pool }: FaultStack): Promise<number> {
  return (await pool.query("select max(index) as highest from addresses")).rows[0].highest;
}
