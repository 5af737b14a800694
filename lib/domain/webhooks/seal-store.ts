import { asc, gt, sql } from "drizzle-orm";
import type { Tx } from "#lib/platform/db/connection.ts";
import { webhookEndpoints } from "./tables.ts";

export interface SealedSecrets {
  readonly id: number;
  readonly secret: Buffer;
  /** The one of before a rotation, while it signs too; null: none. */
  readonly previousSecret: Buffer | null;
}

/** Endpoints by id, those above `after`, removed ones too; nobody rotates their secrets until the transaction ends. */
export function lockSealedSecrets(tx: Tx, after: number, limit: number): Promise<SealedSecrets[]> {
  return tx
    .select({
      id: webhookEndpoints.id,
      secret: webhookEndpoints.secret,
      previousSecret: webhookEndpoints.previousSecret,
    })
    .from(webhookEndpoints)
    .where(gt(webhookEndpoints.id, after))
    .orderBy(asc(webhookEndpoints.id))
    .limit(limit)
    .for("update");
}

export async function updateSealedSecrets(tx: Tx, rows: readonly SealedSecrets[]): Promise<void> {
  if (rows.length === 0) return;
  const of = (pick: (row: SealedSecrets) => unknown, type: string) =>
    sql`${sql.param(rows.map(pick))}::${sql.raw(type)}[]`;
  await tx.execute(sql`
    update ${webhookEndpoints} e set secret = v.secret, previous_secret = v.previous_secret
    from unnest(${of(({ id }) => id, "bigint")}, ${of(({ secret }) => secret, "bytea")},
      ${of(({ previousSecret }) => previousSecret, "bytea")}) as v(id, secret, previous_secret)
    where e.id = v.id`);
}
