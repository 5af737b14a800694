import { and, eq, sql } from "drizzle-orm";
import type { StoredPicture } from "#lib/domain/merchants/types.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { formQuery } from "./queries.ts";
import { formPictures, forms, formVisits } from "./tables.ts";
import type { FormRow } from "./types.ts";

export async function insertForm(db: Db | Tx, row: typeof forms.$inferInsert): Promise<FormRow> {
  const [form] = await db.insert(forms).values(row).returning();
  if (form === undefined) throw new Error("an inserted form was not returned");
  return form;
}

/** Locks the form. Its submissions and changes follow each other, so that its stock is counted by one at a time. */
export async function lockForm(tx: Tx, code: string) {
  const [row] = await formQuery(tx).where(eq(forms.code, code)).for("no key update", { of: forms });
  return row ?? null;
}

export async function updateFormRow(
  tx: Tx,
  id: number,
  changes: Partial<typeof forms.$inferInsert>,
): Promise<FormRow> {
  const [form] = await tx.update(forms).set(changes).where(eq(forms.id, id)).returning();
  if (form === undefined) throw new Error("an updated form was not returned");
  return form;
}

/** Replaces the form's picture. null removes it. */
export async function replacePicture(tx: Tx, formId: number, picture: StoredPicture | null): Promise<void> {
  if (picture === null) {
    await tx.delete(formPictures).where(eq(formPictures.formId, formId));
    return;
  }
  const { hash, bytes } = picture;
  await tx
    .insert(formPictures)
    .values({ formId, hash, bytes })
    .onConflictDoUpdate({ target: formPictures.formId, set: { hash, bytes } });
}

/** First key of the advisory lock of a visitor of forms. */
const VISITOR_LOCK = 0x70_6c_66;

/** Other transactions of this visitor's site wait until this one ends, so that two of them cannot exceed a limit together. */
export async function lockVisitor(tx: Tx, visitor: Buffer): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${VISITOR_LOCK}, ${visitor.readInt32BE(0)})`);
}

/** The link of an earlier submission that was the same, or null. */
export async function findVisit(db: Db | Tx, formId: number, visit: Buffer): Promise<string | null> {
  const [row] = await db
    .select({ refid: formVisits.refid })
    .from(formVisits)
    .where(and(eq(formVisits.formId, formId), eq(formVisits.visit, visit)));
  return row?.refid ?? null;
}

/** Records a submission. It replaces an earlier one that was the same. */
export async function upsertVisit(tx: Tx, row: typeof formVisits.$inferInsert): Promise<void> {
  const { refid, visitor, createdAt } = row;
  await tx
    .insert(formVisits)
    .values(row)
    .onConflictDoUpdate({
      target: [formVisits.formId, formVisits.visit],
      set: { refid, visitor, createdAt },
    });
}

/** Deletes up to `limit` of the oldest visits before `before`. Returns how many. */
export async function deleteVisitsBefore(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    with old as (
      select form_id, visit from ${formVisits} where created_at < ${before.toISOString()}::timestamptz
      order by created_at limit ${limit} for update skip locked
    )
    delete from ${formVisits} v using old where v.form_id = old.form_id and v.visit = old.visit`);
  return rowCount ?? 0;
}

/** Deletes the hashes of visitors of up to `limit` visits before `before`. Returns how many. */
export async function deleteVisitorsBefore(db: Db, before: Date, limit: number): Promise<number> {
  // In no order: by their age PostgreSQL would read those without a visitor again in each round.
  const { rowCount } = await db.execute(sql`
    with old as (
      select form_id, visit from ${formVisits}
      where visitor is not null and created_at < ${before.toISOString()}::timestamptz
      limit ${limit} for update skip locked
    )
    update ${formVisits} v set visitor = null from old where v.form_id = old.form_id and v.visit = old.visit`);
  return rowCount ?? 0;
}
