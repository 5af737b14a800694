import { and, asc, desc, eq, gt, sql } from "drizzle-orm";
import type { Db } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import { webhookEvents } from "./tables.ts";

/** An event as a program that listens receives it. */
export interface HeardEvent {
  readonly id: number;
  readonly type: string;
  /** The exact text to sign. */
  readonly body: string;
}

const { id, type, body, merchantId, env, format } = webhookEvents;
const heardOf = (merchant: number) => and(eq(merchantId, merchant), eq(env, "test"), eq(format, "standard"));

/** Parses a notification of CHANNELS.testEvents: "<event id>:<merchant id>". null if it is malformed. */
export function parseEventNotice(
  payload: string,
): { readonly id: number; readonly merchantId: number } | null {
  const [, event, merchant] = /^([0-9]{1,15}):([0-9]{1,15})$/.exec(payload) ?? [];
  return event === undefined ? null : { id: Number(event), merchantId: Number(merchant) };
}

/** These standard events of a merchant's test environment, by ascending id. */
export function listTestEvents(db: Db, merchant: number, ids: readonly number[]): Promise<HeardEvent[]> {
  return db
    .select({ id, type, body })
    .from(webhookEvents)
    .where(and(heardOf(merchant), sql`${id} = any(${sqlArray(ids, "bigint")})`))
    .orderBy(asc(id));
}

/** The first standard events of a merchant's test environment with a higher id than `after`. */
export function listTestEventsAfter(
  db: Db,
  merchant: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<HeardEvent[]> {
  return db
    .select({ id, type, body })
    .from(webhookEvents)
    .where(and(heardOf(merchant), gt(id, after)))
    .orderBy(asc(id))
    .limit(limit);
}

/** The id of a merchant's newest event of the test environment. 0 without events. */
export async function findNewestTestEvent(db: Db, merchant: number): Promise<number> {
  const [row] = await db
    .select({ id })
    .from(webhookEvents)
    .where(and(eq(merchantId, merchant), eq(env, "test")))
    .orderBy(desc(id))
    .limit(1);
  return row?.id ?? 0;
}
