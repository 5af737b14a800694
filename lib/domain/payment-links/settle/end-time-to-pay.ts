import { hasFailed, isUnpaid, latePolicyOf, roundUpToSecond } from "../rules.ts";
import { lockLink, updateEnd } from "../store.ts";
import type { PaymentLinkDeps } from "../types.ts";
import { settleLinks } from "./settle-links.ts";

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
