import assert from "node:assert/strict";
import { handleEvent, type Order } from "#lib/demo/orders.ts";
import { report } from "#tests/support/fault-audit.ts";
import type { FaultLink, FaultStack, Worker } from "#tests/support/fault-stack.ts";
import { runCli } from "#tests/support/run-cli.ts";
import { until } from "#tests/support/until.ts";

/** For each wait: processes start in between. */
const PATIENCE = { withinMs: 60_000 };

/** How a Paylink is backed up and restored. The database has the same URL before and after. */
export interface BackupWay {
  /** Additional variables of its processes. */
  readonly env: Record<string, string>;
  /** Variables for what only the owner of the tables may do. They override the others. */
  readonly ownerEnv: Record<string, string>;
  /** Makes the backup; `pay` makes a payment meanwhile. The worker may be stopped for it. */
  backUp(worker: Worker, pay: () => Promise<FaultLink>): Promise<void>;
  lose(): Promise<void>;
  restore(): Promise<void>;
}

/**
 * Makes payments before the backup, during it, after it, and while the system is down. One of them is to an
 * address that was allocated after the backup. After the restore, with the manual's steps before the start,
 * every payment is credited, and the last one after the operator resolves it. The ledger agrees with the
 * chain.
 */
export async function restoreScenario(name: string, stack: FaultStack, way: BackupWay): Promise<void> {
  const startedAt = Date.now();
  const { links, unknown } = await loseAndRestore(stack, way);
  const command = async (env: Record<string, string>, ...args: string[]) => {
    const run = await runCli({ ...stack.env, ...way.env, ...env }, ...args);
    assert.equal(run.status, 0, run.stderr);
    return run.json();
  };
  const cli = (...args: string[]) => command({}, ...args);
  const { network, settleBlocks } = stack.chain;
  const test = ["--env", "test"];
  const next = unknown.index + 1;
  assert.deepEqual(
    await cli("addresses", "skip", ...test, "--network", network, "--to", String(unknown.index)),
    {
      env: "test",
      network,
      skipped: 1,
      next_index: next,
    },
  );
  await command(way.ownerEnv, "numbers", "skip");
  const restored = await events(stack);
  const worker = await stack.startWorker(way.env);
  await stack.chain.mine(settleBlocks);
  await completed(stack, links);
  await until(
    "the payment to the skipped address to be held",
    async () => (await stack.pool.query("select 1 from deposits where status = 3")).rows.length === 1,
    PATIENCE,
  );
  const [held, ...others] = (await cli("deposits", "unmatched", ...test)) as Record<string, unknown>[];
  assert.deepEqual(others, []);
  assert.deepEqual([held?.reason, held?.merchant, held?.held], ["skipped_address", null, true]);
  assert.equal(String(held?.address).toLowerCase(), unknown.address);
  await cli("deposits", "resolve", String(held?.id), "--to", "shop@example.com");

  const fresh = await stack.link(20);
  assert.equal(await highestIndex(stack), next);
  await completed(stack, [await pay(stack, fresh)]);
  // Merchants treat an event with a number that they know as a repeat.
  const later = (await events(stack)).filter((id) => !restored.includes(id));
  assert.ok(unknown.reported.length > restored.length && later.length > 0);
  assert.deepEqual(
    later.filter((id) => unknown.reported.includes(id)),
    [],
  );
  const orders = new Map<string, Order>();
  const firstTime = handleLinkEvents(orders, unknown.bodies);
  assert.ok(firstTime.handled > 0);
  const again = handleLinkEvents(orders, await linkEvents(stack, later));
  assert.ok(again.ignored > 0, "the restore repeats events");
  assert.deepEqual(
    [...orders.values()].map(({ shipments }) => shipments),
    [...orders.values()].map(() => 1),
    "a shop that follows the rule ships each order once",
  );
  report(name, await stack.audit(), {}, startedAt);
  await worker.stop();
}

/** Up to the restore: links that the backup knows, all paid, and what it does not know. */
async function loseAndRestore(stack: FaultStack, way: BackupWay) {
  const [before, meanwhile, since, down] = [
    await stack.link(20),
    await stack.link(20),
    await stack.link(20),
    await stack.link(20),
  ];
  const first = await stack.startWorker(way.env);
  await stack.followed();
  await completed(stack, [await pay(stack, before)]);
  await way.backUp(first, () => pay(stack, meanwhile));
  const second = first.alive() ? first : await stack.startWorker(way.env);
  await completed(stack, [meanwhile, await pay(stack, since)]);
  const { address, amount } = await stack.link(20);
  const reported = await events(stack);
  const bodies = await linkEvents(stack, reported);
  const unknown = { address, index: await highestIndex(stack), reported, bodies };
  await second.kill();
  await way.lose();
  await pay(stack, down);
  await pay(stack, { address, amount });
  await way.restore();
  assert.equal(await highestIndex(stack), unknown.index - 1);
  return { links: [before, meanwhile, since, down], unknown };
}

async function pay<L extends Pick<FaultLink, "address" | "amount">>(
  { chain }: FaultStack,
  link: L,
): Promise<L> {
  await chain.pay(link.address, link.amount);
  await chain.mine(3);
  return link;
}

function completed(stack: FaultStack, links: readonly FaultLink[]): Promise<boolean> {
  return until(
    "the links to be paid",
    async () => {
      const states = await Promise.all(links.map(({ refid }) => stack.linkState(refid)));
      return states.every((state) => state === "completed");
    },
    PATIENCE,
  );
}

/** The numbers of all events. */
async function events({ pool }: FaultStack): Promise<number[]> {
  return (await pool.query("select id::int from webhook_events order by id")).rows.map(({ id }) => id);
}

type LinkEventData = Parameters<typeof handleEvent>[1] & { readonly refid: string };

/** The data of those of these events that are about payment links. */
async function linkEvents({ pool }: FaultStack, ids: readonly number[]): Promise<LinkEventData[]> {
  const { rows } = await pool.query<{ body: string }>(
    "select body from webhook_events where id = any($1) and type like 'payment_link_%' order by id",
    [ids],
  );
  return rows.map(({ body }) => JSON.parse(body).data);
}

/** The steps of a shop for these events (docs/integrate/webhooks.md). */
function handleLinkEvents(orders: Map<string, Order>, events: readonly LinkEventData[]) {
  const results = events.map((data) => {
    const order = handleEvent(orders.get(data.refid), data);
    if (order !== null) orders.set(data.refid, order);
    return order !== null;
  });
  const handled = results.filter(Boolean).length;
  return { handled, ignored: results.length - handled };
}

async function highestIndex({ pool }: FaultStack): Promise<number> {
  return (await pool.query("select max(index) as highest from addresses")).rows[0].highest;
}
