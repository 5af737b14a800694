import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CallEstimate, estimateCalls } from "#lib/chains/estimate-calls.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { DRIVERS } from "#tests/chains/contract/drivers/drivers.ts";
import type { DayLoad } from "#tests/providers/day-load.ts";
import { PLAIN } from "#tests/providers/plans.ts";
import {
  countUnused,
  IDLE_SECONDS,
  type PlayedPair,
  type PlayedRun,
  runProviders,
} from "#tests/providers/run.ts";
import type { PlayedPlan } from "#tests/providers/server.ts";
import { CALLS_PAGE, replaceCallsRow } from "./calls-table.ts";
import { report, reportRatio } from "./report.ts";
import { sized } from "./sized.ts";

/** Payments so small that few blocks credit them. */
const SIZE = { behind: 5, links: sized(100, 4), payments: sized(300, 8), countMs: sized(60_000, 3_000) };
const ROWS: readonly string[] = sized(
  [
    "bitcoin",
    "bitcoin (electrum)",
    "litecoin",
    "dogecoin",
    "trc20",
    "bep20",
    "erc20",
    "base",
    "solana",
    "xrp",
  ],
  ["trc20"],
);
/** Read a second time without their coin. */
const WITHOUT_COIN = ["trc20", "bep20", "erc20", "base"];
const NO_LIMITS: PlayedPlan = {
  ...PLAIN,
  host: "127.0.0.1",
  path: "/",
  perSecond: null,
  perDay: null,
};
/** CALLS_ROWS: the networks to count, as "trc20,bep20". Absent: all. CALLS_WRITE=yes (`--write`): the table of the page is written. */
const { CALLS_ROWS, CALLS_WRITE } = process.env;

/**
 * The calls of a whole worker to one node, with 100 open links, then with nothing open, and without an address. Blocks come as often as on
 * the real network.
 */
export async function benchCalls(rows = CALLS_ROWS?.split(",") ?? ROWS): Promise<void> {
  const counting = rows.map((name) => [name, count(name)] as const);
  for (const [name, counted] of counting) {
    for (const { tokens, estimate, ...loads } of await counted) {
      const what = tokens ? `${name}, ${tokens.join()} only` : name;
      report(`${what}: 100 open links`, show(loads.open));
      report(`${what}: idle`, show(loads.idle));
      report(`${what}: without an address`, show(loads.unused));
      if (CALLS_WRITE === "yes") {
        const page = join(import.meta.dirname, "../..", CALLS_PAGE);
        writeFileSync(page, replaceCallsRow(readFileSync(page, "utf8"), { name: what, ...loads }));
      }
      if (!estimate) continue;
      for (const kind of ["open", "idle"] as const) {
        const ratio = estimate[kind] / loads[kind].calls;
        const met = ratio > 0.7 && ratio < 1.4;
        reportRatio(`${what}, ${kind}: estimated calls, to these`, ratio, { text: "0.7 to 1.4", met });
      }
    }
  }
}

interface Counted extends Pick<PlayedRun, "tokens"> {
  readonly open: DayLoad;
  readonly idle: DayLoad;
  readonly unused: DayLoad;
  /** Null where the node says by itself what is new. */
  readonly estimate: CallEstimate | null;
}

async function count(name: string): Promise<readonly Counted[]> {
  const pairs: PlayedPair[] = [{ plan: NO_LIMITS }];
  if (WITHOUT_COIN.includes(name)) pairs.push({ plan: NO_LIMITS, tokens: ["usdt"] });
  const fresh = await DRIVERS[name]!();
  const unused = await countUnused(fresh, { plan: NO_LIMITS }).finally(() => fresh.close());
  const driver = await DRIVERS[name]!();
  const runs = await runProviders(driver, pairs, SIZE);
  return runs.map(({ tokens, open, idle, lost, doubled, problems }) => {
    if (lost > 0 || doubled > 0 || problems.length > 0)
      throw new Error(`${name}: not every payment is credited once`);
    const data = { ...NETWORKS[driver.network], idleMs: IDLE_SECONDS * 1_000, receivedTokens: tokens };
    const estimate = driver.startFake ? null : estimateCalls(data);
    return { tokens, estimate, open: open!, idle: idle!, unused };
  });
}

function show({ calls, requests }: DayLoad): string {
  const [aDay, inRequests] = [calls, requests].map((figure) => figure.toLocaleString("en-US"));
  return `${(calls / 86_400).toFixed(2)} calls/s, ${aDay} a day in ${inRequests} requests`;
}
