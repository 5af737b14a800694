import assert from "node:assert/strict";
import { between, LONG } from "#tests/support/fault-random.ts";
import type { FaultStack, Worker } from "#tests/support/fault-stack.ts";
import { until } from "#tests/support/until.ts";
import { testScenario } from "./fault-test.ts";

const KILLS = LONG ? 20 : 2;
const FREEZES = LONG ? 10 : 1;

testScenario("of two workers one watches, and the other takes over when it is killed", async (stack) => {
  let [one, other] = [await stack.startWorker(), await stack.startWorker()];
  let longest = 0;
  for (let kills = 0; kills < KILLS; kills++) {
    await pay(stack);
    const [active, standby] = await watching(one, other);
    assert.ok(standby.alive() && !watches(standby));
    await active.kill();
    const killedAt = Date.now();
    await until("the other to take over", () => watches(standby));
    await stack.followed();
    longest = Math.max(longest, Date.now() - killedAt);
    one = standby;
    other = await stack.startWorker();
  }
  return { kills: KILLS, "ms at most to take over and catch up": longest };
});

testScenario("a worker that was frozen and lost its lock writes nothing when it resumes", async (stack) => {
  const workers: [Worker, Worker] = [await stack.startWorker(), await stack.startWorker()];
  for (let freezes = 0; freezes < FREEZES; freezes++) {
    const [active, standby] = await watching(...workers);
    await pay(stack);
    if (freezes % 2 === 0) process.kill(active.pid, "SIGSTOP");
    else await freezeInTransaction(stack, active);
    await until("the lock to be lost", () => cutLock(stack));
    await until("the other to take over", () => watches(standby));
    await pay(stack);
    await stack.followed(120_000);
    process.kill(active.pid, "SIGCONT");
    await pay(stack);
    await stack.followed();
    assert.ok(active.alive() && standby.alive());
  }
  return { freezes: FREEZES };
});

async function pay({ chain, link }: FaultStack): Promise<void> {
  for (let i = between(1, 4); i > 0; i--) {
    const { address, amount } = await link(50);
    await chain.pay(address, amount);
    await chain.mine(between(1, 2));
  }
}

const watches = (worker: Worker) =>
  worker.alive() &&
  worker.lastSaid("watching the network") > worker.lastSaid("waiting: another process watches the network");

/** Which of the two watches, and which waits. */
function watching(one: Worker, other: Worker): Promise<[Worker, Worker]> {
  return until("one of two to watch", () => {
    if (watches(one)) return [one, other] as [Worker, Worker];
    return watches(other) ? ([other, one] as [Worker, Worker]) : null;
  });
}

/** Ends the connection that holds the watcher's lock. */
async function cutLock({ pool }: FaultStack): Promise<boolean> {
  const { rows } = await pool.query(`
    select pg_terminate_backend(l.pid) from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.mode = 'ExclusiveLock' and l.granted and a.application_name = 'paylink watcher'
      and a.datname = current_database()`);
  return rows.length > 0;
}

/** Stops a process while one of its transactions is open and holds locks. */
async function freezeInTransaction(stack: FaultStack, worker: Worker): Promise<void> {
  const open = async () => {
    const { rows } = await stack.pool.query(`
      select a.pid from pg_stat_activity a join pg_locks l on l.pid = a.pid
      where a.datname = current_database() and a.state = 'idle in transaction'
        and l.relation = 'watch_cursors'::regclass and l.mode = 'RowExclusiveLock'`);
    return rows.length > 0;
  };
  await until(
    "the worker to be frozen within a transaction",
    async () => {
      await stack.chain.mine();
      await until("a transaction to begin or to be missed", async () => (await open()) || stack.atTip(), {
        everyMs: 0,
      });
      process.kill(worker.pid, "SIGSTOP");
      // One answer may still arrive. Two equal readings show that the process is stopped.
      if ((await open()) && (await open())) return true;
      process.kill(worker.pid, "SIGCONT");
      return false;
    },
    { withinMs: 120_000, everyMs: 0 },
  );
}
