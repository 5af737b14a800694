import { after, suite, test } from "node:test";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { type FakeNode, startFakeNode } from "#tests/support/fake-node.ts";
import { until } from "#tests/support/until.ts";
import { openWatchedNetwork, polledOften } from "#tests/support/watched-network.ts";
import { ADAPTER_CASES } from "./adapter-cases.ts";
import type { Bench } from "./bench.ts";
import type { ContractDriver, Inability } from "./drivers/driver.ts";
import { WATCHER_CASES, type WatchBench } from "./watcher-cases.ts";
import { WITHDRAWAL_CASES } from "./withdrawal-cases.ts";

// Each node ends with this process, with its own listener.
process.setMaxListeners(0);

/** The watcher's addresses start with the first. */
const FIRST_INDEX = 10_000;

/** One line of the table: a network, its node and its token. */
export interface ContractRow {
  readonly name: string;
  readonly open: () => Promise<ContractDriver>;
  /** The abilities that the network lacks. */
  readonly unable: readonly Inability[];
  /** The abilities on demand that this node lacks and a development node has. Their cases are counted apart. */
  readonly lacks: readonly Inability[];
}

interface Result {
  readonly row: ContractRow;
  node: string;
  cases: number;
  passed: number;
  apart: number;
}

/**
 * Declares the contract's cases for each row as tests, and prints a table of their results at the end. One row after the
 * other where rows share a payer.
 */
export function keepContract(rows: readonly ContractRow[], { concurrency = true } = {}): void {
  const results = rows.map((row): Result => ({ row, node: "did not start", cases: 0, passed: 0, apart: 0 }));
  suite("every adapter keeps the contract", { concurrency }, () => {
    for (const result of results) {
      suite(result.row.name, { concurrency: false }, () => testNetwork(result));
    }
  });
  after(() => {
    const lines = results.map(({ row, node, passed, cases, apart }) => {
      const unable = row.unable.length === 0 ? "" : `; cannot ${row.unable.join(", ")}`;
      const left = apart === 0 ? "" : `; needs a development node: ${apart} cases`;
      return [row.name, node, `${passed} of ${cases}${left}${unable}`];
    });
    const table = [["network", "node", "contract cases passed"], ...lines];
    for (const [network = "", node = "", passed] of table) {
      console.log(`  ${network.padEnd(15)}${node.padEnd(36)} ${passed}`);
    }
  });
}

function testNetwork(result: Result): void {
  const { name: network, unable, lacks } = result.row;
  let opening: ReturnType<typeof openBenches> | null = null;
  const benches = () => {
    opening ??= openBenches(result.row);
    return opening;
  };
  const run = (
    [name, , ...needs]: readonly [string, unknown, ...Inability[]],
    work: (opened: Awaited<ReturnType<typeof openBenches>>) => Promise<void>,
  ) => {
    if (needs.some((need) => unable.includes(need))) return;
    if (needs.some((need) => lacks.includes(need))) {
      result.apart += 1;
      return;
    }
    result.cases += 1;
    test(`${network}: ${name}`, async () => {
      const opened = await benches();
      result.node = opened.bench.driver.node;
      try {
        await work(opened);
        result.passed += 1;
      } finally {
        Object.assign(opened.bench.fake, { twist: null, answer: null });
      }
    });
  };
  for (const entry of ADAPTER_CASES) run(entry, ({ bench }) => entry[1](bench));
  for (const entry of WATCHER_CASES) run(entry, async ({ watching }) => entry[1](await watching()));
  for (const entry of WITHDRAWAL_CASES)
    run([...entry, "look up transactions"], async ({ watching }) => entry[1](await watching()));
  after(async () => (await opening)?.close());
}

async function openBenches({ open, lacks }: ContractRow) {
  const driver = await open();
  const fake = await (driver.startFake ?? startFakeNode)(driver.rpcUrl);
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
      return driver.newAddress?.(index) ?? adapter.addresses.display(adapter.addresses.derive(index).address);
    },
  };
  let watching: Promise<WatchBench & { close(): Promise<void> }> | null = null;
  return {
    bench,
    watching: () => {
      watching ??= startWatching(driver, fake, lacks.length > 0);
      return watching;
    },
    close: async () => {
      await (await watching)?.close();
      await fake.close();
      await driver.close();
    },
  };
}

async function startWatching(driver: ContractDriver, fake: FakeNode, inRealTime: boolean) {
  const { network, token, rates } = driver;
  const networks = polledOften(driver.open(fake.url));
  const watched = await openWatchedNetwork(networks, { network, token }, rates);
  await driver.prepare?.(watched.db);
  const watch = inRealTime ? watched.watchInRealTime : watched.watch;
  let watcher = watch();
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
        watcher = watch();
      };
    },
  };
}
