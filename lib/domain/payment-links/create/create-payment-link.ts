import type { Env } from "#lib/chains/network-data.ts";
import { LINK_PAIRS, NETWORKS, type PaymentPair, pairCode } from "#lib/chains/networks.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import { getAvailability, recallAvailability } from "#lib/domain/settings/queries.ts";
import { getMinimumAmount } from "#lib/domain/settings/rules.ts";
import type { Availability } from "#lib/domain/settings/types.ts";
import { type Db, isTransaction, joinTransaction, type Tx } from "#lib/platform/db/connection.ts";
import { ZERO } from "#lib/platform/money/fraction.ts";
import { type CreateLinkRefusal, refuseNewLink } from "../availability-rules.ts";
import { toStoredItems } from "../order-rules.ts";
import type { LinkWalletRow } from "../queries.ts";
import { createQuoteRates, draftQuote, estimateUsdCents } from "../quote-rules.ts";
import { newRefid } from "../refid.ts";
import { DEFAULT_LIFETIME_MS, roundUpToSecond, timeToPayEnd } from "../rules.ts";
import { reportNewInvoice } from "../settle/report-invoices.ts";
import { insertQuotes } from "../store.ts";
import type { LinkRow, LinkServices, NewPaymentLink } from "../types.ts";
import type { LinkSnapshot } from "../view/snapshot.ts";
import { allocateLinkAddress, refuseWithoutAddress } from "./allocate-address.ts";
import { insertLink, insertPlainLink, type NewLinkRow } from "./new-link-store.ts";

type Wallets = Pick<LinkSnapshot, "wallets" | "quotes">;
const NO_WALLETS: Wallets = { wallets: [], quotes: [] };
const NOTHING_PAID = { payments: [], totals: [], refunds: [], astray: [] };

/**
 * Creates a link and returns its stored state: callers compose what they show. If `input` has wallets, allocates their addresses and creates
 * their quotes. Runs in the transaction `db`, or in one of its own. A refusal writes nothing, or the caller rolls its transaction back.
 */
export async function createPaymentLink(
  db: Db | Tx,
  deps: LinkServices,
  request: {
    readonly owner: { readonly merchant: Merchant; readonly env: Env };
    readonly input: NewPaymentLink;
  },
  now: Date,
): Promise<
  | ({ ok: true } & LinkSnapshot)
  | { ok: false; reason: CreateLinkRefusal | "address_limit_reached" | "pool_empty" }
> {
  const { owner, input } = request;
  const { merchant, env } = owner;
  const { networks, rates } = deps;
  const link = { env, amount: input.amount, currency: input.currency };
  const findRate = createQuoteRates(rates, merchant, link.currency, now);
  const refuse = (availability: Availability) =>
    refuseNewLink({ networks, availability, merchant, link, findRate }, input);
  const newLink = composeNewLink(owner, input, deps, now);
  const compose = (row: LinkRow, availability: Availability, wallets: Wallets) =>
    ({ ok: true, ...row, ...wallets, availability, ...NOTHING_PAID }) as const;
  // Without wallets a link needs no transaction, if no shop hears of it and what can be received has not changed.
  if (input.wallets.length === 0 && !isTransaction(db)) {
    const { availability, digest } = await recallAvailability(db, env);
    const link = refuse(availability) === null ? await insertPlainLink(db, newLink, digest) : null;
    if (link !== null) return compose({ link, merchant }, availability, NO_WALLETS);
  }
  const availability = await getAvailability(db, env);
  const reason = refuse(availability);
  if (reason) return { ok: false, reason };
  return refuseWithoutAddress(() =>
    joinTransaction(db, async (tx) => {
      const { link, isInvoice } = await insertLink(tx, newLink);
      const row = { link, merchant };
      if (isInvoice) await reportNewInvoice(tx, row, now);
      const request = { row, availability, requested: input.wallets };
      return compose(row, availability, await allocateWallets(tx, deps, request, now));
    }),
  );
}

function composeNewLink(
  { merchant, env }: { readonly merchant: Merchant; readonly env: Env },
  input: NewPaymentLink,
  { rates, settings }: LinkServices,
  now: Date,
): NewLinkRow {
  const { amount, currency, customer, wallets } = input;
  const expiresAt = roundUpToSecond(input.expiresAt?.getTime() ?? now.getTime() + DEFAULT_LIFETIME_MS);
  const refid = input.refid ?? newRefid();
  const ownPage = `${settings.paymentUrl}/${refid}`;
  return {
    refid,
    merchantId: merchant.id,
    env,
    amount,
    currency,
    customerEmail: customer.email,
    customerFirstName: customer.firstName,
    customerLastName: customer.lastName,
    customerPhone: customer.phone,
    paymentReference: input.paymentReference,
    usdCents: estimateUsdCents(rates, amount, currency, now),
    successUrl: input.successUrl ?? ownPage,
    cancelUrl: input.cancelUrl ?? ownPage,
    metadata: input.metadata,
    description: input.description ?? null,
    items: toStoredItems(input.items ?? []),
    language: input.language ?? null,
    pairs: input.pairs?.map(pairCode) ?? null,
    formId: input.form?.id ?? null,
    formQuantity: input.form?.quantity ?? null,
    posDeviceId: input.form?.deviceId ?? null,
    walletPreGenerated: wallets.length > 0,
    state: wallets.length > 0 ? "awaiting" : "open",
    expiresAt,
    nextCheckAt: timeToPayEnd(expiresAt),
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * The order of LINK_PAIRS, in which networks that can share an account key have one place: two transactions that lock in
 * the same order cannot deadlock.
 */
function inLockOrder(pairs: readonly PaymentPair[]): PaymentPair[] {
  const place = ({ network }: PaymentPair) =>
    LINK_PAIRS.findIndex((pair) => NETWORKS[pair.network].accountPath === NETWORKS[network].accountPath);
  return pairs.toSorted((a, b) => place(a) - place(b));
}

async function allocateWallets(
  tx: Tx,
  deps: LinkServices,
  request: {
    readonly row: LinkRow;
    readonly availability: Availability;
    readonly requested: readonly PaymentPair[];
  },
  now: Date,
): Promise<Wallets> {
  const { row, availability, requested } = request;
  const pairs = inLockOrder(requested);
  // Before the addresses: an allocation locks the network's account key until the transaction ends.
  const drafts = pairs.flatMap((pair) => {
    const minimumReceive = getMinimumAmount(availability, pair.token);
    return draftQuote(deps, row, pair, { paidShare: ZERO, minimumReceive, now }) ?? [];
  });
  const quotes = await insertQuotes(tx, drafts);
  const wallets: LinkWalletRow[] = [];
  for (const { network, token } of pairs) {
    const adapter = deps.networks.find(row.link.env, network);
    if (!adapter) throw new Error(`Network ${network} was switched off while a payment link was created.`);
    const address = await allocateLinkAddress(tx, row, { adapter, token, visitor: null }, now);
    wallets.push({
      linkId: row.link.id,
      network,
      token,
      createdAt: now,
      language: null,
      address,
      passStartedAt: null,
      watchError: null,
      mempoolError: null,
      finalityLate: null,
    });
  }
  return { wallets, quotes };
}
