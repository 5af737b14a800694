import type { SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { QueryResult, QueryResultRow } from "pg";
import type { Db, Tx } from "./connection.ts";

const dialect = new PgDialect();

/**
 * A statement of the hot path. Its text is built once per process, and PostgreSQL parses and plans it once per
 * connection, under its name. What differs from call to call comes in through `sql.placeholder`. Rows are the driver's:
 * 64-bit integers, numerics and times are texts.
 */
export function namedStatement<Row extends QueryResultRow>(
  name: string,
  statement: SQL,
): (db: Db | Tx, values: Readonly<Record<string, unknown>>) => Promise<Row[]> {
  const query = dialect.sqlToQuery(statement);
  return async (db, values) => {
    const prepared = db._.session.prepareQuery(query, undefined, name, false);
    const { rows } = (await prepared.execute({ ...values })) as QueryResult<Row>;
    return rows;
  };
}
