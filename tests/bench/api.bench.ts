import { paint } from "../support/paint.ts";
import type { Stack } from "../support/stack.ts";
import { fillBooks } from "./api-data.ts";
import { printPlans } from "./api-plans.ts";
import { bench as benchLinks } from "./links.bench.ts";
import { type Load, lasting, load, median, startWithBare } from "./load.ts";
import { report, reportRatio } from "./report.ts";
import { IS_SHORT, sized } from "./sized.ts";

const FEW = sized(1_000, 200);
const MANY = sized(1_000_000, 2_000);
const ROUNDS = sized(5, 1);
const SECONDS = 3;
const WARM_UP = sized(3_000, 20);
const FORM = { "content-type": "application/x-www-form-urlencoded" };

interface Ask {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
}

/** Requests whose speed must not depend on the number of rows. */
const READS: readonly Ask[] = [
  { name: "deposits", method: "GET", path: "/transaction/token-deposit" },
  { name: "one deposit", method: "GET", path: `/transaction/deposit/0x${"1".padStart(64, "0")}` },
  { name: "history", method: "POST", path: "/history", body: "email=shop@example.com" },
  { name: "balances", method: "POST", path: "/balances", body: "" },
  { name: "statistics", method: "GET", path: "/analytics/stats" },
  { name: "wallet metrics", method: "GET", path: "/analytics/wallet-stats" },
  { name: "addresses", method: "POST", path: "/wallets/get-addresses", body: "network=bep20" },
];

/**
 * The service interface under load, compared with bare routes and with itself on a thousandth of the data.
 */
export async function bench(): Promise<void> {
  // The short form of every bench runs this one by its own name too.
  if (!IS_SHORT) await benchLinks();
  const { stack, bareUrl, stop } = await startWithBare();
  try {
    await fillBooks(stack.db.db, 1, FEW);
    await benchLookUp(stack, bareUrl);
    const few = await readAll(stack);
    console.log(paint("dim", `  filling up to ${MANY.toLocaleString("en")} deposits…`));
    await fillBooks(stack.db.db, 1, MANY);
    const { rows } = await stack.db.db.execute<{ n: string }>("select count(*) as n from ledger_postings");
    report("postings", Number(rows[0]?.n).toLocaleString("en"));
    const many = await readAll(stack);
    for (const { name } of READS) {
      const [before, after] = [few.get(name), many.get(name)];
      if (before === undefined || after === undefined) throw new Error(`${name} was not measured`);
      const ratio = before.perSecond / after.perSecond;
      report(
        `${name}, ${FEW} / ${MANY} deposits, requests/s`,
        `${before.perSecond.toFixed(0)} / ${after.perSecond.toFixed(0)}`,
      );
      reportRatio(`${name}, times slower with ${MANY} deposits than with ${FEW}`, ratio, {
        text: "<= 2",
        met: ratio <= 2,
      });
      const tail = after.p99 / Math.max(after.p50, 1);
      report(`${name}, p50 / p99`, `${after.p50} / ${after.p99} ms`, {
        text: "p99 < 10 x p50",
        met: tail < 10,
      });
    }
    await printPlans(stack.db.url, 1);
  } finally {
    await stop();
  }
}

const asked = (stack: Stack, { method, path, body }: Ask) => ({
  url: `${stack.baseUrl}${path}`,
  method,
  headers: { "x-staging-api-key": stack.testKey, ...(body === undefined ? {} : FORM) },
  ...(body === undefined ? {} : { body }),
});

async function readAll(stack: Stack): Promise<Map<string, Load>> {
  const figures = new Map<string, Load>();
  for (const read of READS) {
    await load({ ...asked(stack, read), ...lasting(SECONDS) });
    figures.set(read.name, await load({ ...asked(stack, read), ...lasting(SECONDS) }));
  }
  return figures;
}

/**
 * `GET /v1/transaction/deposit/:tx_hash` compared with a bare route that reads the same row by the same
 * index.
 */
async function benchLookUp(stack: Stack, bareUrl: string): Promise<void> {
  const hash = `0x${"1".padStart(64, "0")}`;
  const ours = asked(stack, { name: "", method: "GET", path: `/transaction/deposit/${hash}` });
  const bare = { url: `${bareUrl}/deposits/${hash}` };
  await load({ ...bare, amount: WARM_UP });
  await load({ ...ours, amount: WARM_UP });
  const rounds: { bare: number; ours: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bareRun = await load({ ...bare, ...lasting(SECONDS) });
    rounds.push({ bare: bareRun.perSecond, ours: (await load({ ...ours, ...lasting(SECONDS) })).perSecond });
  }
  const ratio = median(rounds.map((round) => round.ours / round.bare));
  report("bare Hono route with one indexed SELECT, requests/s", median(rounds.map((r) => r.bare)).toFixed(0));
  report("GET /v1/transaction/deposit/:tx_hash, requests/s", median(rounds.map((r) => r.ours)).toFixed(0));
  reportRatio("GET /v1/transaction/deposit/:tx_hash, to the bare route", ratio, {
    text: ">= 0.5",
    met: ratio >= 0.5,
  });
}
