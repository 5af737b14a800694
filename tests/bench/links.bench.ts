import type { Options } from "autocannon";
import { lasting, load, median, startWithBare } from "./load.ts";
import { report, reportRatio } from "./report.ts";
import { sized } from "./sized.ts";

/** Warm-up requests until the compiler has optimized all measured code. */
const WARM_UP = sized(15_000, 20);
const ROUNDS = sized(7, 1);
const CONNECTIONS = sized([16, 64], [4]);
const ROUND_SECONDS = 3;

const LINK = {
  amount: "16000",
  payment_reference: "BENCH1",
  customer_details: { email: "ada@example.com", first_name: "Ada", last_name: "Obi" },
  success_url: "https://shop.example/thanks",
  cancel_url: "https://shop.example/cart",
  metadata: '{"order":1}',
};

/**
 * Links created per second compared with a bare Hono route with one INSERT, both with fsync, in turns on one
 * PostgreSQL. Turns are short and the median counts, so other load affects both.
 */
export async function bench(): Promise<void> {
  const { stack, bareUrl, stop } = await startWithBare();
  const create = (url: string, headers: Record<string, string>, until: Partial<Options>) =>
    load({
      url,
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(LINK),
      ...until,
    });
  const bareRoute = (until: Partial<Options>) => create(`${bareUrl}/rows`, {}, until);
  const links = (until: Partial<Options>) =>
    create(`${stack.baseUrl}/payment-links`, { "x-staging-api-key": stack.testKey }, until);
  try {
    await bareRoute({ amount: WARM_UP });
    await links({ amount: WARM_UP });
    for (const connections of CONNECTIONS) {
      const bareRuns: number[] = [];
      const linkRuns: number[] = [];
      const p99s: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const until = { ...lasting(ROUND_SECONDS), connections };
        bareRuns.push((await bareRoute(until)).perSecond);
        const { perSecond, p99 } = await links(until);
        linkRuns.push(perSecond);
        p99s.push(p99);
      }
      const ratio = median(linkRuns.map((perSecond, round) => perSecond / (bareRuns[round] ?? Number.NaN)));
      const at = `${connections} connections`;
      report(`bare Hono route with one INSERT, ${at}, requests/s`, median(bareRuns).toFixed(0));
      report(`POST /v1/payment-links, ${at}, requests/s`, median(linkRuns).toFixed(0));
      report(`POST /v1/payment-links, ${at}, p99`, `${median(p99s)} ms`);
      const goal = { text: ">= 0.7", met: ratio >= 0.7 };
      reportRatio(`POST /v1/payment-links, ${at}, to the bare route`, ratio, goal);
    }
  } finally {
    await stop();
  }
}
