import { type CallEstimate, estimateCalls } from "#lib/chains/estimate-calls.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { DRIVERS } from "#tests/chains/contract/drivers/drivers.ts";
import { PLAIN } from "#tests/providers/plans.ts";
import {
  type DayLoad,
  IDLE_SECONDS,
  type PlayedPair,
  type PlayedRun,
  runProviders,
} from "#tests/providers/run.ts";
import type { PlayedPlan } from "#tests/providers/server.ts";
import { report } from "./report.ts";

/** Payments so small that few blocks credit them. */
const SIZE = { behind: 5, links: 100, payments: 300, countMs: 60_000 };
/** As tests/chains/tron-calls.test.ts counts. */
const MOST_ON_TRON = 90_000;
const ROWS: readonly string[] = [
  ...["bitcoin", "bitcoin (electrum)", "litecoin", "dogecoin", "trc20"],
  ...["bep20", "erc20", "base", "solana", "xrp"],
];
/** Read a second time without their coin. */
const WITHOUT_COIN = ["trc20", "bep20", "erc20", "base"];
const NO_LIMITS: PlayedPlan = {
  ...PLAIN,
  host: "127.0.0.1",
  path: "/",
  perSecond: null,
  perDay: null,
};

/** The calls of a watcher to one node, with 100 open links and then with nothing open. Blocks come as often as on the real network. */
export async function benchCalls(rows = ROWS): Promise<void> {
  const counting = rows.map((name) => [name, count(name)] as const);
  for (const [name, counted] of counting) {
    for (const { tokens, estimate, open, idle } of await counted) {
      const what = tokens ? `${name}, ${tokens.join()} only` : name;
      report(`${what}: 100 open links`, show(open));
      report(`${what}: idle`, show(idle));
      if (estimate) {
        const ratios = [estimate.open / open.calls, estimate.idle / idle.calls];
        const met = ratios.every((ratio) => ratio > 0.7 && ratio < 1.4);
        const text = ratios.map((ratio) => ratio.toFixed(2)).join(", ");
        report("estimated calls (paylink node probe), to these", text, { text: "0.7 to 1.4", met });
      }
      if (name !== "trc20") continue;
      const ratio = open.requests / MOST_ON_TRON;
      report(`requests a day, to ${MOST_ON_TRON}`, ratio.toFixed(2), { text: "<= 1", met: ratio <= 1 });
    }
  }
}

interface Counted extends Pick<PlayedRun, "tokens"> {
  /** Null where the node says by itself what is new. */
  readonly estimate: CallEstimate | null;
  readonly open: DayLoad;
  readonly idle: DayLoad;
}

async function count(name: string): Promise<readonly Counted[]> {
  const pairs: PlayedPair[] = [{ plan: NO_LIMITS }];
  if (WITHOUT_COIN.includes(name)) pairs.push({ plan: NO_LIMITS, tokens: ["usdt"] });
  const driver = await DRIVERS[name]!();
  const runs = await runProviders(driver, pairs, SIZE);
  return runs.map(({ tokens, open, idle, lost, doubled, problems }) => {
    if (lost > 0 || doubled > 0 || problems.length > 0)
      throw new Error(`${name}: not every payment is credited once`);
    const data = { ...NETWORKS[driver.network], idleMs: IDLE_SECONDS * 1_000, receivedTokens: tokens };
    const estimate = driver.startFake ? null : estimateCalls(data);
    return { tokens, estimate, open: open!, idle: idle! };
  });
}

function show({ calls, requests }: DayLoad): string {
  const [aDay, inRequests] = [calls, requests].map((figure) => figure.toLocaleString("en-US"));
  return `${(calls / 86_400).toFixed(2)} calls/s, ${aDay} a day in ${inRequests} requests`;
}
