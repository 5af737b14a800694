import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "drizzle-orm";
import { exportDeposits, listRecordedDeposits } from "#lib/domain/deposits/recorded-queries.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { planOf } from "#tests/support/plan-of.ts";
import { aMerchant, anAddress } from "#tests/support/unmatched.ts";
import { bep20 } from "#tests/support/watched-chain.ts";

const database = await databaseOfFile({ isNew: true });
const { db } = database;
const adapter = bep20("http://127.0.0.1:9").find("test", "bep20")!;
const owner = { env: "test", merchantId: await aMerchant(db, "shop@example.com") } as const;

const DEPOSITS = 20_000;
const FIRST = new Date("2026-01-01T00:00:00Z");
const minute = (n: number) => new Date(FIRST.getTime() + n * 60_000);

/** The most rows that a step has read, or left out. */
const mostRead = (plan: string): number =>
  Math.max(...[...plan.matchAll(/(?:actual rows=|by Filter: )([0-9.]+)/g)].map(([, rows]) => Number(rows)));

test("an old period is exported, and a late page listed, without reading the newer deposits", async () => {
  const { id } = await anAddress(db, adapter, owner.merchantId);
  // Each two neighbors are in the other order: the later one was recorded first.
  await db.execute(sql`
    insert into deposits (env, network, token, merchant_id, address_id, tx_hash, position, amount, status,
      required_confirmations, first_seen_at, created_at)
    select 'test', 'bep20', 'usdt', ${owner.merchantId}, ${id}, '0x' || lpad(to_hex(n), 64, '0'), 0, 1, 1, 1, now(),
      ${FIRST.toISOString()}::timestamptz + (n # 1) * interval '1 minute'
    from generate_series(0, ${DEPOSITS}::int - 1) n`);
  await db.execute(sql`vacuum analyze deposits`);
  const range = { from: minute(101), to: minute(201) };
  const found = (await Array.fromAsync(exportDeposits(db, owner, range))).flat();
  assert.deepEqual(
    found.map(({ deposit }) => deposit.createdAt).toSorted((one, other) => +one - +other),
    Array.from({ length: 100 }, (_, n) => minute(101 + n)),
  );
  const exported = await planOf(database, (seen) => Array.fromAsync(exportDeposits(seen, owner, range)));
  assert.ok(mostRead(exported) < 2_000, exported);

  const oldest = found.at(-1)!.deposit.id;
  const page = { before: oldest, limit: 50 };
  const listed = await planOf(database, (seen) =>
    listRecordedDeposits(seen, { ...owner, status: null }, page),
  );
  assert.ok(mostRead(listed) < 200, listed);
});
