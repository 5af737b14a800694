import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { lockOwnLink } from "./queries.ts";
import { updateArchived, updateMetadata } from "./store.ts";

/** Replaces the metadata of a link, and its reference, in every state. Both are the merchant's own notes. */
export const updateLink = defineVerb(
  "link.update",
  async (
    { tx, now, merchantId, env },
    {
      refid,
      metadata,
      paymentReference,
    }: { readonly refid: string; readonly metadata: string | null; readonly paymentReference: string },
  ) => {
    const row = await lockOwnLink(tx, refid, { merchantId, env });
    if (row === null) return refuse("link_not_found");
    const { id, paymentReference: before } = row.link;
    await updateMetadata(tx, id, { metadata, paymentReference }, now);
    return done({}, { subject: `link:${refid}`, details: { env, reference: paymentReference, before } });
  },
);

/** Takes a link out of the list of the merchant's plugin, or puts it back. Its payments and its page do not change. */
export const archiveLink = defineVerb(
  "link.archive",
  async (
    { tx, now, merchantId, env },
    { refid, isArchived }: { readonly refid: string; readonly isArchived: boolean },
  ) => {
    const row = await lockOwnLink(tx, refid, { merchantId, env });
    if (row === null) return refuse("link_not_found");
    if ((row.link.archivedAt !== null) === isArchived) return done({}, null);
    await updateArchived(tx, row.link.id, isArchived ? now : null);
    return done({}, { subject: `link:${refid}`, details: { env, archived: isArchived } });
  },
);
