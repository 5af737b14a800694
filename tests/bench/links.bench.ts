import { fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import autocannon, { type Options } from "autocannon";
import { startEmbedded } from "#lib/db/embedded.ts";
import { temporaryFolder } from "../support/database.ts";
import { startStack } from "../support/stack.ts";
import { percentile, report } from "./report.ts";

const CONNECTIONS = 16;
/** So many requests each until the compiler has seen all of the code that is to be measured. */
const WARM_UP = 15_000;
const ROUNDS = 7;
const ROUND_SECONDS = 3;

/**
 * Links created per second beside a bare Hono route with one INSERT, both with fsync, in turns on one PostgreSQL. The
 * turns are short, and their median counts: whatever else the machine does meets both.
 */
export async function bench(): Promise<void> {
  const folder = temporaryFolder();
  const cluster = await startEmbedded(folder);
  process.env.TEST_POSTGRES_URL = cluster.url;
  const stack = await startStack({ ROLES: "web", RATE_LIMIT: "999999/999999", LOG_LEVEL: "warn" });
  const bare = fork(join(import.meta.dirname, "bare-hono.ts"), {
    env: { ...process.env, DATABASE_URL: stack.db.url },
  });
  const [port] = (await once(bare, "message")) as [number];
  const link = {
    amount: "16000",
    payment_reference: "BENCH1",
    customer_details: { email: "ada@example.com", first_name: "Ada", last_name: "Obi" },
    success_url: "https://shop.example/thanks",
    cancel_url: "https://shop.example/cart",
    metadata: '{"order":1}',
  };
  const load = async (url: string, headers: Record<string, string>, until: Partial<Options>) => {
    const result = await autocannon({
      url,
      method: "POST",
      connections: CONNECTIONS,
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(link),
      ...until,
    });
    if (result.non2xx > 0 || result.errors > 0)
      throw new Error(`${result.non2xx} refusals, ${result.errors} errors at ${url}`);
    return { perSecond: result.requests.total / result.duration, p99: result.latency.p99 };
  };
  const bareRoute = (until: Partial<Options>) => load(`http://127.0.0.1:${port}/rows`, {}, until);
  const links = (until: Partial<Options>) =>
    load(`${stack.baseUrl}/payment-links`, { "x-staging-api-key": stack.testKey }, until);
  await bareRoute({ amount: WARM_UP });
  await links({ amount: WARM_UP });
  const bareRuns: number[] = [];
  const linkRuns: number[] = [];
  const p99s: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    bareRuns.push((await bareRoute({ duration: ROUND_SECONDS })).perSecond);
    const { perSecond, p99 } = await links({ duration: ROUND_SECONDS });
    linkRuns.push(perSecond);
    p99s.push(p99);
  }
  const median = (figures: readonly number[]) => percentile(figures, 0.5);
  const ratio = median(linkRuns.map((perSecond, round) => perSecond / (bareRuns[round] ?? Number.NaN)));
  report("bare Hono route with one INSERT, requests/s", median(bareRuns).toFixed(0));
  report("POST /v1/payment-links, requests/s", median(linkRuns).toFixed(0));
  report("POST /v1/payment-links, p99", `${median(p99s)} ms`);
  report("ratio, round by round", ratio.toFixed(2), { text: ">= 0.4", met: ratio >= 0.4 });
  bare.disconnect();
  await stack.close();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
