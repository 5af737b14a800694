/**
 * A restore has several steps: the tables, the check, the numbers and addresses that must not be used again, the rights of the roles.
 * A table marks the database until the last one is done. No process starts on a marked database, and neither does the signer.
 */
import { sql } from "drizzle-orm";
import type { Db, Tx } from "./connection.ts";

const MARK = "unfinished_restore";

/** Says what to do with a marked database. */
export const UNFINISHED_RESTORE =
  "This database was not restored completely. Drop it, create it again, empty, and run `paylink restore` again: " +
  '"Restore" in docs/operate/backup.md.';

/** True if a restore into this database began and has not ended. A role needs no rights to ask. */
export async function isRestoreUnfinished(db: Db | Tx): Promise<boolean> {
  const { rows } = await db.execute<{ marked: boolean }>(
    sql`select exists (
      select from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relname = ${MARK}
    ) as marked`,
  );
  return rows[0]?.marked === true;
}

/** Marks an empty database, which may have a mark already. */
export async function markRestore(db: Db): Promise<void> {
  await db.execute(sql`create table if not exists public.${sql.identifier(MARK)} ()`);
}

export async function removeRestoreMark(db: Db): Promise<void> {
  await db.execute(sql`drop table public.${sql.identifier(MARK)}`);
}

/** True if the database has no table, view, sequence or type of its own. What extensions made, and a mark, do not count. */
export async function isEmptyDatabase(db: Db): Promise<boolean> {
  const { rows } = await db.execute<{ found: boolean }>(sql`
    select exists (
      select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
        and (n.nspname, c.relname) <> ('public', ${MARK})
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    ) as found`);
  return rows[0]?.found === false;
}

/** The tables of a dump, without the mark. */
export function isMark(table: string): boolean {
  return table === MARK;
}
