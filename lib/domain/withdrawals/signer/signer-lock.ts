import { sql } from "drizzle-orm";
import type pg from "pg";
import type { Db } from "#lib/platform/db/connection.ts";

/** The key of the advisory lock that one signer of a database holds while it runs ("sign"). */
const SIGNER_LOCK = 0x73_69_67_6e;

/** Takes the lock for as long as the connection lives. False: another signer has it. */
export async function takeSignerLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("select pg_try_advisory_lock($1) as held", [SIGNER_LOCK]);
  return rows[0].held === true;
}

/** Whether this connection has the lock. */
export async function holdsSignerLock(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from pg_locks
     where locktype = 'advisory' and classid = 0 and objid = $1 and granted and pid = pg_backend_pid()`,
    [SIGNER_LOCK],
  );
  return rowCount === 1;
}

/** Whether a signer works on this database now. */
export async function isSignerRunning(db: Db): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select 1 from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${SIGNER_LOCK} and granted
      and database = (select oid from pg_database where datname = current_database()) limit 1`);
  return rows.length > 0;
}
