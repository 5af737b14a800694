import { openBrowser } from "../support/browser.ts";
import { startPageBench } from "./page-bench.ts";
import { shift } from "./page-shift.ts";
import { timeToQr } from "./page-speed.ts";
import { weight } from "./page-weight.ts";
import { percentile, report, reportRatio } from "./report.ts";
import { sized } from "./sized.ts";

const RATE = 50;
const SECONDS = sized(10, 0.2);
/** Warm-up rounds, in seconds. */
const WARM_UP = sized(2, 1);

/** The awaiting payment page compared with the bare page: weight, speed, layout shifts. */
export async function bench(): Promise<void> {
  const { stack, awaiting, bare, close } = await startPageBench(20);
  const browser = await openBrowser();
  try {
    await weight(browser, awaiting[0] ?? "", bare);
    await timeToQr(browser, awaiting[0] ?? "", bare);
    await shift(browser, stack);
    await rendering(awaiting, bare);
  } finally {
    await browser.close();
    await close();
  }
}

/** Rendering at 50 requests a second. */
async function rendering(links: readonly string[], bare: string): Promise<void> {
  let turn = 0;
  const page = () => links[turn++ % links.length] ?? "";
  const barePage = () => bare;
  // Visitors meet a server that has been running for a while, with compiled code.
  for (let round = 0; round < WARM_UP; round += 1) {
    await steadily(barePage);
    await steadily(page);
  }
  const bareTimes = await steadily(barePage);
  const times = await steadily(page);
  const p95 = percentile(times, 0.95);
  const bareP95 = percentile(bareTimes, 0.95);
  const both = `${percentile(bareTimes, 0.5).toFixed(1)} / ${bareP95.toFixed(1)} ms`;
  report(`bare page rendered ${RATE} times a second, p50 / p95`, both);
  report(`payment page, p50`, `${percentile(times, 0.5).toFixed(1)} ms`);
  report(`payment page, p95`, `${p95.toFixed(1)} ms`, { text: "<= 40 ms", met: p95 <= 40 });
  reportRatio("p95 of the payment page, to the bare page", p95 / bareP95);
}

/**
 * Fetches at a steady rate without waiting for answers, as visitors do. Milliseconds of each whole answer.
 */
async function steadily(url: () => string): Promise<number[]> {
  const times: Promise<number>[] = [];
  const started = performance.now();
  for (let sent = 0; sent < RATE * SECONDS; sent += 1) {
    const due = started + (sent * 1_000) / RATE;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const begin = performance.now();
    times.push(
      fetch(url()).then(async (response) => {
        const text = await response.text();
        if (!response.ok || !text.includes("</html>")) throw new Error(`${url()}: HTTP ${response.status}`);
        return performance.now() - begin;
      }),
    );
  }
  return Promise.all(times);
}
