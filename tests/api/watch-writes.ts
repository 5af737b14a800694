import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import type { EventEmitter } from "node:events";
import type pg from "pg";
import type { Database } from "#lib/platform/db/connection.ts";
import { getLogContext } from "#lib/platform/log/log-context.ts";

/** Owner of the rows that are written outside any request. */
export const NO_REQUEST = "no request";

/**
 * The tables of the rows that each request writes from now on, by its id (`x-request-id`), once they are committed;
 * without the tables that record refusals on purpose. The database reports a row on the connection that writes it, so
 * that thousands of requests need no further query.
 */
export async function watchWrites({ pool }: Database): Promise<ReadonlyMap<string, readonly string[]>> {
  assert.equal(pool.totalCount, 0, "a connection that is open already would not report its rows");
  const committed = new Map<string, string[]>();
  keepContext(pool);
  pool.on("connect", (client) => watchConnection(client, committed));
  await pool.query(`create function report_row() returns trigger language plpgsql as $$ begin
    raise notice '%', tg_table_name;
    return null; end $$`);
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'
     and table_name != 'refused_attempts' and table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables) {
    await pool.query(`create trigger report_row after insert or delete on "${name}"
      for each row execute function report_row()`);
  }
  return committed;
}

/** The pool may call back in the context of the request that returns a connection. */
function keepContext(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as (callback?: () => void) => unknown;
  const inContext = (callback?: () => void) => connect(callback && AsyncLocalStorage.bind(callback));
  Object.assign(pool, { connect: inContext });
}

function watchConnection(client: pg.PoolClient, committed: Map<string, string[]>): void {
  const { connection } = client as pg.PoolClient & { readonly connection: EventEmitter };
  const query = client.query as (...parts: unknown[]) => unknown;
  let requestId = "";
  let pending: string[] = [];
  let isUndone = false;
  const queryOfRequest = (...parts: unknown[]) => {
    requestId = String(getLogContext().requestId ?? NO_REQUEST);
    return query.apply(client, parts);
  };
  Object.assign(client, { query: queryOfRequest });
  connection.on("notice", ({ message }: { message: string }) => pending.push(message));
  connection.on("errorMessage", () => {
    isUndone = true;
  });
  connection.on("commandComplete", ({ text }: { text: string }) => {
    isUndone = text === "ROLLBACK";
  });
  connection.on("readyForQuery", ({ status }: { status: string }) => {
    // "I": no transaction is open any more.
    if (status !== "I") return;
    if (!isUndone && pending.length > 0)
      committed.set(requestId, [...(committed.get(requestId) ?? []), ...pending]);
    pending = [];
  });
}
