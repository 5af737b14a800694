import { setTimeout as pause } from "node:timers/promises";
import type { Crowd } from "../support/crowd.ts";
import type { CrowdLink } from "../support/crowd-links.ts";
import type { Stack } from "../support/stack.ts";
import { until } from "../support/until.ts";
import { percentile, report } from "./report.ts";

const PATIENCE = { withinMs: 120_000 };
const VISIT_EVERY_MS = 250;

/** Cuts the server's listening connection, then kills and restarts the server, while payments arrive. */
export async function storms(stack: Stack, crowd: Crowd, pages: readonly CrowdLink[]): Promise<void> {
  const [missed, late, visited] = pages;
  if (missed === undefined || late === undefined || visited === undefined) throw new Error("too few pages");
  console.log("  the connection that listens is cut");
  const cutAt = await afterwards(stack, crowd, missed, async () => {
    const { rowCount } = await stack.db.database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'paylink listener' and datname = current_database()`,
    );
    if (rowCount === 0) throw new Error("nobody listens");
    // This notification is lost: nothing listens yet.
    await stack.db.database.pool.query("update payment_links set version = version + 1 where refid = $1", [
      missed.refid,
    ]);
  });
  report("  the page whose change was missed shows it after", `${cutAt} ms`);

  console.log("  the server is killed and started again on its port");
  crowd.forget();
  await stack.server().kill();
  await stack.pay(late.address, late.amount);
  await stack.mine();
  const started = Date.now();
  await stack.startServer();
  report("  server listens again after", `${Date.now() - started} ms`);
  const from = Date.now();
  const visits = visiting(visited.url);
  const joined = () => {
    const back = crowd.first("nudge");
    return crowd.shown.size === back.size ? back : null;
  };
  const back = await until("every page to be back", joined, PATIENCE);
  const shown = await until(
    "the payment of meanwhile to be seen",
    () => crowd.first("shown", (refid) => (refid === late.refid ? 2 : Infinity)).get(late.refid),
    PATIENCE,
  );
  const visitTimes = await visits.stop();
  const times = [...back.values()].map((at) => at - from);
  report(
    "  pages joined again after, p50 / p95 / all",
    `${[0.5, 0.95, 1].map((share) => percentile(times, share).toFixed(0)).join(" / ")} ms`,
  );
  report("  a payment of meanwhile is on its page after", `${shown - from} ms`);
  report(
    `  a page loaded every ${VISIT_EVERY_MS} ms meanwhile, p50 / max`,
    `${percentile(visitTimes, 0.5).toFixed(0)} / ${Math.max(...visitTimes).toFixed(0)} ms`,
  );
}

/** Milliseconds from a change until the page shows a newer version. */
async function afterwards(
  _stack: Stack,
  crowd: Crowd,
  page: CrowdLink,
  happen: () => Promise<void>,
): Promise<number> {
  const newer = (crowd.shown.get(page.refid) ?? 0) + 1;
  crowd.forget();
  await happen();
  const from = Date.now();
  const at = await until(
    "the page to be up to date",
    () => crowd.first("shown", () => newer).get(page.refid),
    PATIENCE,
  );
  return at - from;
}

/** Loads a page at an interval until stopped. Milliseconds for each page, infinite where none arrived. */
function visiting(url: string): { stop(): Promise<number[]> } {
  let stopped = false;
  const times: Promise<number>[] = [];
  const visit = async (): Promise<number> => {
    const from = Date.now();
    const text = await fetch(url)
      .then((response) => response.text())
      .catch(() => "");
    return text.includes("</html>") ? Date.now() - from : Number.POSITIVE_INFINITY;
  };
  const running = (async () => {
    while (!stopped) {
      times.push(visit());
      await pause(VISIT_EVERY_MS);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await running;
      return Promise.all(times);
    },
  };
}
