import type { Tx } from "#lib/platform/db/connection.ts";
import { attentionSubject } from "./rules.ts";
import { deleteAttention, lockAttention, updateRetryTime } from "./store.ts";
import type { AttentionKind } from "./types.ts";

type Decided =
  | { readonly ok: true; readonly reason: string; readonly height: number | null }
  | { readonly ok: false; readonly reason: "not_set_aside" | "not_closable" };

/** Lets a unit that was set aside be tried again at once. Joins the caller's transaction. */
export async function retryAttention(tx: Tx, subject: string, now: Date): Promise<Decided> {
  const row = await lockAttention(tx, subject);
  if (row === null) return { ok: false, reason: "not_set_aside" };
  await updateRetryTime(tx, subject, now);
  return { ok: true, reason: row.reason, height: row.height };
}

/** Units whose payments a person can see to. Others are tried for as long as they exist. */
const CLOSABLE: readonly AttentionKind[] = ["transaction", "blocks"];

/**
 * Gives up a transaction or blocks that were set aside: a person has seen to their payments. Nothing more is recorded of
 * them. Joins the caller's transaction.
 */
export async function closeAttention(tx: Tx, subject: string): Promise<Decided> {
  const row = await lockAttention(tx, subject);
  if (row === null) return { ok: false, reason: "not_set_aside" };
  const isClosable = CLOSABLE.some((kind) => subject.startsWith(attentionSubject(kind, "")));
  if (!isClosable) return { ok: false, reason: "not_closable" };
  await deleteAttention(tx, [subject]);
  return { ok: true, reason: row.reason, height: row.height };
}
