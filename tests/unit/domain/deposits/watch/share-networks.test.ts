import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { pino } from "pino";
import type { NetworkScope } from "#lib/chains/networks.ts";
import type { WatchContext } from "#lib/domain/deposits/types.ts";
import { shareNetworks } from "#lib/domain/deposits/watch/share-networks.ts";
import { takeWatchLock } from "#lib/domain/deposits/watch/watch-lock.ts";
import { countSessions } from "#lib/platform/db/sessions.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { until } from "#tests/support/until.ts";

const base = await databaseOfFile();
const SCOPES = (["bitcoin", "erc20", "bep20", "base"] as const).map((network) => ({
  env: "test" as const,
  network,
}));

interface WorkerOptions {
  readonly networks: readonly NetworkScope[];
  readonly databaseUrl: string;
}

/** A worker whose watchers only note that they run. All workers of a test share `running`: a network is watched once. */
function startWorker(
  t: TestContext,
  running: Map<string, { readonly worker: object }>,
  { networks = SCOPES, databaseUrl = base.url }: Partial<WorkerOptions> = {},
) {
  const worker = {};
  const log = pino({ level: "silent" });
  const watches = networks.map((network) => ({ ...network, log }) as unknown as WatchContext);
  const shares = shareNetworks({ databaseUrl, watches, log }, async ({ network }, { ending }) => {
    assert.ok(!running.has(network), `${network} is watched twice`);
    running.set(network, { worker });
    if (!ending.aborted) await new Promise((resolve) => ending.addEventListener("abort", resolve));
    running.delete(network);
  });
  t.after(() => shares.stop());
  return {
    stop: () => shares.stop(),
    count: () => [...running.values()].filter((one) => one.worker === worker).length,
  };
}

test("workers share the networks, also when one comes, stops or loses its session", async (t) => {
  const running = new Map<string, { readonly worker: object }>();
  const first = startWorker(t, running);
  await until("the only worker to watch all", () => first.count() === 4);
  const second = startWorker(t, running);
  await until("two workers to share", () => first.count() === 2 && second.count() === 2);
  assert.equal((await countSessions(base.db)).watchers, 4);

  const before = new Set(running.values());
  await base.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'paylink watcher'`,
  );
  await until("both to have lost their networks", () =>
    [...running.values()].every((one) => !before.has(one)),
  );
  await until("them to share again", () => first.count() === 2 && second.count() === 2);

  await first.stop();
  await until("the other one to watch all", () => second.count() === 4);
  await second.stop();
  assert.deepEqual([running.size, (await countSessions(base.db)).watchers], [0, 0]);
});

test("workers of other networks take only what is free", async (t) => {
  const running = new Map<string, { readonly worker: object }>();
  const narrow = startWorker(t, running, { networks: SCOPES.slice(0, 2) });
  await until("the first to watch its two", () => narrow.count() === 2);
  const wide = startWorker(t, running);
  await until("the other to watch the rest", () => running.size === 4);
  assert.deepEqual([narrow.count(), wide.count()], [2, 2]);
  await narrow.stop();
  await until("the other to watch all", () => wide.count() === 4);
});

test("a network that a requery reads is taken after it", async (t) => {
  const lock = await takeWatchLock(base.url, SCOPES[0]!);
  const running = new Map<string, { readonly worker: object }>();
  const worker = startWorker(t, running);
  await until("the worker to watch the others", () => worker.count() === 3);
  assert.equal(await takeWatchLock(base.url, SCOPES[1]!), null);
  await lock?.release();
  await until("it to watch all", () => worker.count() === 4);
});

test("a worker that cannot release a lock does not keep the network", async (t) => {
  const { pool } = base.database;
  await pool.query(`
    create schema refusing;
    create function refusing.pg_advisory_unlock(bigint) returns boolean language plpgsql
      as $$ begin raise query_canceled; end $$`);
  t.after(() => pool.query("drop schema refusing cascade"));
  const databaseUrl = new URL(base.url);
  databaseUrl.searchParams.set("options", "-c search_path=refusing,pg_catalog,public");
  const running = new Map<string, { readonly worker: object }>();
  const first = startWorker(t, running, { databaseUrl: databaseUrl.href });
  await until("the only worker to watch all", () => first.count() === 4);
  const second = startWorker(t, running);
  await until("two workers to share", () => first.count() === 2 && second.count() === 2);
});
