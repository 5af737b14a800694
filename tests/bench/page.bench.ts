import { openBrowser } from "../support/browser.ts";
import type { Stack } from "../support/stack.ts";
import { readServer } from "./crowd-server.ts";
import { median } from "./load.ts";
import { startPageBench, startWebOnly } from "./page-bench.ts";
import { shift } from "./page-shift.ts";
import { timeToQr } from "./page-speed.ts";
import { weight } from "./page-weight.ts";
import { percentile, report, reportRatio } from "./report.ts";
import { sized } from "./sized.ts";

const RATE = 50;
const SECONDS = sized(10, 0.2);
const WARM_UP = sized(2, 1);
const ROUNDS = sized(5, 1);

/** The awaiting payment page compared with the bare page: weight, speed, layout shifts, rendering. */
export async function bench(): Promise<void> {
  const { stack, awaiting, bare, close } = await startPageBench(20);
  try {
    await inBrowser(stack, awaiting[0] ?? "", bare);
    // The browser has ended: it would take a core from the server.
    await startWebOnly(stack);
    await rendering(stack, awaiting, bare);
  } finally {
    await close();
  }
}

async function inBrowser(stack: Stack, page: string, bare: string): Promise<void> {
  const browser = await openBrowser();
  try {
    await weight(browser, page, bare);
    await timeToQr(browser, page, bare);
    await shift(browser, stack);
  } finally {
    await browser.close();
  }
}

/** Rendering at 50 requests a second: the median of several rounds, in which both pages take turns. */
async function rendering(stack: Stack, links: readonly string[], bare: string): Promise<void> {
  let turn = 0;
  const page = () => links[turn++ % links.length] ?? "";
  const barePage = () => bare;
  // Visitors meet a server that has been running for a while, with compiled code.
  for (let round = 0; round < WARM_UP; round += 1) {
    await steadily(barePage);
    await steadily(page);
  }
  const rounds: { bare: number[]; ours: number[]; cpuMs: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const bareTimes = await steadily(barePage);
    const before = await readServer(stack);
    const ours = await steadily(page);
    const after = await readServer(stack);
    const cpuMs = ((after.cpuSeconds - before.cpuSeconds) * 1_000) / ours.length;
    rounds.push({ bare: bareTimes, ours, cpuMs });
  }
  const usual = (which: "bare" | "ours", share: number) =>
    median(rounds.map((round) => percentile(round[which], share)));
  const p95 = usual("ours", 0.95);
  const bareP95 = usual("bare", 0.95);
  const both = `${usual("bare", 0.5).toFixed(1)} / ${bareP95.toFixed(1)} ms`;
  report(`bare page rendered ${RATE} times a second, p50 / p95`, both);
  report(`payment page, p50`, `${usual("ours", 0.5).toFixed(1)} ms`);
  report(`payment page, p95`, `${p95.toFixed(1)} ms`, { text: "<= 40 ms", met: p95 <= 40 });
  const cpuMs = median(rounds.map((round) => round.cpuMs));
  report("payment page, processor time of the server", `${cpuMs.toFixed(1)} ms`);
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
