/**
 * One contract for all networks: the same cases for each adapter, on a real node of its network (TRON: our
 * emulator; XRP: our fake; Solana: LiteSVM behind our front; dogecoin: a bitcoind with its parameters), then
 * through the watcher into the ledger. Tests of single networks are in the other files of this folder.
 */
import { after, suite, test } from "node:test";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { ADAPTER_CASES } from "#tests/support/adapter-contract.ts";
import type { Bench } from "#tests/support/contract-bench.ts";
import type { ContractDriver, Inability } from "#tests/support/contract-drivers/driver.ts";
import { DRIVERS, UNABLE } from "#tests/support/contract-drivers/drivers.ts";
import { type FakeNode, startFakeNode } from "#tests/support/fake-node.ts";
import { until } from "#tests/support/until.ts";
import { openWatchedNetwork, polledOften } from "#tests/support/watched-network.ts";
import { WATCHER_CASES, type WatchBench } from "#tests/support/watcher-contract.ts";

// Each node ends with this process, with its own listener.
process.setMaxListeners(0);

/** The watcher's addresses start with the first. */
const FIRST_INDEX = 10_000;

interface Row {
  readonly network: string;
  node: string;
  cases: number;
  passed: number;
}
const table: Row[] = [];

suite("every adapter keeps the contract", { concurrency: true }, () => {
  for (const [network, open] of Object.entries(DRIVERS)) {
    const row: Row = { network, node: "did not start", cases: 0, passed: 0 };
    table.push(row);
    suite(network, { concurrency: false }, () => testNetwork(row, open));
  }
});

after(() => {
  const lines = table.map(({ network, node, passed, cases }) => {
    const unable = UNABLE[network] ?? [];
    const left = unable.length === 0 ? "" : `; cannot ${unable.join(", ")}`;
    return [network, node, `${passed} of ${cases}${left}`];
  });
  const rows = [["network", "node", "contract cases passed"], ...lines];
  for (const [network = "", node = "", passed] of rows) {
    console.log(`  ${network.padEnd(15)}${node.padEnd(32)}${passed}`);
  }
});

function testNetwork(row: Row, open: () => Promise<ContractDriver>): void {
  let opening: ReturnType<typeof openBenches> | null = null;
  const benches = () => {
    opening ??= openBenches(open);
    return opening;
  };
  const able = ([, , needs]: readonly [unknown, unknown, Inability?]) =>
    needs === undefined || !UNABLE[row.network]?.includes(needs);
  const run = (name: string, work: (opened: Awaited<ReturnType<typeof openBenches>>) => Promise<void>) => {
    row.cases += 1;
    test(name, async () => {
      const opened = await benches();
      row.node = opened.bench.driver.node;
      try {
        await work(opened);
        row.passed += 1;
      } finally {
        Object.assign(opened.bench.fake, { twist: null, answer: null });
      }
    });
  };
  for (const [name, check] of ADAPTER_CASES.filter(able)) {
    run(`${row.network}: ${name}`, ({ bench }) => check(bench));
  }
  for (const [name, check] of WATCHER_CASES.filter(able)) {
    run(`${row.network}: ${name}`, async ({ watching }) => check(await watching()));
  }
  after(async () => (await opening)?.close());
}

async function openBenches(open: () => Promise<ContractDriver>) {
  const driver = await open();
  const fake = await startFakeNode(driver.rpcUrl);
  const only = (registry: NetworkRegistry) => registry.find("test", driver.network)!;
  const adapter = only(driver.open(driver.rpcUrl));
  let next = FIRST_INDEX;
  // Blocks to reorganize, older than all payments.
  await driver.mine(16);
  const bench: Bench = {
    driver,
    fake,
    adapter,
    behindFake: () => only(driver.open(fake.url)),
    newAddress: () => {
      const index = next++;
      return driver.newAddress?.(index) ?? adapter.displayAddress(adapter.deriveAddress(index).address);
    },
  };
  let watching: Promise<WatchBench & { close(): Promise<void> }> | null = null;
  return {
    bench,
    watching: () => {
      watching ??= startWatching(driver, fake);
      return watching;
    },
    close: async () => {
      await (await watching)?.close();
      await fake.close();
      await driver.close();
    },
  };
}

async function startWatching(driver: ContractDriver, fake: FakeNode) {
  const { network, token, rates } = driver;
  const networks = polledOften(driver.open(fake.url));
  const watched = await openWatchedNetwork(networks, { network, token }, rates);
  await driver.prepare?.(watched.db);
  let watcher = watched.watch();
  // Its first pass: it does not read older blocks.
  await until("the watcher's start", () => watched.cursor());
  return {
    driver,
    fake,
    watched,
    close: watched.close,
    async pause() {
      await watcher.stop();
      return () => {
        watcher = watched.watch();
      };
    },
  };
}
