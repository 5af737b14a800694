import type { Env } from "#lib/chains/network-data.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { LinkState } from "#lib/domain/types.ts";
import { roundUpToSecond } from "../rules.ts";
import { lockLink, updateEnd } from "../store.ts";
import type { PaymentLinkDeps } from "../types.ts";
import { settleLinks } from "./settle-links.ts";

/** Whose link it must be, and who decides, as the audit log names them. A key of the API decides without an entry. */
export type Canceler =
  | { readonly owner: { readonly merchantId: number; readonly env: Env }; readonly actor?: string }
  | { readonly actor: string };

type CancelResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: "link_not_found" }
  | { readonly ok: false; readonly reason: "link_not_cancelable"; readonly state: LinkState };

/**
 * Ends a link that nobody has paid: it expires now, with the reason `canceled`. Its addresses stay watched, and what is
 * credited there later is late. Refused once money was seen and once the link has ended otherwise. A link that was
 * canceled before stays as it is.
 */
export async function cancelLink(
  deps: PaymentLinkDeps,
  refid: string,
  canceler: Canceler,
  now: Date,
): Promise<CancelResult> {
  return deps.db.transaction(async (tx) => {
    const row = await lockLink(tx, refid);
    if (row === null) return { ok: false, reason: "link_not_found" };
    const { link, merchant } = row;
    if ("owner" in canceler) {
      const { merchantId, env } = canceler.owner;
      if (link.merchantId !== merchantId || link.env !== env) return { ok: false, reason: "link_not_found" };
    }
    if (link.reason === "canceled") return { ok: true };
    const { state } = link;
    if (state !== "open" && state !== "awaiting") return { ok: false, reason: "link_not_cancelable", state };
    const expiresAt = new Date(Math.min(roundUpToSecond(now.getTime()).getTime(), link.expiresAt.getTime()));
    const end = { expiresAt, canceledAt: now };
    await updateEnd(tx, link.id, end);
    await settleLinks(tx, deps, [{ merchant, link: { ...link, ...end } }], { visible: true, now });
    const settled = (await lockLink(tx, refid))?.link;
    // Late money that the merchant accepts may have got its price only now.
    if (settled !== undefined && settled.reason !== "canceled")
      return { ok: false, reason: "link_not_cancelable", state: settled.state };
    if (canceler.actor !== undefined) {
      const entry = { actor: canceler.actor, action: "link.cancel", subject: `link:${refid}` };
      await recordDecision(
        tx,
        { ...entry, merchantId: link.merchantId, details: { env: link.env, state } },
        now,
      );
    }
    return { ok: true };
  });
}
