import pino from "pino";
import { TIME_STEPS } from "#lib/domain/payment-links/totals/count-days.ts";
import { listDayMetrics, listPartMetrics } from "#lib/domain/payment-links/totals/queries.ts";
import { dayBefore, partOfDay, summarizeDays } from "#lib/domain/payment-links/totals/rules.ts";
import {
  exportLinks,
  listPaymentLinks,
  searchPaymentLinks,
} from "#lib/domain/payment-links/view/read-payment-links.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { openReplica } from "#lib/platform/db/replica.ts";
import { dayIn } from "#lib/platform/time-zone.ts";
import { startApi } from "#tests/support/api.ts";
import { switchCluster } from "#tests/support/database.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";
import { startPostgres17 } from "#tests/support/postgres-17.ts";
import { startReplica17 } from "#tests/support/replica-17.ts";
import { until } from "#tests/support/until.ts";
import { fillLinks, fillPlaces } from "./console-data.ts";
import { percentile, report, reportRatio } from "./report.ts";
import { IS_SHORT, sized } from "./sized.ts";

const LINKS = sized(100_000, 1_000);
const ROUNDS = sized(50, 3);
const TIME_ZONE = "Africa/Lagos";

interface Load {
  readonly statements: number;
  readonly ms: number;
}

/** Reads of the console and the API from the primary and from its replica, in turns, and what the primary still executes of them. */
export async function bench(): Promise<void> {
  await using open = new AsyncDisposableStack();
  const server = await startPostgres17(undefined, ["shared_preload_libraries=pg_stat_statements"]);
  open.defer(() => server.stop());
  open.defer(switchCluster(server.url));
  const api = await startApi();
  open.defer(() => api.close());
  const { db, url, database } = api.database;
  const merchant = await api.merchant();
  await api.client(merchant.test).POST("/payment-links", { body: PAYMENT_LINK });
  await fillPlaces(db, merchant.id);
  await fillLinks(db, merchant.id, { from: 1, to: LINKS });
  await database.pool.query("create extension pg_stat_statements");
  await database.pool.query("vacuum analyze");
  const replica = await startReplica17(server.url, { isLogged: false });
  open.defer(() => replica.stop());
  const log = pino({ level: "silent" });
  const { reads, replica: state } = await openReplica(database, replica.urlOf(url), { max: 10, log });
  await until("the replica is used", () => state?.findLeftOut() === null);
  for (const [name, ask] of Object.entries(questionsOf(api, merchant.id))) {
    const times: Record<"primary" | "replica", number[]> = { primary: [], replica: [] };
    const loads: Record<"primary" | "replica", Load> = { primary: NO_LOAD, replica: NO_LOAD };
    for (let round = 0; round < ROUNDS; round++)
      for (const [side, handle] of [
        ["primary", db],
        ["replica", reads],
      ] as const) {
        await database.pool.query("select pg_stat_statements_reset()");
        const start = performance.now();
        await ask(handle, round);
        times[side].push(performance.now() - start);
        loads[side] = add(loads[side], await getLoad(db));
      }
    const [own, other] = [percentile(times.primary, 0.5), percentile(times.replica, 0.5)];
    report(`${name}: half of the reads, primary and replica`, `${own.toFixed(1)}, ${other.toFixed(1)} ms`);
    reportRatio(`${name}: time of a read, replica to primary`, other / own);
    reportRatio(
      `${name}: the primary's time in statements, with the replica`,
      loads.replica.ms / loads.primary.ms,
    );
    reportRatio(
      `${name}: the primary's statements, with the replica`,
      loads.replica.statements / loads.primary.statements,
    );
  }
  // A busy machine may leave it out for a while. The figures of the short form mean nothing.
  if (IS_SHORT) await until("the replica is used again", () => state?.findLeftOut() === null);
  else if (state?.findLeftOut() !== null) throw new Error("the replica was left out");
}

const NO_LOAD: Load = { statements: 0, ms: 0 };
const add = (a: Load, b: Load): Load => ({ statements: a.statements + b.statements, ms: a.ms + b.ms });

/** The primary counts the statements that it has executed since the reset. */
async function getLoad(db: Db): Promise<Load> {
  const { rows } = await db.execute<{ statements: number; ms: number }>(`
    select coalesce(sum(calls), 0)::integer as statements, coalesce(sum(total_exec_time), 0)::float8 as ms
    from pg_stat_statements where query not like '%pg_stat_statements%'`);
  return rows[0] ?? NO_LOAD;
}

type Question = (db: Db, round: number) => Promise<unknown>;

function questionsOf({ services }: Awaited<ReturnType<typeof startApi>>, merchantId: number) {
  const { networks, settings } = services;
  const filter = { merchantId, env: "test", state: null, paymentReference: null } as const;
  const page = { before: null, limit: 51 };
  return {
    "the overview of 30 days": async (db) => {
      const now = new Date();
      const today = dayIn(TIME_ZONE, now);
      const owner = { merchantId, env: "test" } as const;
      const [counted] = await Promise.all([
        listDayMetrics(db, { ...owner, timeZone: TIME_ZONE, since: dayBefore(today, 59) }),
        listPartMetrics(db, owner, partOfDay(TIME_ZONE, { day: dayBefore(today, 1), now })),
        listPartMetrics(db, owner, partOfDay(TIME_ZONE, { day: dayBefore(today, 30), now })),
      ]);
      return summarizeDays(counted, { count: 30, steps: TIME_STEPS, lastDay: today });
    },
    "a list of 50 links": (db) => listPaymentLinks({ db, networks, settings }, filter, page),
    "a search": (db, round) =>
      searchPaymentLinks({ db, networks, settings }, filter, { begins: `payer${round}` }, page),
    "an export of 2,000 links": async (db) => {
      let rows = 0;
      const range = { from: new Date("2020-01-01"), to: new Date(), search: null };
      for await (const part of exportLinks({ db, networks, settings }, filter, range)) {
        rows += part.length;
        if (rows >= 2_000) break;
      }
    },
  } satisfies Record<string, Question>;
}
