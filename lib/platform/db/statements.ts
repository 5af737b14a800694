import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { QueryResult, QueryResultRow } from "pg";
import type { Db, Tx } from "./connection.ts";

const dialect = new PgDialect();

/** Element types of the array parameters in our SQL. */
export type SqlArrayType =
  | "text"
  | "integer"
  | "bigint"
  | "numeric"
  | "boolean"
  | "timestamptz"
  | "bytea"
  | "jsonb";

/**
 * A JavaScript array as one PostgreSQL array parameter: `any(${sqlArray(ids, "bigint")})`, `unnest(…)`.
 * One parameter carries any number of rows. A bigint travels as its decimal text.
 */
export function sqlArray(values: readonly unknown[], type: SqlArrayType): SQL {
  const texts = values.map((value) => (typeof value === "bigint" ? value.toString() : value));
  return sql`${sql.param(texts)}::${sql.raw(type)}[]`;
}

/** The pattern of LIKE for texts that begin with this one. */
export const likePrefix = (text: string) => `${text.replace(/[\\%_]/g, "\\$&")}%`;

/**
 * A frequent statement. Its text is built once per process. PostgreSQL parses and plans it once per connection, under
 * its name. Values come in through `sql.placeholder`. Rows are the driver's: 64-bit integers, numerics and timestamps
 * are text.
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
