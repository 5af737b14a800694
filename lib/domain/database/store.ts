import { sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { users } from "#lib/domain/members/tables.ts";
import { webhookEndpoints } from "#lib/domain/webhooks/tables.ts";
import { refundClaims } from "#lib/domain/withdrawals/claims/tables.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";

/** Every column that SECRET_KEY encrypts. */
export const SEALED = [
  webhookEndpoints.secret,
  webhookEndpoints.previousSecret,
  users.totpSecret,
  refundClaims.sealedSecret,
] as const;

/** The encrypted secret of a row. */
export interface SealedRow {
  readonly id: number;
  readonly secret: Buffer;
}

/** Locks the rows of a column's table that have a secret, by id above `after`. */
export async function lockSealed(
  tx: Tx,
  column: PgColumn,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<SealedRow[]> {
  const { rows } = await tx.execute<{ id: string; secret: Buffer }>(sql`
    select id, ${sql.identifier(column.name)} as secret from ${column.table}
    where id > ${after} and ${sql.identifier(column.name)} is not null order by id limit ${limit} for update`);
  return rows.map(({ id, secret }) => ({ id: Number(id), secret }));
}

/** The newest secret of a column. null: it has no secret. */
export async function findNewestSealed(db: Db, column: PgColumn): Promise<Buffer | null> {
  const { rows } = await db.execute<{ secret: Buffer }>(sql`
    select ${sql.identifier(column.name)} as secret from ${column.table}
    where ${sql.identifier(column.name)} is not null order by id desc limit 1`);
  return rows[0]?.secret ?? null;
}

export async function updateSealed(tx: Tx, column: PgColumn, rows: readonly SealedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const ids = sqlArray(
    rows.map(({ id }) => id),
    "bigint",
  );
  const secrets = sqlArray(
    rows.map(({ secret }) => secret),
    "bytea",
  );
  await tx.execute(sql`
    update ${column.table} t set ${sql.identifier(column.name)} = v.secret
    from unnest(${ids}, ${secrets}) as v(id, secret) where t.id = v.id`);
}

/** Moves every sequence ahead by so many numbers. A rollback does not undo it. */
export async function moveSequencesAhead(tx: Tx, numbers: number): Promise<void> {
  await tx.execute(sql`
    select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + ${numbers}::bigint)
    from pg_sequences where schemaname = 'public'`);
}

/** The tables of the schema `public`, sorted. */
export async function listTables(tx: Tx): Promise<string[]> {
  const { rows } = await tx.execute<{ name: string }>(sql`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`);
  return rows.map(({ name }) => name).toSorted();
}

/** The exact number of rows. It reads the whole table. */
export async function countRows(tx: Tx, table: string): Promise<number> {
  const { rows } = await tx.execute<{ count: string }>(
    sql`select count(*) as count from public.${sql.identifier(table)}`,
  );
  return Number(rows[0]?.count);
}
