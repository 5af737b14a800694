import { execFileSync } from "node:child_process";
import { existsSync, renameSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { openBrowser } from "../support/browser.ts";
import { startPageBench } from "./page-bench.ts";
import { percentile, report } from "./report.ts";
import { sized } from "./sized.ts";

const VERSION = "12.8.2";
const RUNS = sized(5, 1);
/** Performance points that the payment page may score below the bare page. */
const BELOW_BARE = 3;
/** Search engines must not index a payment page. */
const WANTED_FAILURE = "is-crawlable";
const TIMES = ["first-contentful-paint", "largest-contentful-paint", "speed-index", "total-blocking-time"];

interface Audit {
  readonly score: number | null;
  readonly numericValue?: number;
  readonly title: string;
  readonly details?: unknown;
  readonly explanation?: string;
}

/** The parts of Lighthouse's result that the bench reads. */
interface Result {
  readonly runtimeError?: { readonly message: string };
  readonly categories: Readonly<
    Record<
      string,
      {
        readonly id: string;
        readonly score: number | null;
        readonly auditRefs: readonly { readonly id: string; readonly weight: number }[];
      }
    >
  >;
  readonly audits: Readonly<Record<string, Audit>>;
}

type Lighthouse = (url: string, flags: object) => Promise<{ readonly lhr: Result } | undefined>;

/** Returns Lighthouse. It is installed from npm once, into the cache of the programs that tests need. */
async function openLighthouse(): Promise<Lighthouse> {
  const folder = join(
    process.env.PAYLINK_CACHE_DIR || join(homedir(), ".cache/paylink"),
    "lighthouse",
    VERSION,
  );
  const entry = join(folder, "node_modules/lighthouse/core/index.js");
  if (!existsSync(entry)) {
    const part = `${folder}-${process.pid}`;
    const options = ["--silent", "--ignore-scripts", "--prefix", part];
    execFileSync("npm", ["install", ...options, `lighthouse@${VERSION}`]);
    renameSync(part, folder);
  }
  const { default: lighthouse } = (await import(pathToFileURL(entry).href)) as { default: Lighthouse };
  return lighthouse;
}

/** Lighthouse, mobile preset, on the awaiting page and the bare page. Medians. */
export async function bench(): Promise<void> {
  const lighthouse = await openLighthouse();
  const { awaiting, bare, close } = await startPageBench(1);
  const port = await choosePort(0);
  const browser = await openBrowser([`--remote-debugging-port=${port}`]);
  const results = { bare: [] as Result[], page: [] as Result[] };
  try {
    for (let run = 0; run < RUNS; run++) {
      results.bare.push(await look(lighthouse, bare, port));
      results.page.push(await look(lighthouse, awaiting[0] ?? "", port));
    }
  } finally {
    await browser.close();
    await close();
  }
  const floor = points(results.bare, "performance");
  const performance = points(results.page, "performance");
  report("performance of the bare page", `${floor}`);
  report("performance of the payment page", `${performance}`, {
    text: `>= ${floor - BELOW_BARE}`,
    met: performance >= floor - BELOW_BARE,
  });
  for (const category of ["accessibility", "best-practices"]) {
    const got = points(results.page, category);
    report(category, `${got}`, { text: "100", met: got === 100 });
  }
  const failed = [...new Set(results.page.flatMap(failures))];
  report("seo", `${points(results.page, "seo")}`);
  const unwanted = failed.filter((audit) => audit !== WANTED_FAILURE);
  report("audits failed, the wanted noindex aside", `${unwanted.length}`, {
    text: "0",
    met: unwanted.length === 0 && failed.includes(WANTED_FAILURE),
  });
  for (const audit of unwanted) console.log(`    ${explain(results.page, audit)}`);
  for (const time of TIMES) {
    const [ours, bares] = [results.page, results.bare].map((runs) =>
      median(runs.map((run) => value(run, time))),
    );
    report(`${time}, payment page / bare page`, `${ours?.toFixed(0)} / ${bares?.toFixed(0)} ms`);
  }
  report(
    "cumulative-layout-shift",
    median(results.page.map((run) => value(run, "cumulative-layout-shift"))).toFixed(3),
  );
}

async function look(lighthouse: Lighthouse, url: string, port: number): Promise<Result> {
  const run = await lighthouse(url, { port, logLevel: "error", disableFullPageScreenshot: true });
  if (run === undefined || run.lhr.runtimeError !== undefined) {
    throw new Error(`Lighthouse failed on ${url}: ${run?.lhr.runtimeError?.message ?? "no result"}`);
  }
  return run.lhr;
}

const median = (figures: readonly number[]) => percentile(figures, 0.5);

function points(results: readonly Result[], category: string): number {
  return median(results.map((result) => Math.round((result.categories[category]?.score ?? 0) * 100)));
}

function value(result: Result, audit: string): number {
  return result.audits[audit]?.numericValue ?? Number.NaN;
}

/** Failed audits outside of performance. */
function failures(result: Result): string[] {
  return Object.values(result.categories)
    .filter(({ id }) => id !== "performance")
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && (result.audits[id]?.score ?? 1) < 1)
    .map(({ id }) => id);
}

function explain(results: readonly Result[], audit: string): string {
  const found = results.map((result) => result.audits[audit]).find((one) => (one?.score ?? 1) < 1);
  return `${audit}: ${found?.title} ${JSON.stringify(found?.details ?? found?.explanation ?? "").slice(0, 600)}`;
}
