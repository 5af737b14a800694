/** The addresses of the database. The pooler in transaction mode is a fake. */
import assert from "node:assert/strict";
import { test } from "node:test";
import pino from "pino";
import { AddressError, requireLastingSessions, requireSameDatabase } from "#lib/platform/db/addresses.ts";
import { migrate } from "#lib/platform/db/migrate.ts";
import { serveSigner } from "#lib/signer/serve.ts";
import { emptyDatabase } from "#tests/support/database.ts";
import { startFakePooler } from "#tests/support/fake-pooler.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";

const base = await databaseOfFile();
const log = pino({ enabled: false });

test("a pooler in transaction mode is refused where connections must last, and PostgreSQL is not", async (t) => {
  const pooled = await startFakePooler(t, base.url);
  const refused = (error: unknown) => {
    assert.ok(error instanceof AddressError, String(error));
    assert.match(error.message, /DATABASE_DIRECT_URL/);
    return true;
  };
  await assert.rejects(requireLastingSessions(pooled), refused);
  await requireLastingSessions(base.url);
});

test("the addresses of two databases are refused, also through a pooler", async (t) => {
  const other = await emptyDatabase();
  t.after(other.close);
  const [same, wrong] = [await startFakePooler(t, base.url), await startFakePooler(t, other.url)];
  await requireSameDatabase(base.url, same);
  for (const url of [wrong, other.url])
    await assert.rejects(requireSameDatabase(base.url, url), /the same database, and they are not/);
});

test("neither the migrations nor the signer begin through a pooler", async (t) => {
  const pooled = await startFakePooler(t, base.url);
  await assert.rejects(migrate(pooled), AddressError);
  const database = { ...base.database, url: pooled };
  const open = () => assert.fail("the signer opens its journal");
  const options = { metricsPort: null, onBroken: () => {} };
  await assert.rejects(serveSigner({ open, database, log }, options), AddressError);
});
