import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sql } from "drizzle-orm";
import { TIME_STEPS } from "#lib/domain/payment-links/totals/count-days.ts";
import { listDayMetrics, listPartMetrics } from "#lib/domain/payment-links/totals/queries.ts";
import { dayBefore, partOfDay, summarizeDays } from "#lib/domain/payment-links/totals/rules.ts";
import { composeRecord } from "#lib/domain/payment-links/view/compose-view.ts";
import {
  exportLinks,
  listPaymentLinks,
  readSnapshot,
  searchPaymentLinks,
} from "#lib/domain/payment-links/view/read-payment-links.ts";
import { listDeliveries } from "#lib/domain/webhooks/queries.ts";
import { listRefundables, listRefunds } from "#lib/domain/withdrawals/queries.ts";
import { SHEET_FORMATS, type SheetFormat, type SheetRow, sheetStream } from "#lib/platform/sheets.ts";
import { dayIn } from "#lib/platform/time-zone.ts";
import type { TestApi } from "#tests/support/api.ts";
import { recountDays } from "#tests/support/recount-days.ts";
import { refidOf } from "./console-data.ts";
import { openKept, openNew, withLinks } from "./console-database.ts";
import { measureScreens } from "./console-screens.ts";
import { report, reportRatio } from "./report.ts";
import { sized } from "./sized.ts";

const FEW = sized(1_000, 200);
const MANY = sized(1_000_000, 2_000);
const ROUNDS = sized(200, 3);
/** Rounds before the measured ones: connections, caches and compiled code are as in a server that runs. */
const WARM_UP = sized(20, 1);
const GOAL_MS = 100;
const GOAL_MB = 20;
const PARTS_PER_LOOK = 100;
const COLUMNS = [
  ["created_at", "time"],
  ["refid", "text"],
  ["email", "text"],
  ["amount", "amount"],
] as const;

/** The texts that people search for. `n` is the number of one of the links. */
const TEXTS: Readonly<Record<string, (n: number) => string>> = {
  "a reference": (n) => `R${n}`,
  "an e-mail address": (n) => `payer${n}@example.com`,
  "a rare last name": (n) => `Obi${n}`,
  "a first name of 2 % of all": (n) => `Ada${n % 50}`,
  "both names": (n) => `Ada${n % 50} Obi${n}`,
  "a transaction hash that nobody sent": (n) => n.toString(16).padStart(64, "0"),
  "an address that nobody has": (n) => `0x${n.toString(16).padStart(40, "0")}`,
  nothing: (n) => `nothing like ${n}`,
};

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Lists, searches, screens and exports of one merchant's payments with 1,000,000 links, the first two also with 1,000. */
export async function bench(): Promise<void> {
  const few = await withLinks(FEW, openNew, (api) => measureAll(api, FEW));
  const { CONSOLE_DATA } = process.env;
  const open = CONSOLE_DATA === undefined ? openNew : () => openKept(CONSOLE_DATA);
  await withLinks(MANY, open, async (api) => {
    const many = await measureAll(api, MANY);
    await measureScreens(api.database, MANY);
    for (const format of SHEET_FORMATS) await measureExport(api, format);
    for (const [name, { p95 }] of Object.entries(many)) {
      report(`${name}, p95 of ${MANY} links`, `${p95.toFixed(1)} ms`, {
        text: `<= ${GOAL_MS} ms`,
        met: p95 <= GOAL_MS,
      });
      const ratio = p95 / Math.max(few[name]?.p95 ?? 0, 1);
      reportRatio(`${name}, ${MANY} links to ${FEW} (1 ms at least)`, ratio, {
        text: "<= 2",
        met: ratio <= 2,
      });
    }
  });
}

