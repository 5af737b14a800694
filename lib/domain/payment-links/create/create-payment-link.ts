import type { Env } from "#lib/chains/network-data.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import { getAvailability } from "#lib/domain/settings/queries.ts";
import type { Availability } from "#lib/domain/settings/types.ts";
import { type Db, inTransaction, type Tx } from "#lib/platform/db/connection.ts";
import { ZERO } from "#lib/platform/money/fraction.ts";
import { draftQuote } from "../draft-quote.ts";
import { estimateUsdCents, type RateTerms } from "../quote-rules.ts";
import { newRefid } from "../refid.ts";
import { insertQuotes, type LinkRow, type LinkWalletRow } from "../store.ts";
import type { NewPaymentLink, PaymentLinkDeps, PaymentLinkView } from "../types.ts";
import { ADAPTER_PAIRS, composeView, receivability } from "../view/compose-view.ts";
import type { LinkSnapshot } from "../view/snapshot.ts";
import { allocateLinkAddress } from "./allocate-address.ts";
import { insertLink } from "./new-link-store.ts";

const DEFAULT_LIFE_MS = 2 * 3_600_000;

export type CreateLinkRefusal = "amount_below_minimum" | "network_unavailable";

/** `expires_at` is shown without milliseconds: the deadline is the whole second at or after the time asked for. */
function deadline(input: NewPaymentLink, now: Date): Date {
  const asked = input.expiresAt?.getTime() ?? now.getTime() + DEFAULT_LIFE_MS;
  return new Date(Math.ceil(asked / 1_000) * 1_000);
}

/** Asks of the wallets wanted that each can take the amount; of a link without any, that some network may. */
function refusal(
  deps: PaymentLinkDeps,
  openings: Availability,
  terms: RateTerms,
  env: Env,
  input: NewPaymentLink,
  now: Date,
): CreateLinkRefusal | null {
  const pairs = input.wallets.length > 0 ? input.wallets : ADAPTER_PAIRS;
  const link = { env, amount: input.amount, currency: input.currency };
  const found = pairs.map((pair) => receivability(deps, openings, terms, link, pair, now));
  if (input.wallets.length > 0) {
    if (found.includes("off")) return "network_unavailable";
    return found.includes("too_small") ? "amount_below_minimum" : null;
  }
  const on = found.filter((answer) => answer !== "off");
  return on.length > 0 && on.every((answer) => answer === "too_small") ? "amount_below_minimum" : null;
}

/**
 * The addresses asked for, with their quotes; in the order of networks of docs/service-interface.md, so that no two
 * creations lock crosswise.
 */
async function preGenerate(
  tx: Tx,
  deps: PaymentLinkDeps,
  row: LinkRow,
  input: NewPaymentLink,
  now: Date,
): Promise<Pick<LinkSnapshot, "wallets" | "quotes">> {
  const wanted = ADAPTER_PAIRS.filter((pair) =>
    input.wallets.some(({ network }) => network === pair.network),
  );
  // Before the addresses: until the end, others wait for the account key of each.
  const drafts = wanted.flatMap((pair) => draftQuote(deps, row, pair, ZERO, now) ?? []);
  const quotes = await insertQuotes(tx, drafts);
  const wallets: LinkWalletRow[] = [];
  for (const { network, token } of wanted) {
    const adapter = deps.networks.find(row.link.env, network);
    if (!adapter) throw new Error(`network ${network} went off while a link was created`);
    const { address } = await allocateLinkAddress(tx, row, adapter, token, null, now);
    wallets.push({
      linkId: row.link.id,
      network,
      token,
      createdAt: now,
      address,
      passStartedAt: null,
      watchError: null,
    });
  }
  return { wallets, quotes };
}

/**
 * Stores a new link, with its addresses and quotes where wallets are asked for: in the transaction that `db` is, else
 * whole by itself. A refusal writes nothing.
 */
export async function createPaymentLink(
  db: Db | Tx,
  deps: PaymentLinkDeps,
  owner: { readonly merchant: Merchant; readonly env: Env },
  input: NewPaymentLink,
  now: Date,
): Promise<{ ok: true; link: PaymentLinkView } | { ok: false; reason: CreateLinkRefusal }> {
  const { merchant, env } = owner;
  const openings = await getAvailability(db, env);
  const reason = refusal(deps, openings, merchant, env, input, now);
  if (reason) return { ok: false, reason };

  const { amount, currency, customer, wallets } = input;
  const expiresAt = deadline(input, now);
  const fresh = {
    ...{ refid: newRefid(), merchantId: merchant.id, env, amount, currency },
    customerEmail: customer.email,
    customerFirstName: customer.firstName,
    customerLastName: customer.lastName,
    customerPhone: customer.phone,
    paymentReference: input.paymentReference,
    usdCents: estimateUsdCents(deps.rates, amount, currency, now),
    successUrl: input.successUrl,
    cancelUrl: input.cancelUrl,
    metadata: input.metadata,
    walletPreGenerated: wallets.length > 0,
    state: wallets.length > 0 ? "awaiting" : "open",
    ...{ expiresAt, nextCheckAt: expiresAt, createdAt: now, updatedAt: now },
  };
  const made = (row: LinkRow, picked: Pick<LinkSnapshot, "wallets" | "quotes">) =>
    composeView({ ...row, ...picked, availability: openings, payments: [], totals: [] }, deps, now);
  if (wallets.length === 0) {
    const link = await insertLink(db, fresh);
    return { ok: true, link: made({ link, merchant }, { wallets: [], quotes: [] }) };
  }
  return inTransaction(db, async (tx) => {
    const row = { link: await insertLink(tx, fresh), merchant };
    return { ok: true, link: made(row, await preGenerate(tx, deps, row, input, now)) };
  });
}
