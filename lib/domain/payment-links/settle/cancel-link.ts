import type { Env } from "#lib/chains/network-data.ts";
import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import type { LinkState } from "#lib/domain/types.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { lockOwnLink } from "../queries.ts";
import { hasFailed, isUnpaid, latePolicyOf, roundUpToSecond } from "../rules.ts";
import { lockLink, updateEnd } from "../store.ts";
import type { LinkServices, PaymentLinkDeps } from "../types.ts";
import { settleLinks } from "./settle-links.ts";

interface OwnLink {
  readonly refid: string;
  readonly owner: { readonly merchantId: number; readonly env: Env };
}

type Ended =
  /** `before` is null for a link that was canceled before. */
  | { readonly ok: true; readonly before: LinkState | null }
  | { readonly ok: false; readonly reason: "link_not_found" | "link_not_cancelable" };

/** Ends a link that nobody has paid (endUnpaidLink). */
export const cancelLink = defineVerb(
  "link.cancel",
  async (
    { tx, now, merchantId, env },
    { services, refid }: { readonly services: LinkServices; readonly refid: string },
  ) => {
    const ended = await endUnpaidLink(tx, services, { refid, owner: { merchantId, env } }, now);
    if (!ended.ok) return refuse(ended.reason);
    const { before } = ended;
    return done({}, before === null ? null : { subject: `link:${refid}`, details: { env, state: before } });
  },
);

/**
 * Ends a link that nobody has paid: it expires now, with the reason `canceled`. Its addresses stay watched, and what is
 * credited there later is late. Refused once money was seen and once the link has ended otherwise. A link that was
 * canceled before stays as it is.
 */
export async function endUnpaidLink(
  tx: Tx,
  services: LinkServices,
  { refid, owner }: OwnLink,
  now: Date,
): Promise<Ended> {
  const row = await lockOwnLink(tx, refid, owner);
  if (row === null) return { ok: false, reason: "link_not_found" };
  const { link, merchant } = row;
  if (link.reason === "canceled") return { ok: true, before: null };
  const { state: before } = link;
  if (before !== "open" && before !== "awaiting") return { ok: false, reason: "link_not_cancelable" };
  const expiresAt = new Date(Math.min(roundUpToSecond(now.getTime()).getTime(), link.expiresAt.getTime()));
  const end = { expiresAt, canceledAt: now };
  await updateEnd(tx, link.id, end);
  await settleLinks(tx, services, [{ merchant, link: { ...link, ...end } }], { visible: true, now });
  const settled = await lockOwnLink(tx, refid, owner);
  // Late money that the merchant accepts may have got its price only now.
  const isCanceled = settled === null || settled.link.reason === "canceled";
  return isCanceled ? { ok: true, before } : { ok: false, reason: "link_not_cancelable" };
}

type EndResult =
  | { readonly ok: true; readonly latePolicy: "hold" | "accept" }
  | { readonly ok: false; readonly reason: "not_found" | "paid" };

/**
 * Moves the deadline of a test link to the next whole second. The sweep then ends the link. Does not change a link
 * that has already failed. Does not find links of the live environment.
 */
export async function endTimeToPay(deps: PaymentLinkDeps, refid: string, now: Date): Promise<EndResult> {
  return deps.db.transaction(async (tx) => {
    const row = await lockLink(tx, refid);
    if (row === null || row.link.env !== "test") return { ok: false, reason: "not_found" };
    const { link, merchant } = row;
    const latePolicy = latePolicyOf(row);
    if (hasFailed(link.state)) return { ok: true, latePolicy };
    if (!isUnpaid(link.state)) return { ok: false, reason: "paid" };
    const expiresAt = roundUpToSecond(now.getTime());
    if (expiresAt < link.expiresAt) {
      await updateEnd(tx, link.id, { expiresAt });
      await settleLinks(tx, deps, [{ merchant, link: { ...link, expiresAt } }], { visible: true, now });
    }
    return { ok: true, latePolicy };
  });
}
