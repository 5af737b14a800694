import { isSamePair, type PaymentPair } from "#lib/chains/networks.ts";
import { getAvailability } from "#lib/domain/settings/queries.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import type { LanguageCode } from "#lib/platform/languages/languages.ts";
import { refuseSelection } from "../availability-rules.ts";
import { listLinkWallets } from "../queries.ts";
import { estimateUsdCents } from "../quote-rules.ts";
import { hasFailed, isPaid } from "../rules.ts";
import { renewExpiredQuotes } from "../settle/renew-quotes.ts";
import { settleLinks } from "../settle/settle-links.ts";
import { lockLink, updateUsdCents } from "../store.ts";
import type { LinkRow, LinkServices, PaymentLinkDeps } from "../types.ts";
import {
  allocateLinkAddress,
  hashVisitor,
  hasReachedVisitorLimit,
  refuseWithoutAddress,
} from "./allocate-address.ts";

type SessionRefusal =
  | "not_found"
  | "ended"
  | "not_offered"
  | "no_rate"
  | "too_many_addresses"
  | "address_limit_reached"
  | "pool_empty";
type SessionResult = { ok: true } | { ok: false; reason: SessionRefusal };

/** The selection of a visitor of a link's page. */
interface Selection {
  readonly pair: PaymentPair;
  /** IP address of the visitor. */
  readonly ip: string;
  /** Language of the page. Mails to the payer are in it. */
  readonly language?: LanguageCode;
}

/**
 * Allocates the link's address for the pair that a customer selects, and creates a quote. Idempotent: a link has one
 * address per pair, also if twenty windows select it at the same time.
 */
export async function startSession(
  deps: PaymentLinkDeps,
  refid: string,
  selection: Selection,
  now: Date,
): Promise<SessionResult> {
  return refuseWithoutAddress(() =>
    deps.db.transaction((tx) => startSessionIn(tx, deps, { ...selection, refid }, now)),
  );
}

async function startSessionIn(
  tx: Tx,
  deps: LinkServices,
  { refid, ...selection }: Selection & { readonly refid: string },
  now: Date,
): Promise<SessionResult> {
  const { pair } = selection;
  const row = await lockLink(tx, refid);
  if (!row) return { ok: false, reason: "not_found" };
  const { state, expiresAt, id } = row.link;
  if (isPaid(state) || hasFailed(state) || now >= expiresAt) return { ok: false, reason: "ended" };
  const wallets = await listLinkWallets(tx, [id]);
  if (wallets.some((wallet) => isSamePair(wallet, pair))) return { ok: true };
  return selectPair(tx, deps, { ...selection, row }, now);
}

async function selectPair(
  tx: Tx,
  deps: LinkServices,
  { row, pair, ip, language }: Selection & { readonly row: LinkRow },
  now: Date,
): Promise<SessionResult> {
  const { link } = row;
  const availability = await getAvailability(tx, link.env);
  const reason = refuseSelection(deps, { ...row, availability }, pair, now);
  if (reason) return { ok: false, reason };
  const adapter = deps.networks.find(link.env, pair.network);
  if (!adapter) return { ok: false, reason: "not_offered" };
  const visitor = hashVisitor(deps.settings, ip);
  if (await hasReachedVisitorLimit(tx, visitor, now)) return { ok: false, reason: "too_many_addresses" };
  if (link.usdCents === null) {
    const cents = estimateUsdCents(deps.rates, link.amount, link.currency, now);
    if (cents !== null) await updateUsdCents(tx, link.id, cents);
  }
  await allocateLinkAddress(
    tx,
    row,
    { adapter, token: pair.token, visitor, language: language ?? null },
    now,
  );
  await renewExpiredQuotes(tx, deps, row, now);
  await settleLinks(tx, deps, [row], { visible: true, now });
  return { ok: true };
}
