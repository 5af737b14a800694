import { type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
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

/**
 * An array parameter of a frequent statement, hidden in a sub-select (namedStatement): `any(${arrayParameter("ids", "bigint")})`, `unnest(…)`.
 * The outer cast makes it a value: `any((select …))` would compare with the rows of the sub-select.
 */
export const arrayParameter = (name: string, type: SqlArrayType): SQL =>
  sql`(select ${sql.placeholder(name)}::${sql.raw(type)}[])::${sql.raw(type)}[]`;

/** The pattern of LIKE for texts that begin with this one. */
export const likePrefix = (text: string) => `${text.replace(/[\\%_]/g, "\\$&")}%`;

/**
 * A frequent statement. Its text is built once per process. PostgreSQL parses and plans it once per connection, under
 * its name. Values come in through `sql.placeholder`. One that would change the plan, as the length of an array does, is hidden in a
 * sub-select: otherwise PostgreSQL plans the statement again each time. Rows are the driver's: 64-bit integers, numerics and timestamps
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

/** A query of the builder that can be prepared. */
interface Preparable<Rows> {
  prepare(name: string): { execute(values: Record<string, unknown>): Promise<Rows> };
}

/**
 * A frequent query of the builder, which also maps its rows. Like `namedStatement`, its text is built once per process and
 * planned once per connection, also for queries that run in a transaction of their own each time.
 */
export function namedQuery<Rows>(
  name: string,
  build: (db: Db) => Preparable<Rows>,
): (db: Db | Tx, values: Readonly<Record<string, unknown>>) => Promise<Rows> {
  const prepared = build(drizzle.mock()).prepare(name);
  return (db, values) => {
    const { client } = db._.session as unknown as { readonly client: unknown };
    // The prepared query of the builder belongs to one client. A view of it with the client of the reader is the same query.
    const own: typeof prepared = Object.create(prepared, { client: { value: client } });
    return own.execute({ ...values });
  };
}
