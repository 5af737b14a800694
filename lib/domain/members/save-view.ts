import type { Env } from "#lib/chains/network-data.ts";
import { defineOwnVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { lockSignedIn } from "./store.ts";
import { listViews } from "./view-queries.ts";
import { MAX_VIEW_QUERY, MAX_VIEWS, readViewName } from "./view-rules.ts";
import { deleteView, lockMembership, upsertView } from "./view-store.ts";

interface GivenView {
  readonly merchantId: number;
  readonly env: Env;
  readonly name: string;
  /** The filter as the query of the list's URL. */
  readonly query: string;
}

/**
 * Saves a filter of the list of payments under a name, for the person alone. A view of this name gets the new filter. The lock of the
 * person's row lets only one of several requests count at a time.
 */
export const saveView = defineOwnVerb(
  "view.save",
  async ({ tx, now, actor: { userId }, sessionId }, { merchantId, env, query, ...given }: GivenView) => {
    const name = readViewName(given.name);
    if (name === null) return refuse("view_name_malformed");
    if (query === "") return refuse("view_empty");
    if (query.length > MAX_VIEW_QUERY) return refuse("view_too_long");
    if ((await lockSignedIn(tx, { userId, sessionId })) === null) return refuse("session_ended");
    const place = { merchantId, userId };
    if (!(await lockMembership(tx, place))) return refuse("not_a_member");
    const views = await listViews(tx, place);
    const isNew = !views.some((view) => view.env === env && view.name === name);
    if (isNew && views.length >= MAX_VIEWS) return refuse("too_many_views");
    const id = await upsertView(tx, { ...place, env, name, query, createdAt: now });
    return done({ id }, { subject: `user:${userId}`, details: { merchant: merchantId, env, view: id } });
  },
);

/** Deletes a view of the person. */
export const removeView = defineOwnVerb(
  "view.remove",
  async ({ tx, actor: { userId } }, { id }: { readonly id: number }) => {
    if (!(await deleteView(tx, userId, id))) return refuse("view_not_found");
    return done({}, { subject: `user:${userId}`, details: { view: id } });
  },
);
