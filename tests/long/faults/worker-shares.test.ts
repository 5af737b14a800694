/** Workers in processes of their own share networks, on a real PostgreSQL. They are killed and frozen, and lose their nodes. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import type { AnvilNode } from "#lib/dev-chains/anvil.ts";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { watchCursors } from "#lib/domain/deposits/tables.ts";
import { height, mine, startTestChain } from "#tests/support/anvil.ts";
import { testDatabase } from "#tests/support/database.ts";
import { LONG, pick } from "#tests/support/fault-random.ts";
import { QUICK_START } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";

const KILLS = LONG ? 20 : 2;
/** Blocks of each chain that are read while no worker comes or goes. */
const QUIET_BLOCKS = LONG ? 100 : 5;
const CHAINS = ["bep20", "erc20", "base"] as const;
const NETWORKS = 2 * CHAINS.length;
/** Held by `npm run test:faults`, on a machine that does nothing else. */
const MOST_MS = 2_000;
/** PostgreSQL ends the session of a frozen worker after ten seconds. */
const MOST_FROZEN_MS = 13_000;
const SCRIPT = "tests/long/faults/share-process.ts";

/** The time in which a worker watches a network, by its log. */
interface Watched {
  readonly name: string;
  readonly from: number;
  /** Infinity: it watches it now. */
  to: number;
}

interface Running {
  readonly child: ChildProcess;
  readonly watched: Watched[];
}

/** The processes that run, and what any of them has ever watched. */
const running = new Set<Running>();
const all: Watched[] = [];

