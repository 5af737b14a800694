import { defineInstallationVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { attentionSubject } from "./rules.ts";
import { deleteAttention, lockAttention, updateRetryTime } from "./store.ts";
import type { AttentionKind } from "./types.ts";

/** Lets a unit that was set aside be tried again at once. */
export const retryAttention = defineInstallationVerb(
  "attention.retry",
  async ({ tx, now }, { subject }: { readonly subject: string }) => {
    const row = await lockAttention(tx, subject);
    if (row === null) return refuse("not_set_aside");
    await updateRetryTime(tx, subject, now);
    return done({}, { subject, details: { reason: row.reason } });
  },
);

/** Units whose payments a person can see to. Others are tried for as long as they exist. */
const CLOSABLE: readonly AttentionKind[] = ["transaction", "blocks"];

/**
 * Gives up a transaction or blocks that were set aside: a person has seen to their payments. Nothing more is recorded of
 * them.
 */
export const closeAttention = defineInstallationVerb(
  "attention.close",
  async ({ tx }, { subject }: { readonly subject: string }) => {
    const row = await lockAttention(tx, subject);
    if (row === null) return refuse("not_set_aside");
    const isClosable = CLOSABLE.some((kind) => subject.startsWith(attentionSubject(kind, "")));
    if (!isClosable) return refuse("not_closable");
    await deleteAttention(tx, [subject]);
    return done({}, { subject, details: { reason: row.reason, height: row.height } });
  },
);