async function measureAll(api: TestApi, links: number): Promise<Record<string, { p95: number }>> {
  const { db } = api.database;
  const { rows } = await db.execute<{ id: string }>(sql`select merchant_id as id from payment_links limit 1`);
  const filter = {
    merchantId: Number(rows[0]?.id),
    env: "test",
    state: null,
    paymentReference: null,
  } as const;
  const page = { before: null, limit: 51 };
  const { networks, settings } = api.services;
  const deps = { db, networks, settings };
  const measured: Record<string, { p95: number }> = {
    "the first page": await measure(() => listPaymentLinks(deps, filter, page)),
  };
  measured["the page of one payment"] = await measure(async (round) => {
    const refid = refidOf(1 + ((round * 7_919) % (links - 1)));
    const owner = { merchantId: filter.merchantId, env: "test" } as const;
    const snapshot = await readSnapshot(db, refid, owner);
    if (snapshot === null) return;
    composeRecord(snapshot, deps, new Date());
    await listDeliveries(db, owner, { status: null, before: null, refid, limit: 50 });
    await listRefunds(db, snapshot.link.id, 20);
    await listRefundables(db, snapshot.link.id, new Date());
  });
  await recountDays(db);
  measured["the overview of 90 days"] = await measure(async () => {
    const now = new Date();
    const today = dayIn("UTC", now);
    const since = dayBefore(today, 179);
    const metrics = await listDayMetrics(db, { ...filter, timeZone: "UTC", since });
    for (const days of [1, 90])
      await listPartMetrics(db, filter, partOfDay("UTC", { day: dayBefore(today, days), now }));
    for (const lastDay of [today, dayBefore(today, 90)])
      summarizeDays(metrics, { count: 90, steps: TIME_STEPS, lastDay });
  });
  for (const [name, textOf] of Object.entries(TEXTS)) {
    measured[`search for ${name}`] = await measure((round) =>
      searchPaymentLinks(deps, filter, textOf(1 + ((round * 7_919) % links)), page),
    );
  }
  return measured;
}

/** Reads every link as an export does, and watches the memory and the event loop of this process. */
async function measureExport(
  { database: { db }, services: { networks, settings } }: TestApi,
  format: SheetFormat,
): Promise<void> {
  const { rows } = await db.execute<{ id: string }>(sql`select merchant_id as id from payment_links limit 1`);
  const filter = {
    merchantId: Number(rows[0]?.id),
    env: "test",
    state: null,
    paymentReference: null,
  } as const;
  const range = { from: new Date(0), to: new Date("2100-01-01T00:00:00Z"), search: null };
  let [read, parts, live, peak] = [0, 0, 0, 0];
  collectGarbage();
  const floor = process.memoryUsage();
  async function* toRows(): AsyncGenerator<readonly SheetRow[]> {
    for await (const part of exportLinks({ db, networks, settings }, filter, range)) {
      read += part.length;
      peak = Math.max(peak, process.memoryUsage().rss - floor.rss);
      yield part.map(({ createdAt, refid, customer }) => [createdAt, refid, customer.email, "1600.5"]);
      if (++parts % PARTS_PER_LOOK !== 0) continue;
      collectGarbage();
      live = Math.max(live, process.memoryUsage().heapUsed - floor.heapUsed);
    }
  }
  const start = performance.now();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let bytes = 0;
  for await (const chunk of sheetStream(format, { name: "links", columns: COLUMNS }, toRows()))
    bytes += chunk.length;
  delay.disable();
  const perSecond = read / ((performance.now() - start) / 1_000);
  const megabytes = (size: number) => `${(size / 1_000_000).toFixed(0)} MB`;
  report(`${format} of ${read} links, ${megabytes(bytes)}`, `${Math.round(perSecond)} rows a second`);
  report(`${format}, delay of the event loop, p99`, `${(delay.percentile(99) / 1e6).toFixed(0)} ms`);
  report(`${format}, growth of the process with its garbage, at the peak`, megabytes(peak));
  report(`${format}, growth of what it holds, at the peak`, megabytes(live), {
    text: `<= ${GOAL_MB} MB`,
    met: live <= GOAL_MB * 1_000_000,
  });
}

async function measure(work: (round: number) => Promise<unknown>): Promise<{ p95: number }> {
  for (let round = 0; round < WARM_UP; round++) await work(round);
  // The garbage of what was measured before is not part of it.
  collectGarbage();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await work(round);
    times.push(performance.now() - start);
  }
  return { p95: times.toSorted((a, b) => a - b)[Math.floor(ROUNDS * 0.95)] ?? 0 };
}
