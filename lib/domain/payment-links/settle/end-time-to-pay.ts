import { lockLink, updateExpiresAt } from "../store.ts";
import type { LinkState, PaymentLinkDeps } from "../types.ts";
import { settleLinks } from "./settle-links.ts";
import { hasFailed, isUnpaid } from "./state-rules.ts";

type Ended =
  | { readonly ok: true; readonly latePolicy: "hold" | "accept" }
  | { readonly ok: false; readonly reason: "not_found" | "paid" };

/**
 * Moves the deadline of a link of the test environment to the next whole second, as if its time to pay were over; the
 * verdict comes from the sweep, as ever. A link whose time is over already stays as it is. Nothing live is found here.
 */
export async function endTimeToPay(deps: PaymentLinkDeps, refid: string, now: Date): Promise<Ended> {
  return deps.db.transaction(async (tx) => {
    const row = await lockLink(tx, refid);
    if (row === null || row.link.env !== "test") return { ok: false, reason: "not_found" };
    const { link, merchant } = row;
    const { latePolicy } = merchant;
    if (hasFailed(link.state as LinkState)) return { ok: true, latePolicy };
    if (!isUnpaid(link.state)) return { ok: false, reason: "paid" };
    const expiresAt = new Date(Math.ceil(now.getTime() / 1_000) * 1_000);
    if (expiresAt < link.expiresAt) {
      await updateExpiresAt(tx, link.id, expiresAt);
      await settleLinks(tx, deps, [{ merchant, link: { ...link, expiresAt } }], { touched: true }, now);
    }
    return { ok: true, latePolicy };
  });
}
