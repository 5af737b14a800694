import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { NetworkConfig, NetworkRegistry } from "#lib/chains/network.ts";
import { NETWORKS, type PaymentPair } from "#lib/chains/networks.ts";
import { foreignSweeps } from "#lib/domain/deposits/tables.ts";
import { searchUnlistedTokens } from "#lib/domain/deposits/unmatched/search-unlisted-tokens.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { repeat } from "#lib/platform/repeat.ts";
import { sized } from "#tests/bench/sized.ts";
import type { ContractDriver, Payment } from "#tests/chains/contract/drivers/driver.ts";
import { auditPayments, type PaidTransfer } from "#tests/support/audit-payments.ts";
import { followAll, settleAllCosts } from "#tests/support/follow-all.ts";
import { keepSecrets } from "#tests/support/kept-logs.ts";
import { until } from "#tests/support/until.ts";
import {
  log,
  openWatchedNetwork,
  polledAsReal,
  type WatchedNetwork,
} from "#tests/support/watched-network.ts";
import { addLoads, DAY_MS, type DayLoad, perDay } from "./day-load.ts";
import { KEY } from "./plans.ts";
import { type PlayedCounts, type PlayedPlan, type ProviderServer, playProvider } from "./server.ts";

/** The network that is watched through one provider. */
export interface PlayedPair {
  readonly plan: PlayedPlan;
  /** The tokens that the operator receives (`…_TOKENS`). Absent: all. */
  readonly tokens?: readonly TokenCode[];
}

export interface RunSize {
  /** Blocks that the watchers are behind at first. */
  readonly behind: number;
  readonly links: number;
  /** Half of them are made in the blocks that the watchers are behind. */
  readonly payments: number;
  /** How long calls are counted with open links, and then until an idle network was read once more. 0: not counted. */
  readonly countMs: number;
}

/** The calls and time of a run through one provider. */
export interface PlayedRun {
  readonly plan: PlayedPlan;
  readonly tokens: readonly TokenCode[] | undefined;
  readonly catchUpSeconds: number;
  readonly catchUpCalls: number;
  /** With open links, and when nothing is open. Null: not counted. */
  readonly open: DayLoad | null;
  readonly idle: DayLoad | null;
  readonly counts: PlayedCounts;
  readonly paid: number;
  /** Payments that are not credited, and credits without a payment. */
  readonly lost: number;
  readonly doubled: number;
  readonly problems: readonly string[];
}

export const IDLE_SECONDS = sized(30, 5);
const IN_A_BLOCK = 10;
/** The index of an address that no merchant has. */
const STRANGER = 1_000_000;
const SETTLING_PASSES = sized(3, 1);
/** Only an idle network is not asked for so long. */
const QUIET_MS = sized(10_000, 4_000);

/** The driver's network over this URL, with what this operator sets, asked as often as a real one. Read slowly while nothing is expected. */
function openPlayed(driver: ContractDriver, url: string, { plan, tokens }: PlayedPair): NetworkRegistry {
  const changes: Partial<NetworkConfig> = {
    ...(tokens && { tokens }),
    ...(plan.header && { rpcHeaders: [{ [plan.header[0]]: plan.header[1] }] }),
  };
  assert.ok(
    driver.openWith || Object.keys(changes).length === 0,
    `${driver.network}: settings are not taken`,
  );
  const opened = driver.openWith?.(changes, url) ?? driver.open(url);
  return polledAsReal(opened, IDLE_SECONDS * 1_000);
}

/** Plays the provider, or only counts where the driver's node does not speak HTTP. */
async function openServer(driver: ContractDriver, plan: PlayedPlan): Promise<ProviderServer> {
  if (!driver.startFake) return playProvider(plan, driver.rpcUrl);
  const fake = await driver.startFake(driver.rpcUrl);
  const count = () => ({ requests: fake.requests, calls: fake.calls.length, units: 0, refused: {} });
  return { url: fake.url, count, close: () => fake.close() };
}

type Watched = Awaited<ReturnType<typeof openPlayedPair>>;

/** Searches for unlisted tokens in a day: one each ten minutes (search-unlisted-tokens.ts). */
const SEARCHES = 144;
const SEARCH_MS = DAY_MS / SEARCHES;

/** After a catch-up the watcher looks through all that it has just recorded once more, within two minutes (look-again.ts). */
const SECOND_LOOK_MS = sized(130_000, 500);

/** How often a worker looks whether unlisted tokens, withdrawals and costs are due (lib/server/start-worker.ts). */
const LOOK_MS = 5_000;

const depsOf = ({ database: { db, database }, networks }: WatchedNetwork) => ({
  db,
  database,
  networks,
  log,
});

/** Starts whatever of a worker asks nodes: watcher, search for unlisted tokens, followers of withdrawals and of their costs. */
function startNodeWork(watched: WatchedNetwork) {
  const watcher = watched.watchInRealTime();
  const deps = depsOf(watched);
  const loops = [
    repeat("search for unlisted tokens", LOOK_MS, deps, (stopping) =>
      searchUnlistedTokens({ ...deps, stopping }),
    ),
    repeat("following withdrawals", LOOK_MS, deps, async (stopping) => {
      await followAll({ ...deps, stopping });
      await settleAllCosts({ ...deps, stopping });
    }),
  ];
  return { stop: () => Promise.all([watcher, ...loops].map((one) => one.stop())) };
}

