import type { Stack } from "./stack.ts";

const AT_ONCE = 16;

/** A link with its address on bep20. */
export interface CrowdLink {
  readonly refid: string;
  readonly url: string;
  readonly address: string;
  /** USDT that pay the link, decimal text. */
  readonly amount: string;
}

/**
 * Creates `count` links of 16,000 NGN (10 USDT at the stack's rates). The stack's RATE_LIMIT must allow
 * them.
 */
export async function createCrowdLinks(stack: Stack, count: number): Promise<CrowdLink[]> {
  const made: { refid: string; url: string }[] = [];
  let begun = 0;
  const next = async () => {
    while (begun++ < count) {
      made.push(await stack.createLink({ wallets: '[{"network":"bep20","token":"USDT"}]' }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  const { rows } = await stack.db.database.pool.query(
    `select l.refid, a.address from payment_links l join payment_link_wallets w on w.payment_link_id = l.id
     join addresses a on a.id = w.address_id`,
  );
  const addresses = new Map(rows.map(({ refid, address }) => [refid, String(address)]));
  return made.map((link) => ({ ...link, address: addresses.get(link.refid) ?? "", amount: "10" }));
}
