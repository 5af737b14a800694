import { after } from "node:test";
import { type TestDatabase, testDatabase } from "./database.ts";
import { followTables } from "./follow-tables.ts";

/** The database of a test file, see testDatabase. It closes after the file's tests. */
export async function databaseOfFile({ isNew = false } = {}): Promise<TestDatabase> {
  const opened = await testDatabase({ isNew });
  after(() => opened.close());
  return opened;
}

/** The same. `changes` wakes those who wait for what others write into these tables. */
export async function followedDatabaseOfFile(...tables: readonly string[]) {
  const opened = await testDatabase();
  const changes = await followTables(opened.url, tables);
  after(async () => {
    await changes.close();
    await opened.close();
  });
  return { ...opened, changes };
}
