import { and, count, desc, eq, lt, lte, min, type SQL } from "drizzle-orm";
import { merchants } from "#lib/domain/merchants/tables.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { defaultKinds } from "./rules.ts";
import { mailSettings, mails } from "./tables.ts";
import { MAIL_KINDS, type MailOwner, type SwitchedKind } from "./types.ts";

export const MAIL_STATUSES = ["due", "sent", "failed"] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

const LISTED_COLUMNS = {
  id: mails.id,
  merchant: merchants.email,
  env: mails.env,
  kind: mails.kind,
  recipient: mails.recipient,
  status: mails.status,
  attempts: mails.attempts,
  nextAttemptAt: mails.nextAttemptAt,
  lastStatus: mails.lastStatus,
  lastError: mails.lastError,
  createdAt: mails.createdAt,
} as const;

/** The newest mails. null: any. `before`: only mails below this id. */
export function listMails(
  db: Db,
  filter: {
    readonly merchantId: number | null;
    readonly status: MailStatus | null;
    readonly before: number | null;
    readonly limit: number;
  },
) {
  const { merchantId, status, before, limit } = filter;
  const conditions: (SQL | undefined)[] = [
    merchantId === null ? undefined : eq(mails.merchantId, merchantId),
    status === null ? undefined : eq(mails.status, status),
    before === null ? undefined : lt(mails.id, before),
  ];
  return db
    .select(LISTED_COLUMNS)
    .from(mails)
    .innerJoin(merchants, eq(merchants.id, mails.merchantId))
    .where(and(...conditions))
    .orderBy(desc(mails.id))
    .limit(limit);
}

/** The merchant and environment of a mail. null: there is no such mail. */
export async function findMailPlace(db: Db, id: number): Promise<MailOwner | null> {
  const { merchantId, env } = mails;
  const [row] = await db.select({ merchantId, env }).from(mails).where(eq(mails.id, id));
  return row ?? null;
}

/** The mail whose unsubscribe address has this token, or null. Mails that somebody asked for have no such address. */
export async function findMailByToken(db: Db, token: string) {
  const [row] = await db
    .select({
      merchantId: mails.merchantId,
      env: mails.env,
      kind: mails.kind,
      recipient: mails.recipient,
      data: mails.data,
      merchantName: merchants.name,
    })
    .from(mails)
    .innerJoin(merchants, eq(merchants.id, mails.merchantId))
    .where(eq(mails.token, token));
  const kind = MAIL_KINDS.find((one) => one === row?.kind);
  return row === undefined || kind === undefined ? null : { ...row, kind };
}

/** Returns the kinds that a merchant has switched on, and the recipient of its mails. `recipient` null: its own address. */
export async function getMailSettings(
  db: Db,
  owner: MailOwner,
): Promise<{ readonly kinds: readonly SwitchedKind[]; readonly recipient: string | null }> {
  const [row] = await db
    .select({ kinds: mailSettings.kinds, recipient: mailSettings.recipient })
    .from(mailSettings)
    .where(and(eq(mailSettings.merchantId, owner.merchantId), eq(mailSettings.env, owner.env)));
  return row ?? { kinds: defaultKinds(owner.env), recipient: null };
}

/** Counts for the metrics: due and failed mails, and when the oldest due one became due; null without one. */
export async function measureMails(
  db: Db,
  now: Date,
): Promise<{ readonly due: number; readonly oldest: Date | null; readonly failed: number }> {
  const [[row], failed] = await Promise.all([
    db
      .select({ due: count(), oldest: min(mails.nextAttemptAt) })
      .from(mails)
      .where(and(eq(mails.status, "due"), lte(mails.nextAttemptAt, now))),
    db.$count(mails, eq(mails.status, "failed")),
  ]);
  return { due: row?.due ?? 0, oldest: row?.oldest ?? null, failed };
}