/** Starts a worker, and follows by its log which networks it watches. */
function start(env: Record<string, string>): Running {
  const child = spawn(process.execPath, [...QUICK_START, SCRIPT], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const one: Running = { child, watched: [] };
  running.add(one);
  createInterface({ input: child.stdout! }).on("line", (line) => {
    const { msg, time, env: of, network } = JSON.parse(line) as Record<string, string> & { time: number };
    const name = `${of} ${network}`;
    const isEnd = msg === "leaving the network to another process";
    if (!isEnd && msg !== "watching the network") return;
    end(one, time, name);
    if (isEnd) return;
    const begun = { name, from: time, to: Infinity };
    one.watched.push(begun);
    all.push(begun);
  });
  return one;
}

/** Notes that a worker watches a network no more, or none. */
function end(one: Running, at: number, name?: string): void {
  for (const watched of namesNow(one)) if (name === undefined || watched.name === name) watched.to = at;
}

const namesNow = ({ watched }: Running) => watched.filter(({ to }) => to === Infinity);

/** Each process that runs watches as many networks as the others, and together they watch all. */
const isShared = () => {
  const each = [...running].map((one) => namesNow(one).map(({ name }) => name));
  return (
    each.every(({ length }) => length === NETWORKS / running.size) && new Set(each.flat()).size === NETWORKS
  );
};

/** The networks that two watched at the same time. */
function listTwice(): readonly string[] {
  const before = new Map<string, number>();
  return all
    .toSorted((a, b) => a.from - b.from)
    .flatMap(({ name, from, to }) => {
      const isTwice = (before.get(name) ?? 0) > from;
      before.set(name, to);
      return isTwice ? [name] : [];
    });
}

test("three workers share six networks, and take over those of one that is killed or frozen", async (t) => {
  const base = await testDatabase();
  const nodes = new Map<string, AnvilNode>();
  for (const network of CHAINS) nodes.set(network, await startTestChain(network));
  t.after(async () => {
    for (const { child } of running) child.kill("SIGKILL");
    for (const node of nodes.values()) await node.stop();
    await base.close();
  });
  const urls = [...nodes].map(([network, { url }]) => [network, url]);
  const begin = () => start({ DATABASE_URL: base.url, ...Object.fromEntries(urls) });
  const cursors = () => base.db.select().from(watchCursors);
  /** Waits until others have finished a pass over all these networks. Returns how long that was after `since`. */
  const passed = async (names: ReadonlySet<string>, since: number) => {
    const isPassed = async () => {
      const later = (await cursors()).filter(({ updatedAt }) => updatedAt.getTime() > since);
      return later.filter(({ env, network }) => names.has(`${env} ${network}`)).length === names.size;
    };
    await until("others to read its networks", isPassed, { everyMs: 5 });
    return Date.now() - since;
  };

  begin();
  await until("the first worker to watch all", isShared);
  begin();
  begin();
  await until("three workers to be ready", () => all.length > NETWORKS);
  const sharingSince = Date.now();
  await until("each worker to watch its share", isShared);
  const sharedMs = Date.now() - sharingSince;

  const before = all.length;
  for (let blocks = 0; blocks < QUIET_BLOCKS; blocks++) {
    const mined = new Map<string, number>();
    for (const [network, { url }] of nodes) {
      await mine(url);
      mined.set(network, await height(url));
    }
    const isRead = async () =>
      (await cursors()).every((one) => one.height >= (mined.get(one.network) ?? Infinity));
    await until("every network to be read", isRead);
  }
  assert.equal(all.length, before, "a network moved while no worker came or went");

  const times: number[] = [];
  for (let kills = 0; kills < KILLS; kills++) {
    const killed = pick([...running]);
    const exited = once(killed.child, "exit");
    const names = new Set(namesNow(killed).map(({ name }) => name));
    running.delete(killed);
    const killedAt = Date.now();
    killed.child.kill("SIGKILL");
    end(killed, killedAt);
    times.push(await passed(names, killedAt));
    await exited;
    begin();
    await until("each worker to watch its share again", isShared);
  }

  const frozen = pick([...running]);
  const names = new Set(namesNow(frozen).map(({ name }) => name));
  running.delete(frozen);
  const frozenAt = Date.now();
  frozen.child.kill("SIGSTOP");
  end(frozen, frozenAt);
  const frozenMs = await passed(names, frozenAt);
  running.add(frozen);
  frozen.child.kill("SIGCONT");
  await until("the one that was frozen to get its share", isShared);

  assert.deepEqual(listTwice(), [], "networks that two watched");
  const longest = Math.max(...times);
  t.diagnostic(
    `shared in equal parts ${sharedMs} ms after the first move; ${QUIET_BLOCKS} quiet blocks of each chain, moves 0; ` +
      `${KILLS} kills, from the kill to the first pass of others over all its networks: median ` +
      `${times.sort((a, b) => a - b)[KILLS >> 1]} ms, at most ${longest} ms; frozen: ${frozenMs} ms; watched by two: 0`,
  );
  if (!LONG) return;
  assert.ok(longest <= MOST_MS, `${longest} ms`);
  assert.ok(frozenMs <= MOST_FROZEN_MS, `${frozenMs} ms`);
});

test("networks whose node answers one worker alone are read by that one", async (t) => {
  const base = await testDatabase();
  const nodes = await Promise.all(
    CHAINS.map(async (network) => [network, await startTestChain(network)] as const),
  );
  running.clear();
  t.after(async () => {
    for (const { child } of running) child.kill("SIGKILL");
    for (const [, node] of nodes) await node.stop();
    await base.close();
  });
  const urls = Object.fromEntries(nodes.map(([network, { url }]) => [network, url]));
  // Nothing listens there.
  const broken = start({ DATABASE_URL: base.url, ...urls, bep20: `http://127.0.0.1:${await choosePort(0)}` });
  await until("the first worker to hold all networks", isShared);
  start({ DATABASE_URL: base.url, ...urls });
  const read = async () =>
    (await base.db.select().from(watchCursors)).filter(({ passStartedAt }) => passStartedAt !== null);
  await until("all networks to be read", async () => (await read()).length === NETWORKS, {
    withinMs: 120_000,
  });
  assert.deepEqual(
    namesNow(broken).filter(({ name }) => name.includes("bep20")),
    [],
  );
});
