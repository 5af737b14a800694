import { type AccountCounter, listAccountCounters } from "#lib/domain/wallets/queries.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { listAppliedMigrations } from "#lib/platform/db/migrate.ts";
import { isMark } from "#lib/platform/db/unfinished-restore.ts";
import { countRows, listTables } from "./store.ts";

/** The content of a database, to compare a restored one with the one that was backed up. It can be of an older version. */
export interface Content {
  /** Timestamps, the oldest first. */
  readonly migrations: readonly number[];
  /** Rows of each table. */
  readonly tables: Readonly<Record<string, number>>;
  readonly accounts: readonly AccountCounter[];
}

/** Counts the rows of every table, which it reads whole. The transaction must read one snapshot. */
export async function describeContent(tx: Tx): Promise<Content> {
  const names = (await listTables(tx)).filter((name) => !isMark(name));
  if (names.length === 0) return { migrations: [], tables: {}, accounts: [] };
  const tables: [string, number][] = [];
  for (const name of names) tables.push([name, await countRows(tx, name)]);
  return {
    migrations: (await listAppliedMigrations(tx)).toSorted((a, b) => a - b),
    tables: Object.fromEntries(tables),
    accounts: await listAccountCounters(tx),
  };
}
