import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { emptyDatabase } from "./database.ts";

const MIGRATIONS = fileURLToPath(new URL("../../lib/platform/db/migrations", import.meta.url));

/** A database of the version before the migration with this tag. `migrate` applies that one. */
export async function databaseBefore(tag: string) {
  const { url, close } = await emptyDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await migrateTo(client, tag, false);
  return {
    ...{ url, client, migrate: () => migrateTo(client, tag, true) },
    async close() {
      await client.end();
      await close();
    },
  };
}

/** Applies the migrations before the one with this tag, and with `included` that one too. */
async function migrateTo(client: pg.Client, tag: string, included: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "paylink-migrations-"));
  try {
    cpSync(MIGRATIONS, folder, { recursive: true });
    const file = join(folder, "meta/_journal.json");
    const journal = JSON.parse(readFileSync(file, "utf8"));
    const at = journal.entries.findIndex((entry: { tag: string }) => entry.tag.endsWith(tag));
    assert.ok(at > 0, `${tag} is in the journal`);
    const entries = journal.entries.slice(0, included ? at + 1 : at);
    writeFileSync(file, JSON.stringify({ ...journal, entries }));
    await migrate(drizzle(client), { migrationsFolder: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
