/** The callers of many requests at the same time. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { findCaller } from "#lib/domain/members/find-caller.ts";
import { createApiKey } from "#lib/domain/merchants/api-keys.ts";
import { apiKeys } from "#lib/domain/merchants/tables.ts";
import { type Db, openDatabase } from "#lib/platform/db/connection.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { listKept, TIMES } from "#tests/support/kept-plans.ts";
import { newMerchant } from "#tests/support/new-merchant.ts";

const NOW = new Date();
const base = await databaseOfFile();
const keys: string[] = [];
const owners: number[] = [];

before(async () => {
  const sealer = openSecrets("a secret key for tests, at least 32 long");
  for (let n = 0; n < 4; n++) {
    const made = await newMerchant(base.db, { sealer, email: `shop${n}@example.com`, name: "Shop" });
    keys.push(made.test.apiKey);
    owners.push(made.merchant.id);
    // No later request of the same time records the use of the key.
    await findCaller(base.db, made.test.apiKey, "test", NOW);
  }
});

type Send = (hashes: readonly Buffer[], run: () => Promise<unknown>) => Promise<unknown>;

/** The database, whose statements pass `send` with the hashes that they ask for. */
function databaseBehind(send: Send): Db {
  const { pool } = base.database;
  const query = (config: never, values: [readonly Buffer[]]) =>
    send(values[0], () => pool.query(config, values));
  return { _: { session: { client: { query } } } } as unknown as Db;
}

const find = async (db: Db, key: string) => (await findCaller(db, key, "test", NOW))?.merchant.id ?? null;

test("are found by one statement, each with its own merchant", async () => {
  const asked: number[] = [];
  const db = databaseBehind((hashes, run) => {
    asked.push(hashes.length);
    return run();
  });
  const unknown = createApiKey("test").text;
  const found = await Promise.all([...keys, unknown, ...keys].map((key) => find(db, key)));
  assert.deepEqual(found, [...owners, null, ...owners]);
  assert.deepEqual(asked, [keys.length + 1]);
});

test("are looked up again for those who come while a statement runs, so that a revoked key ends at once", async () => {
  const answered: (() => void)[] = [];
  const db = databaseBehind(async (_hashes, run) => {
    const answer = await run();
    await new Promise<void>((resolve) => answered.push(resolve));
    return answer;
  });
  const [first = "", second = "", third = ""] = keys;
  const running: Promise<number | null>[] = [];
  for (const key of [first, second]) {
    running.push(find(db, key));
    while (answered.length < running.length) await nextTurn();
  }
  const late = [first, third].map((key) => find(db, key));
  const [owner = 0] = owners;
  await base.db.update(apiKeys).set({ revokedAt: NOW }).where(eq(apiKeys.merchantId, owner));
  for (const answer of answered.splice(0)) answer();
  assert.deepEqual(await Promise.all(running), owners.slice(0, 2));
  while (answered.length === 0) await nextTurn();
  answered.pop()?.();
  assert.deepEqual(await Promise.all(late), [null, owners[2]]);
  await base.db.update(apiKeys).set({ revokedAt: null }).where(eq(apiKeys.merchantId, owner));
});

test("are found by a statement that is planned once per connection", async (t) => {
  const { db, close } = openDatabase(base.url, { max: 1 });
  t.after(close);
  for (let i = 0; i < TIMES; i++) await Promise.all(keys.map((key) => find(db, key)));
  assert.equal((await listKept(db)).get("callers_by_hash"), true);
});
