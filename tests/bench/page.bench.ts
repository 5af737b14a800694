import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { choosePort } from "#lib/demo/choose-port.ts";
import { startStack } from "../support/stack.ts";
import { until } from "../support/until.ts";
import { percentile, report } from "./report.ts";

const RATE = 50;
const SECONDS = 10;
/** Rounds of so many seconds before the one that counts. */
const WARM_UP = 2;
const BARE = join(import.meta.dirname, "bare-next");
const NEXT = join(import.meta.dirname, "../../node_modules/next/dist/bin/next");

/** Fetches at a steady rate, not waiting for answers, as visitors do. Milliseconds of each whole answer. */
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

/** Rendering of an awaiting payment page at 50 a second, beside a bare Next page under the same load. */
export async function bench(): Promise<void> {
  const build = spawnSync(process.execPath, [NEXT, "build", BARE], {
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (build.status !== 0) throw new Error(build.stdout + build.stderr);
  const port = await choosePort(0);
  const bare = spawn(process.execPath, [NEXT, "start", BARE, "-p", String(port)], { stdio: "ignore" });
  const stack = await startStack({ ROLES: "web", LOG_LEVEL: "warn" });
  try {
    const links = await Promise.all(
      Array.from({ length: 20 }, () => stack.createLink({ wallets: '[{"network":"bep20","token":"USDT"}]' })),
    );
    let turn = 0;
    const page = () => links[turn++ % links.length]?.url ?? "";
    const barePage = () => `http://127.0.0.1:${port}/`;
    await until(
      "the bare page",
      () =>
        fetch(barePage()).then(
          () => true,
          () => false,
        ),
      { withinMs: 60_000 },
    );
    // A server that has been up for a while is what visitors meet: its code is compiled by then.
    for (let round = 0; round < WARM_UP; round += 1) {
      await steadily(barePage);
      await steadily(page);
    }
    const bareTimes = await steadily(barePage);
    const times = await steadily(page);
    const p95 = percentile(times, 0.95);
    const bareP95 = percentile(bareTimes, 0.95);
    report(
      `bare Next page at ${RATE} a second, p50 / p95`,
      `${percentile(bareTimes, 0.5).toFixed(1)} / ${bareP95.toFixed(1)} ms`,
    );
    report(`payment page at ${RATE} a second, p50`, `${percentile(times, 0.5).toFixed(1)} ms`);
    report(`payment page at ${RATE} a second, p95`, `${p95.toFixed(1)} ms`, {
      text: "<= 100 ms",
      met: p95 <= 100,
    });
    report("ratio of the p95s", (p95 / bareP95).toFixed(2));
  } finally {
    bare.kill("SIGKILL");
    await stack.close();
  }
}