async function openPlayedPair(driver: ContractDriver, pair: PlayedPair) {
  keepSecrets(KEY);
  const server = await openServer(driver, pair.plan);
  const networks = openPlayed(driver, server.url, pair);
  const { network, token } = driver;
  const watched = await openWatchedNetwork(networks, { network, token } as PaymentPair, driver.rates);
  await driver.prepare?.(watched.db);
  const started: { stop(): Promise<unknown> }[] = [];
  const start = () => {
    const work = startNodeWork(watched);
    started.push(work);
    return work;
  };
  const stop = () => Promise.all(started.splice(0).map((work) => work.stop()));
  const close = async () => {
    await stop();
    await watched.close();
    await server.close();
  };
  return { ...watched, ...pair, server, start, stop, close };
}

/**
 * One chain that is watched through several providers at the same time, each with its own database. All allocate the
 * same addresses, so every payment is one to each of them.
 */
export async function runProviders(
  driver: ContractDriver,
  pairs: readonly PlayedPair[],
  size: RunSize,
): Promise<readonly PlayedRun[]> {
  const watched: Watched[] = [];
  const miner = openMiner(driver, NETWORKS[driver.network].blockSeconds);
  try {
    for (const pair of pairs) watched.push(await openPlayedPair(driver, pair));
    const links = await openLinks(watched, size.links);
    const started = watched.map((one) => one.start());
    for (const one of watched) await caughtUp(one, driver);
    await Promise.all(started.map((watcher) => watcher.stop()));

    const each = size.payments / size.links;
    const parts = links.map(({ address, due }) => shares(address, due, each, driver.smallest));
    const payments = Array.from({ length: each }, (_, i) => parts.map((part) => part[i]!)).flat();
    const half = payments.length / 2;
    const paid: PaidTransfer[] = [];
    await payOver(driver, payments.slice(0, half), size.behind, paid);
    const caught = await catchUp(watched, driver);

    const count = async <T>(counting: (one: Watched) => Promise<T>) => {
      if (size.countMs === 0) return null;
      miner.start();
      const counted = await Promise.all(watched.map(counting));
      await miner.stop();
      return counted;
    };
    const open = await count((one) => countOpen(one, size.countMs));
    await payOver(driver, payments.slice(half), half / IN_A_BLOCK, paid);
    await driver.mine(driver.blocksToCredit + 5);
    await Promise.all(watched.map((one) => credited(one, payments.length)));
    const idle = await count(countIdle);
    for (const one of watched) await one.stop();
    const searches = size.countMs === 0 ? null : await Promise.all(watched.map(countSearches));
    const inAll = (loads: readonly DayLoad[] | null, i: number) =>
      loads && searches ? addLoads(loads[i]!, searches[i]!) : null;

    return await Promise.all(
      watched.map(async (one, i) => ({
        ...{ plan: one.plan, tokens: one.tokens, ...caught[i]! },
        ...{ open: inAll(open, i), idle: inAll(idle, i), counts: one.server.count() },
        ...(await auditPayments(one, paid)),
      })),
    );
  } finally {
    await miner.stop();
    for (const one of watched) await one.close();
    await driver.close();
  }
}

async function catchUp(watched: readonly Watched[], driver: ContractDriver) {
  const startedAt = performance.now();
  return Promise.all(
    watched.map(async (one) => {
      const before = one.server.count();
      one.start();
      await caughtUp(one, driver, 3_600_000);
      const catchUpCalls = one.server.count().calls - before.calls;
      return { catchUpSeconds: (performance.now() - startedAt) / 1_000, catchUpCalls };
    }),
  );
}

/** The same links with the same addresses in every database. */
async function openLinks(watched: readonly Watched[], count: number) {
  const opened = await Promise.all(
    watched.map(async ({ link }) => {
      const links = [];
      for (let i = 0; i < count; i++) links.push(await link(20));
      return links;
    }),
  );
  const [first] = opened;
  const shown = (links: NonNullable<typeof first>) => links.map(({ address }) => address);
  for (const links of opened) assert.deepEqual(shown(links), shown(first!));
  return first!;
}

/** Splits the due amount into payments that add up to it. */
function shares(address: string, due: bigint, count: number, smallest: bigint): Payment[] {
  const part = (due / BigInt(count) / smallest) * smallest;
  const last = due - part * BigInt(count - 1);
  return Array.from({ length: count }, (_, i) => [address, i === count - 1 ? last : part]);
}

