import { createHash } from "node:crypto";
import { and, count, desc, eq, gte, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import { forms } from "#lib/domain/forms/tables.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import type { LinkSeller } from "#lib/domain/payment-links/types.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { dayIn, startOfDay } from "#lib/platform/time-zone.ts";
import { MAX_LISTED_SALES } from "./rules.ts";
import { posDevices } from "./tables.ts";
import type { DaySales, DeviceRow } from "./types.ts";

/** How codes and tokens are stored. Both are random, so that a hash without salt is enough. */
export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** The form's device with this token. null for any other text, and once the device is revoked. */
export async function findDevice(db: Db | Tx, formId: number, token: string): Promise<DeviceRow | null> {
  const [device] = await db
    .select()
    .from(posDevices)
    .where(and(eq(posDevices.tokenHash, hashSecret(token)), eq(posDevices.formId, formId)));
  return device ?? null;
}

/** The merchant and environment of a device. null: there is no such device. */
export async function findDeviceOwner(
  db: Db | Tx,
  id: number,
): Promise<{ readonly merchantId: number; readonly env: Env } | null> {
  const [owner] = await db
    .select({ merchantId: forms.merchantId, env: forms.env })
    .from(posDevices)
    .innerJoin(forms, eq(forms.id, posDevices.formId))
    .where(eq(posDevices.id, id));
  return owner ?? null;
}

/** A form with one of its devices, or without one. */
export interface Seller {
  readonly formId: number;
  readonly title: string;
  readonly device: { readonly id: number; readonly name: string } | null;
}

/**
 * The forms of a merchant, the newest first, each followed by its devices: also those that sell no more. At most `limit` lines, and the
 * line `chosen` in addition, after the others.
 */
export async function listSellers(
  db: Db | Tx,
  { merchantId, env }: { readonly merchantId: number; readonly env: Env },
  { limit, chosen = null }: { readonly limit: number; readonly chosen?: LinkSeller | null },
): Promise<readonly Seller[]> {
  const { rows } = await db.execute<{ form: string; title: string; device: string | null; name: string }>(sql`
    with lines as (
      select f.id as form, f.title, d.id as device, d.name from ${forms} f
      cross join lateral (
        select null::bigint as id, null::text as name
        union all
        select id, name from ${posDevices} where form_id = f.id
      ) d
      where f.merchant_id = ${merchantId} and f.env = ${env}
    )
    (select * from lines order by form desc, device nulls first limit ${limit})
    union
    (select * from lines where ${chosen === null ? sql`false` : isLineOf(chosen)})
    order by form desc, device nulls first`);
  return rows.map(({ form, title, device, name }) => ({
    formId: Number(form),
    title,
    device: device === null ? null : { id: Number(device), name },
  }));
}

const isLineOf = ({ kind, id }: LinkSeller) =>
  kind === "device" ? sql`device = ${id}` : sql`device is null and form = ${id}`;

const salesSince = (deviceId: number, since: Date) =>
  and(eq(paymentLinks.posDeviceId, deviceId), gte(paymentLinks.createdAt, since));

export function countSales(db: Db | Tx, deviceId: number, since: Date): Promise<number> {
  return db.$count(paymentLinks, salesSince(deviceId, since));
}

/** True if the device made this sale. */
export async function isSaleOf(db: Db | Tx, deviceId: number, refid: string): Promise<boolean> {
  const isSale = and(eq(paymentLinks.refid, refid), eq(paymentLinks.posDeviceId, deviceId));
  return (await db.$count(paymentLinks, isSale)) > 0;
}

/** Returns the sales of a device since its day began. */
export async function getDaySales(db: Db | Tx, device: DeviceRow, now: Date): Promise<DaySales> {
  const { id, refid, amount, state, reason, createdAt } = paymentLinks;
  const ofDay = salesSince(device.id, startOfDay(device.timeZone, dayIn(device.timeZone, now)));
  const isPaid = sql`${state} in ('completed', 'overpaid')`;
  const newest = await db
    .select({ refid, amount, state, reason, createdAt })
    .from(paymentLinks)
    .where(ofDay)
    .orderBy(desc(createdAt), desc(id))
    .limit(MAX_LISTED_SALES);
  const [totals] = await db
    .select({
      count: count(),
      paidCount: sql<string>`count(*) filter (where ${isPaid})`,
      paidAmount: sql<string>`coalesce(sum(${amount}) filter (where ${isPaid}), 0)`,
    })
    .from(paymentLinks)
    .where(ofDay);
  return {
    newest: newest.map(({ reason, ...sale }) => ({ ...sale, isCanceled: reason === "canceled" })),
    count: totals?.count ?? 0,
    paidCount: Number(totals?.paidCount ?? 0),
    paidAmount: BigInt(totals?.paidAmount ?? 0),
  };
}
