import { setTimeout as delay } from "node:timers/promises";
import { NETWORKS, type PaymentPair } from "#lib/chains/networks.ts";
import type { ContractDriver } from "#tests/chains/contract/drivers/driver.ts";
import { DRIVERS } from "#tests/chains/contract/drivers/drivers.ts";
import { until } from "#tests/support/until.ts";
import { openWatchedNetwork, polledAsReal } from "#tests/support/watched-network.ts";
import { percentile, report } from "./report.ts";
import { sized } from "./sized.ts";

const NAMES = sized(
  ["bitcoin", "litecoin", "dogecoin", "trc20", "bep20", "erc20", "base", "solana", "xrp"],
  ["trc20"],
);
const PAYMENTS = sized(14, 2);
/** The watcher learns when blocks come. */
const FIRST_BLOCKS = sized(4, 2);
/** The least between two payments. Not a multiple of how often a network is asked. */
const SECONDS_APART = 1.9;
const GOAL_MS = 1_000;

/**
 * How long a payment is in a block, or where a network shows what waits, broadcast, before the watcher has recorded it. Blocks come as often as on the
 * real network, which is asked as often as a real one.
 */
export async function benchSeen(): Promise<void> {
  const all = await Promise.all(NAMES.map(async (name) => [name, await measure(name)] as const));
  for (const [name, times] of all) {
    const p95 = percentile(times, 0.95);
    report(`${name}: seen after its block or broadcast, p50`, `${percentile(times, 0.5).toFixed(0)} ms`);
    const goal = { text: `<= ${GOAL_MS / 1_000} s`, met: p95 <= GOAL_MS };
    report(`${name}: seen, p95`, `${p95.toFixed(0)} ms`, goal);
  }
}

async function measure(name: string): Promise<number[]> {
  const driver = await DRIVERS[name]!();
  const { network, token, rates } = driver;
  const networks = polledAsReal(driver.open(driver.rpcUrl), 0);
  const watched = await openWatchedNetwork(networks, { network, token } as PaymentPair, rates);
  try {
    await driver.prepare?.(watched.db);
    const { address } = await watched.link(1_000);
    watched.watchInRealTime();
    const { height } = await driver.tip();
    await until("the first pass", async () => ((await watched.cursor())?.height ?? -1) >= height);
    const shownAt = await (driver.showsMempool ? broadcast(driver, address) : mineBlocks(driver, address));
    const deposits = await until("every payment to be seen", async () => {
      const rows = await watched.deposits();
      return rows.length === PAYMENTS ? rows : null;
    });
    return deposits.map(({ txHash, createdAt }) => createdAt.getTime() - shownAt.get(txHash)!);
  } finally {
    await watched.close();
    await driver.close();
  }
}

/** Returns when each transaction was broadcast. */
async function broadcast(driver: ContractDriver, address: string): Promise<Map<string, number>> {
  const shownAt = new Map<string, number>();
  for (let n = 0; n < PAYMENTS; n++) {
    const startedAt = Date.now();
    shownAt.set(await driver.send(address, driver.smallest * 10_000n), startedAt);
    await delay(SECONDS_APART * 1_000);
  }
  return shownAt;
}

/** Mines blocks in time, some with a payment. Returns when the block of each was mined. */
async function mineBlocks(driver: ContractDriver, address: string): Promise<Map<string, number>> {
  const { blockSeconds } = NETWORKS[driver.network];
  const apart = Math.ceil(SECONDS_APART / blockSeconds);
  const shownAt = new Map<string, number>();
  const startedAt = Date.now();
  for (let block = 1; shownAt.size < PAYMENTS; block++) {
    const isPaid = block > FIRST_BLOCKS && block % apart === 0;
    const txHash = isPaid ? await driver.send(address, driver.smallest * 10_000n) : null;
    await delay(Math.max(0, startedAt + block * blockSeconds * 1_000 - Date.now()));
    const minedAt = Date.now();
    await driver.mine();
    if (txHash !== null) shownAt.set(txHash, minedAt);
  }
  return shownAt;
}
