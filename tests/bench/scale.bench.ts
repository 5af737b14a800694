import { once } from "node:events";
import { pino } from "pino";
import { settlePayments } from "#lib/domain/payment-links/settle/settle-links.ts";
import { searchPaymentLinks } from "#lib/domain/payment-links/view/read-payment-links.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { CHANNELS, listenForChanges } from "#lib/platform/db/listen-for-changes.ts";
import { startApi, type TestApi, type TestMerchant } from "#tests/support/api.ts";
import { startTestCluster } from "#tests/support/database.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";
import { recountDays } from "#tests/support/recount-days.ts";
import { fillLinks, fillPlaces, refidOf } from "./console-data.ts";
import { percentile, report, reportRatio } from "./report.ts";
import { sized } from "./sized.ts";
import { measureWebNodes } from "./web-nodes.ts";

const FEW = sized(10_000, 100);
/** `SCALE_LINKS=10000000` fills 37 GB in about an hour. */
const MANY = sized(Number(process.env.SCALE_LINKS ?? 1_000_000), 200);
/** Links in one transaction of the filling. */
const AT_ONCE = 500_000;
const WARM_UP = sized(30, 1);
const ROUNDS = sized(300, 3);
/** A merchant with many links may wait so much longer than one with few. */
const GOAL = 1.5;
const LISTENERS = sized([1, 4, 16], [1, 2]);
const NOTIFICATIONS = sized(300, 3);

/** Compares a database of few links with one of many, and measures how long a notification takes to many processes. */
export async function bench(): Promise<void> {
  await using open = new AsyncDisposableStack();
  const cluster = await startTestCluster({ durable: true });
  open.defer(() => cluster.stop());
  process.env.TEST_POSTGRES_URL = cluster.url;
  const few = await fill(FEW);
  open.defer(() => few.api.close());
  const many = await fill(MANY);
  open.defer(() => many.api.close());
  for (const [name, act] of Object.entries(ACTS)) await compare(name, act, few, many);
  for (const count of LISTENERS) await measureNotifications(few.api.database.url, count);
  await measureWebNodes();
}

interface Filled {
  readonly api: TestApi;
  readonly merchant: TestMerchant;
  readonly links: number;
}

/** A database of its own with so many links of one merchant, their payments, ledger entries and webhooks. */
async function fill(links: number): Promise<Filled> {
  const started = performance.now();
  const api = await startApi();
  const merchant = await api.merchant();
  const { db } = api.database;
  await fillPlaces(db, merchant.id);
  for (let from = 1; from < links; from += AT_ONCE)
    await fillLinks(db, merchant.id, { from, to: Math.min(from + AT_ONCE, links) });
  await recountDays(db);
  const { rows } = await db.execute<{ n: string }>("select count(*) as n from ledger_postings");
  report(
    `${links} links and ${rows[0]?.n} postings filled in`,
    `${((performance.now() - started) / 1_000).toFixed(0)} s`,
  );
  return { api, merchant, links };
}

type Act = (filled: Filled, n: number) => Promise<unknown>;

const get =
  (pathOf: (n: number) => string): Act =>
  async ({ api, merchant }, n) => {
    const { status, text } = await api.send({ path: pathOf(n), key: merchant.test });
    if (status !== 200) throw new Error(`${status} at ${pathOf(n)}: ${text}`);
  };

const ACTS: Readonly<Record<string, Act>> = {
  create: ({ api, merchant }) => api.client(merchant.test).POST("/payment-links", { body: PAYMENT_LINK }),
  "one link": get((n) => `/payment-links/${refidOf(n)}`),
  list: get(() => "/payment-links?limit=50"),
  "list by reference": get((n) => `/payment-links?limit=50&payment_reference=R${n}`),
  search: ({ api, merchant }, n) => {
    const { networks, settings } = api.services;
    const links = { merchantId: merchant.id, env: "test", state: null, paymentReference: null } as const;
    const deps = { db: api.database.db, networks, settings };
    return searchPaymentLinks(deps, links, `payer${n}@example.com`, { before: null, limit: 51 });
  },
  balances: ({ api, merchant }) => api.client(merchant.test).POST("/balances", { body: {} }),
  settle: async ({ api }, n) => {
    const { rows } = await api.database.database.pool.query<{ id: string }>(
      "select d.id from deposits d join payment_link_wallets w on w.address_id = d.address_id join payment_links l on l.id = w.payment_link_id where l.refid = $1",
      [refidOf(n - (n % 20) + 1)],
    );
    const ids = rows.map(({ id }) => Number(id));
    await api.database.db.transaction((tx) => settlePayments(tx, api.services, ids, new Date()));
  },
};

/** Asks both in turns, so that other load of the machine affects both. */
async function compare(name: string, act: Act, few: Filled, many: Filled): Promise<void> {
  const times = new Map<Filled, number[]>([
    [few, []],
    [many, []],
  ]);
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const [filled, measured] of times) {
      const n = 21 + ((round * 7_919) % (filled.links - 42));
      const start = performance.now();
      await act(filled, n);
      if (round >= WARM_UP) measured.push(performance.now() - start);
    }
  }
  const [short = [], long = []] = [...times.values()];
  for (const share of [0.5, 0.95]) {
    const [a, b] = [percentile(short, share), percentile(long, share)];
    const ratio = b / Math.max(a, 1);
    report(
      `${name}, p${share * 100}, ${few.links} and ${many.links} links`,
      `${a.toFixed(1)}, ${b.toFixed(1)} ms`,
    );
    reportRatio(`${name}, p${share * 100}, ${many.links} links to ${few.links} (1 ms at least)`, ratio, {
      text: `<= ${GOAL}`,
      met: ratio <= GOAL,
    });
  }
}

/** The time from before a commit until the last of so many processes' connections hears of it. */
async function measureNotifications(url: string, count: number): Promise<void> {
  await using open = new AsyncDisposableStack();
  const heard = new EventTarget();
  const log = pino({ level: "silent" });
  for (let i = 0; i < count; i++) {
    const counts = new Map<string, number>();
    const listener = await listenForChanges(
      url,
      [CHANNELS.linkChanges],
      {
        onPayload: (payload) => {
          counts.set(payload, 1);
          heard.dispatchEvent(new Event(`${payload} ${i}`));
        },
        onReconnect: () => {},
      },
      { log },
    );
    open.defer(() => listener.stop());
  }
  const database = openDatabase(url);
  open.defer(() => database.close());
  const times: number[] = [];
  for (let n = 0; n < NOTIFICATIONS; n++) {
    const all = Array.from({ length: count }, (_, i) => once(heard, `x${n} ${i}`));
    const start = performance.now();
    await database.pool.query("select pg_notify($1, $2)", [CHANNELS.linkChanges, `x${n}`]);
    await Promise.all(all);
    times.push(performance.now() - start);
  }
  report(`heard by ${count} listeners, p95`, `${percentile(times, 0.95).toFixed(1)} ms`);
}
