/** The site of the database is lost. A standby in another region, which no commit waits for, is promoted. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import pg from "pg";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { startApi, type TestApi, type TestMerchant } from "#tests/support/api.ts";
import { switchCluster } from "#tests/support/database.ts";
import { LONG } from "#tests/support/fault-random.ts";
import { fund } from "#tests/support/fund.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";
import { startPostgres17 } from "#tests/support/postgres-17.ts";
import { startReplica17 } from "#tests/support/replica-17.ts";
import { startSlowLine } from "#tests/support/slow-line.ts";
import { until } from "#tests/support/until.ts";

/** Milliseconds between the regions, each way. */
const DELAYS = LONG ? [5, 40, 120] : [40];
/** Links before the site is lost. */
const LINKS = LONG ? 3_000 : 300;
const AT_ONCE = 8;
/** How much longer than a way what is missing may have been answered before the loss: for a busy machine. */
const MARGIN_MS = LONG ? 500 : 5_000;

for (const oneWayMs of DELAYS) {
  test(`a standby ${oneWayMs} ms away lacks only what was answered just before`, async () => {
    const server = await startPostgres17();
    after(() => server.stop());
    const switchBack = switchCluster(server.url);
    after(switchBack);
    const api = await startApi();
    after(() => api.close());
    const line = await startSlowLine(Number(new URL(server.url).port), oneWayMs);
    after(() => line.cut());
    const onLine = (url: string) => Object.assign(new URL(url), { port: String(line.port) }).href;
    const standby = await startReplica17(onLine(server.url), { isLogged: false });
    after(() => standby.stop());
    const shop = await api.merchant();
    await standbyHas(standby.urlOf(api.database.url), "merchants");

    const load = startLoad(api, shop);
    await until("the links", () => load.answered.length >= LINKS);
    const lostAt = performance.now();
    line.cut();
    // A later answer is that of a site that is lost.
    const answered = [...load.answered];
    await load.stop();

    const promotedAt = performance.now();
    await promote(standby.urlOf(server.url));
    const database = openDatabase(standby.urlOf(api.database.url));
    after(() => database.close());
    const there = await startApi({ database });
    after(() => there.close());
    await createLink(there, shop);
    const writtenMs = performance.now() - promotedAt;

    const { rows } = await database.pool.query<{ refid: string }>("select refid from payment_links");
    const present = new Set(rows.map(({ refid }) => refid));
    const missing = answered.filter(({ refid }) => !present.has(refid));
    const oldestMs = Math.max(0, ...missing.map(({ at }) => lostAt - at));
    console.log(
      `a standby ${oneWayMs} ms away: ${answered.length} links answered, ${missing.length} missing, the first of them answered ` +
        `${oldestMs.toFixed(0)} ms before the loss; written again ${writtenMs.toFixed(0)} ms after the promotion began`,
    );
    assert.ok(present.size > LINKS / 2, "the standby follows");
    assert.ok(oldestMs <= oneWayMs + MARGIN_MS, `${oldestMs} ms`);
    const { problems } = await checkLedger(database.db);
    assert.deepEqual(problems, []);
  });
}

interface Answered {
  readonly refid: string;
  /** By performance.now(). */
  readonly at: number;
}

/** Creates links, and posts to the ledger now and then, until it is stopped. */
function startLoad(api: TestApi, shop: TestMerchant) {
  const answered: Answered[] = [];
  let isStopped = false;
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    for (let n = 0; !isStopped; n++) {
      const refid = await createLink(api, shop);
      answered.push({ refid, at: performance.now() });
      if (n % 10 === 0)
        await fund(api.database.db, { merchantId: shop.id, token: "usdt", amount: "1" }, new Date());
    }
  });
  return {
    answered: answered as readonly Answered[],
    stop: async () => {
      isStopped = true;
      await Promise.all(lanes);
    },
  };
}

async function createLink(api: TestApi, shop: TestMerchant): Promise<string> {
  const { status, body } = await api.send({
    ...{ method: "POST", path: "/payment-links", key: shop.test },
    json: PAYMENT_LINK,
  });
  assert.equal(status, 200, JSON.stringify(body));
  return (body as { data: { refid: string } }).data.refid;
}

async function standbyHas(url: string, table: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on("error", () => {});
  await until(`the standby has ${table}`, () =>
    pool.query(`select from ${table}`).then(
      ({ rowCount }) => (rowCount ?? 0) > 0,
      () => false,
    ),
  );
  await pool.end();
}

/** Makes a primary of it. Returns when it accepts writes. */
async function promote(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("select pg_promote(true, 60) as promoted");
  await client.end();
  assert.equal(rows[0]?.promoted, true);
}
