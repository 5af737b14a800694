import { and, count, desc, eq, isNull, lt, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import { MERCHANT_COLUMNS } from "#lib/domain/merchants/columns.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import { framingOrigins } from "#lib/domain/payment-links/framing-rules.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import { formPictures, forms } from "./tables.ts";
import { type FormRow, type FormTaken, NOTHING_TAKEN } from "./types.ts";

/** Whose forms. A null merchant is every merchant. */
export interface FormOwner {
  readonly merchantId: number | null;
  readonly env: Env;
}

/** Forms and their merchants. */
export function formQuery(db: Db | Tx) {
  return db
    .select({ form: forms, merchant: MERCHANT_COLUMNS })
    .from(forms)
    .innerJoin(merchants, eq(merchants.id, forms.merchantId))
    .$dynamic();
}

export async function findForm(
  db: Db | Tx,
  code: string,
): Promise<{ readonly form: FormRow; readonly merchant: Merchant } | null> {
  const [row] = await formQuery(db).where(eq(forms.code, code));
  return row ?? null;
}

function ofOwner({ merchantId, env }: FormOwner, archived: boolean) {
  return and(
    merchantId === null ? undefined : eq(forms.merchantId, merchantId),
    eq(forms.env, env),
    archived ? undefined : isNull(forms.archivedAt),
  );
}

/** Newest first, with ids below `before`. */
export function listFormRows(
  db: Db | Tx,
  owner: FormOwner,
  range: { readonly before: number | null; readonly limit: number; readonly archived: boolean },
): Promise<FormRow[]> {
  const { before, limit, archived } = range;
  return db
    .select()
    .from(forms)
    .where(and(ofOwner(owner, archived), before === null ? undefined : lt(forms.id, before)))
    .orderBy(desc(forms.id))
    .limit(limit);
}

export async function countForms(db: Db | Tx, owner: FormOwner, archived: boolean): Promise<number> {
  const [row] = await db.select({ count: count() }).from(forms).where(ofOwner(owner, archived));
  return row?.count ?? 0;
}

/** Sums what the links of these forms that have not failed take, by form id. Forms without such a link are absent. */
export async function listTaken(
  db: Db | Tx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, FormTaken>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.execute<{ form_id: string; quantity: string; amount: string }>(sql`
    select form_id, sum(form_quantity) as quantity, sum(amount) as amount from payment_links
    where form_id = any(${sqlArray(ids, "bigint")}) and state not in ('failed', 'expired')
    group by form_id`);
  return new Map(
    rows.map(({ form_id, quantity, amount }) => [
      Number(form_id),
      { quantity: Number(quantity), amount: BigInt(amount) },
    ]),
  );
}

export async function getTaken(db: Db | Tx, id: number): Promise<FormTaken> {
  return (await listTaken(db, [id])).get(id) ?? NOTHING_TAKEN;
}

/**
 * The part of a form's limits that its links take. Nothing is added up for a form without limits: every view and submission asks for it, and such a
 * form may have any number of links.
 */
export async function getTakenOfLimits(
  db: Db | Tx,
  { id, stock, totalLimit }: Pick<FormRow, "id" | "stock" | "totalLimit">,
): Promise<FormTaken> {
  return stock === null && totalLimit === null ? NOTHING_TAKEN : getTaken(db, id);
}

/** Origins that may frame this form's page, without the page's own. null if there is no such form. */
export async function findFormFramingOrigins(db: Db | Tx, code: string): Promise<readonly string[] | null> {
  const [row] = await db
    .select({
      successUrl: forms.successUrl,
      cancelUrl: forms.cancelUrl,
      allowOrigins: merchants.allowOrigins,
    })
    .from(forms)
    .innerJoin(merchants, eq(merchants.id, forms.merchantId))
    .where(eq(forms.code, code));
  if (row === undefined) return null;
  const { successUrl, cancelUrl, allowOrigins } = row;
  return framingOrigins({ successUrl: successUrl ?? "", cancelUrl: cancelUrl ?? "", allowOrigins });
}

/** The WebP bytes of the picture with this SHA-256 (hex). null if no form has it. */
export async function findFormPicture(db: Db | Tx, hash: string): Promise<Buffer | null> {
  const [row] = await db
    .select({ bytes: formPictures.bytes })
    .from(formPictures)
    .where(eq(formPictures.hash, hash))
    .limit(1);
  return row?.bytes ?? null;
}