/** Ten payments to a block, over this many blocks. */
async function payOver(
  driver: ContractDriver,
  payments: readonly Payment[],
  blocks: number,
  paid: PaidTransfer[],
): Promise<void> {
  const groups = Math.ceil(payments.length / IN_A_BLOCK);
  for (let i = 0; i < groups; i++) {
    const group = payments.slice(i * IN_A_BLOCK, (i + 1) * IN_A_BLOCK);
    if (driver.showsMempool) {
      const txHash = await driver.sendMany(group);
      for (const [to, amount] of group) paid.push([to, amount, txHash]);
    } else for (const [to, amount] of group) paid.push([to, amount, await driver.send(to, amount)]);
    await driver.mine(
      Math.max(1, Math.floor((blocks * (i + 1)) / groups) - Math.floor((blocks * i) / groups)),
    );
  }
}

async function caughtUp(one: Watched, driver: ContractDriver, withinMs = 120_000): Promise<void> {
  const { height } = await driver.tip();
  await until(
    `${one.plan.host} to be at ${height}`,
    async () => ((await one.cursor())?.height ?? -1) >= height,
    { withinMs, everyMs: 200 },
  );
}

/** Waits until so many payments are credited. The audit says what is missing. */
async function credited(one: Watched, count: number): Promise<void> {
  const all = async () =>
    (await one.deposits()).filter(({ status }) => status === "credited").length >= count;
  await until("every payment to be credited", all, { withinMs: 600_000, everyMs: 500 }).catch(() => {});
}

/**
 * Mines a block as often as the network does, until it is stopped. Each holds a payment to a stranger, as hardly any real
 * block has none, where addresses are derived.
 */
function openMiner(driver: ContractDriver, blockSeconds: number) {
  const stranger = driver.newAddress
    ? null
    : driver.open(driver.rpcUrl).all()[0]!.addresses.derive(STRANGER).address;
  const amount = driver.smallest * 10_000n;
  let stopping = new AbortController();
  let mining: Promise<void> = Promise.resolve();
  const mine = async ({ signal }: AbortController) => {
    const startedAt = performance.now();
    for (let blocks = 0; !signal.aborted; ) {
      const due = Math.floor((performance.now() - startedAt) / 1_000 / blockSeconds);
      for (; blocks < due; blocks++) {
        if (stranger !== null) await driver.send(stranger, amount);
        await driver.mine();
      }
      // In time: a watcher may follow the rhythm of the blocks.
      const nextAt = startedAt + (blocks + 1) * blockSeconds * 1_000;
      await delay(Math.max(0, nextAt - performance.now()), undefined, { signal }).catch(() => {});
    }
  };
  return {
    start: () => {
      stopping = new AbortController();
      mining = mine(stopping);
    },
    stop: async () => {
      stopping.abort();
      await mining;
    },
  };
}

/** The calls of a day to a network without an address. */
export async function countUnused(driver: ContractDriver, pair: PlayedPair): Promise<DayLoad> {
  const miner = openMiner(driver, NETWORKS[driver.network].blockSeconds);
  const one = await openPlayedPair(driver, pair);
  try {
    one.start();
    await caughtUp(one, driver);
    miner.start();
    return await countIdle(one);
  } finally {
    await miner.stop();
    await one.close();
  }
}

/** The searches for unlisted tokens in a day: one is counted. The counts of minutes have none. */
async function countSearches(one: Watched): Promise<DayLoad> {
  const before = one.server.count();
  const now = () => new Date(Date.now() + SEARCH_MS);
  await searchUnlistedTokens({ ...depsOf(one), now });
  return perDay(before, one.server.count(), SEARCH_MS);
}

/** Waits until the searches that are due have ended. The next one comes after the counted minutes. */
async function searched({ db, adapter }: Watched): Promise<void> {
  if (adapter.unlistedTokens === null) return;
  await until("the search for unlisted tokens", async () => {
    const [search] = await db.select().from(foreignSweeps);
    return search !== undefined && search.nextAt.getTime() > Date.now() + LOOK_MS;
  });
}

/** Requests and units a day, counted over some time in which a watcher asks all the time. */
async function countOpen(one: Watched, ms: number) {
  const { server } = one;
  await searched(one);
  await delay(SECOND_LOOK_MS);
  const before = server.count();
  const startedAt = performance.now();
  await delay(ms);
  return perDay(before, server.count(), performance.now() - startedAt);
}

/** The same, counted over two passes of an idle network and the pauses after them. Where passes never pause, as above. */
async function countIdle(one: Watched) {
  const { server } = one;
  await delay(SECOND_LOOK_MS);
  const begin = async () => {
    let last = server.count();
    let quietSince = performance.now();
    return until(
      "a pass after a pause",
      () => {
        const count = server.count();
        const now = performance.now();
        const isNew = count.requests > last.requests;
        if (isNew && now - quietSince > QUIET_MS) return { count: last, at: now };
        if (isNew) quietSince = now;
        last = count;
        return null;
      },
      { everyMs: 50, withinMs: 2 * IDLE_SECONDS * 1_000 + QUIET_MS },
    );
  };
  try {
    // An idle network asks less once some passes have shown what its addresses hold.
    for (let i = 0; i < SETTLING_PASSES; i++) await begin();
    const [first, , third] = [await begin(), await begin(), await begin()];
    return perDay(first.count, third.count, third.at - first.at);
  } catch {
    return countOpen(one, IDLE_SECONDS * 1_000);
  }
}
