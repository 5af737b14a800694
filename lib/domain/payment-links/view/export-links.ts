import type { LinkFilter, LinkPosition } from "../queries.ts";
import type { PaymentLinkSummary } from "../types.ts";
import { listPaymentLinks, type StoredLinkDeps } from "./read-payment-links.ts";

const AT_ONCE = 500;

/** The links that were created from `from` (included) to `to` (excluded), newest first, in parts that are read on demand. */
export async function* exportLinks(
  deps: StoredLinkDeps,
  filter: LinkFilter,
  { from, to }: { readonly from: Date; readonly to: Date },
): AsyncGenerator<readonly PaymentLinkSummary[]> {
  // No link has the id 0: the list begins with the newest link before `to`.
  let before: LinkPosition | null = { createdAt: to, id: 0 };
  while (before !== null) {
    const page: PaymentLinkSummary[] = await listPaymentLinks(deps, filter, { before, limit: AT_ONCE });
    const part = page.filter(({ createdAt }) => createdAt >= from);
    if (part.length > 0) yield part;
    before = part.length === AT_ONCE ? (part.at(-1) ?? null) : null;
  }
}
