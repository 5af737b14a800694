import { createHmac, randomBytes } from "node:crypto";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { allocateAddress, PoolEmptyError, refuseAboveLimit } from "#lib/domain/wallets/allocate-address.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import type { LanguageCode } from "#lib/platform/languages/languages.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { insertLinkWallet } from "../store.ts";
import { paymentLinkWallets } from "../tables.ts";
import type { LinkRow, PaymentLinkSettings } from "../types.ts";
import { countOfVisitor, SITE_BYTES } from "../visitor-queries.ts";
import { isAtVisitorLimit, VISITOR_WINDOW_MS, visitorNetworks } from "../visitor-rules.ts";

/**
 * Allocates the link's one address for a token on a network and returns it in canonical form. `visitor` is the hash of the visitor
 * who selected the pair. It is null if the merchant did.
 */
export async function allocateLinkAddress(
  tx: Tx,
  { link }: LinkRow,
  request: {
    readonly adapter: NetworkAdapter;
    readonly token: TokenCode;
    readonly visitor: Buffer | null;
    readonly language?: LanguageCode | null;
  },
  now: Date,
): Promise<string> {
  const { adapter, token, visitor, language = null } = request;
  const owner = {
    merchantId: link.merchantId,
    purpose: "payment_link",
    customerId: link.customerId,
  } as const;
  const { id, address } = await allocateAddress(tx, adapter, owner);
  await insertLinkWallet(tx, {
    paymentLinkId: link.id,
    network: adapter.network,
    token,
    addressId: id,
    visitor,
    language,
    createdAt: now,
  });
  return address;
}

/** Runs a transaction that allocates link addresses. Where there is no address, it is rolled back and refused. */
export async function refuseWithoutAddress<T>(work: () => Promise<T>) {
  try {
    return await refuseAboveLimit(work);
  } catch (error) {
    if (error instanceof PoolEmptyError) return { ok: false, reason: "pool_empty" } as const;
    throw error;
  }
}

/** The key if none is configured: each process then counts its own visitors, until it ends. */
const PROCESS_KEY = randomBytes(32);

/** The key under which the database counts a visitor: it begins with that of its site. The IP address itself is never stored. */
export function hashVisitor({ visitorKey }: PaymentLinkSettings, ip: string): Buffer {
  const { visitor, site } = visitorNetworks(ip);
  const half = (text: string) =>
    createHmac("sha256", visitorKey ?? PROCESS_KEY)
      .update(text)
      .digest()
      .subarray(0, SITE_BYTES);
  return Buffer.concat([half(site), half(visitor)]);
}

/** True if the visitor or its site has allocated as many addresses as it may. Exact if the visitor is locked. */
export async function hasReachedVisitorLimit(db: Db | Tx, visitor: Buffer, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - VISITOR_WINDOW_MS);
  return isAtVisitorLimit(await countOfVisitor(db, paymentLinkWallets, visitor, since));
}
