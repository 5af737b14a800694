import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { listLinkRows } from "#lib/domain/payment-links/queries.ts";
import { searchLinkIds } from "#lib/domain/payment-links/search/search-queries.ts";
import { readSearch } from "#lib/domain/payment-links/search/search-text.ts";
import { listLinkRecords } from "#lib/domain/payment-links/view/list-records.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { planOf } from "#tests/support/plan-of.ts";
import { recountDays } from "#tests/support/recount-days.ts";
import { aWorld, type World } from "./world.ts";

const LINKS = 20_000;
const OLD = 1_000;
/** Links with these numbers, which are not old, have last names that begin with "Elder". */
const ELDER = 4_000;

let world: World;

/** The oldest links have small amounts, and references, e-mail addresses and last names that begin with "OLD". All have expired, but one of them was canceled. */
before(async () => {
  world = await aWorld({}, { isNew: true });
  await world.create({ amount: 1_000_000n, currency: "usd" });
  await world.db.execute(sql`insert into payment_links (refid, merchant_id, env, customer_id, customer_email, customer_first_name,
      customer_last_name, payment_reference, amount, currency, success_url, cancel_url, expires_at, wallet_pre_generated, state, reason, created_at)
    select 'old' || n, merchant_id, env, customer_id, case when n <= ${OLD}::int then 'Old' || n || '@example.com' else customer_email end,
      customer_first_name, case when n <= ${OLD}::int then 'Old' when n <= ${ELDER}::int then 'Elder' else 'New' end || n,
      case when n <= ${OLD}::int then 'OLD' else 'NEW' end || n, n, currency, success_url, cancel_url, expires_at, false,
      'expired', case when n = ${OLD}::int then 'canceled' else 'expired' end, created_at - (${LINKS}::int - n) * interval '1 minute'
    from payment_links, generate_series(1, ${LINKS}::int) n`);
  await recountDays(world.db);
  await world.db.execute(sql`vacuum analyze payment_links`);
});
after(() => world.close());

/** Runs a read, and returns the most rows that a step of its last statement read in vain. */
async function countReadInVain(read: (db: Db) => Promise<unknown>): Promise<number> {
  const { pool } = world.database;
  const said: { query: string; params: unknown[] }[] = [];
  const logger = { logQuery: (query: string, params: unknown[]) => said.push({ query, params }) };
  await read(drizzle(pool, { logger }) as Db);
  const last = said.at(-1);
  const { rows } = await pool.query(`explain (analyze, timing off) ${last?.query}`, last?.params);
  const removed = rows.map((row) =>
    Number(/Rows Removed by Filter: (\d+)/.exec(row["QUERY PLAN"])?.[1] ?? 0),
  );
  return Math.max(...removed);
}

const everything = () => ({ ...world.owner, state: null, paymentReference: null });
const page = { before: null, limit: 3 };
const newest = [OLD, OLD - 1, OLD - 2];

test("amounts that only old links have are found without reading the newer ones", async () => {
  const amount = { currency: "usd", least: null, most: BigInt(OLD) } as const;
  const filter = { ...everything(), amount };
  const rows = await listLinkRows(world.db, filter, page);
  assert.deepEqual(
    rows.map(({ link }) => Number(link.amount)),
    newest,
  );
  const next = await listLinkRows(world.db, filter, { before: rows[2]?.link ?? null, limit: 1 });
  assert.equal(Number(next[0]?.link.amount), OLD - 3);
  assert.ok((await countReadInVain((db) => listLinkRows(db, filter, page))) < OLD);
});

test("the open links are found without reading those that ended", async () => {
  const open = { ...everything(), state: "open" } as const;
  assert.equal((await listLinkRows(world.db, open, page)).length, 1);
  assert.ok((await countReadInVain((db) => listLinkRows(db, open, page))) < OLD);
});

test("a plugin's list reads the links that match alone, whatever it asks for at once", async () => {
  const deps = { db: world.db, networks: world.deps.networks, settings: world.deps.settings };
  const asked = [
    { text: "OLD7" },
    { paymentReferences: ["OLD7", `NEW${LINKS}`], text: "old7" },
    { paymentReferences: ["OLD1", "OLD2"], text: "ada@example.com" },
    { paymentReferences: ["NEW1"], text: "nobody@example.com", withoutArchived: true },
    { anyOf: [{ state: "expired", reason: "canceled" }] },
    { anyOf: [{ state: "open" }, { state: "awaiting" }, { state: "partial" }] },
    { anyOf: [{ state: "detected" }, { state: "completed" }, { state: "failed", reason: "unconfirmed" }] },
  ] as const;
  for (const filter of asked) {
    const read = (db: Db) =>
      listLinkRecords({ ...deps, db }, { ...everything(), ...filter }, { skip: 0, take: 50 }, new Date());
    const plan = await planOf(world, read);
    const inVain = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, rows]) => Number(rows));
    assert.ok(Math.max(0, ...inVain) < OLD, `${JSON.stringify(filter)}\n${plan}`);
  }
});

for (const [what, begins, filter] of [
  ["references", "OLD", {}],
  ["e-mail addresses", "old", {}],
  ["references and e-mail addresses, with a state,", "old", { state: "expired" }],
  ["last names", "elder", {}],
  ["last names, with a state,", "elder", { state: "expired" }],
] as const)
  test(`the beginning of ${what} that only old links have is found without reading the newer ones`, async () => {
    const terms = readSearch({ begins });
    assert.ok(terms !== null);
    const asked = { ...everything(), ...filter };
    const ids = await searchLinkIds(world.db, asked, terms, page);
    const rows = await listLinkRows(world.db, everything(), { before: null, limit: LINKS + 1 });
    const amounts = new Map(rows.map(({ link }) => [link.id, Number(link.amount)]));
    const first = begins === "elder" ? ELDER : OLD;
    assert.deepEqual(
      ids.map((id) => amounts.get(id)),
      [first, first - 1, first - 2],
    );
    const plan = await planOf(world, (db) => searchLinkIds(db, asked, terms, page));
    const inVain = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, rows]) => Number(rows));
    assert.ok(Math.max(0, ...inVain) < 2 * OLD, plan);
  });
