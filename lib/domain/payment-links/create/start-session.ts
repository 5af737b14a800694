import { isSamePair, type PaymentPair } from "#lib/chains/networks.ts";
import { getAvailability } from "#lib/domain/settings/queries.ts";
import { type Db, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import type { LanguageCode } from "#lib/platform/languages/languages.ts";
import { refuseSelection } from "../availability-rules.ts";
import { findLink, listLinkWallets } from "../queries.ts";
import { estimateUsdCents } from "../quote-rules.ts";
import { hasFailed, isPaid } from "../rules.ts";
import { renewExpiredQuotes } from "../settle/renew-quotes.ts";
import { settleLinks } from "../settle/settle-links.ts";
import { lockLink, lockVisitor, updateUsdCents } from "../store.ts";
import type { LinkRow, LinkServices, PaymentLinkDeps } from "../types.ts";
import { createVisitorLines } from "../visitor-lines.ts";
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

const NOT_FOUND = { ok: false, reason: "not_found" } as const;
const OVER_LIMIT = { ok: false, reason: "too_many_addresses" } as const;

/** The selection of a visitor of a link's page. */
interface Selection {
  readonly pair: PaymentPair;
  /** IP address of the visitor. */
  readonly ip: string;
  /** Language of the page. Mails to the payer are in it. */
  readonly language?: LanguageCode;
}

/** A selection by a visitor, who is known by a hash. */
type KnownSelection = Pick<Selection, "pair" | "language"> & {
  readonly refid: string;
  readonly visitor: Buffer;
};

const linesOf = oncePerDatabase(createVisitorLines);

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
  const { db } = deps;
  const { pair, ip, language } = selection;
  // Before any lock: a flood of what allocates nothing waits for nothing and keeps no connection.
  const row = await findLink(db, refid);
  if (row === null) return NOT_FOUND;
  const known = await answerWithoutAddress(db, deps, { row, pair }, now);
  if (known !== null) return known;
  const visitor = hashVisitor(deps.settings, ip);
  if (await hasReachedVisitorLimit(db, visitor, now)) return OVER_LIMIT;
  const { merchantId, env } = row.link;
  const started = linesOf(db).run(visitor, `${env} ${merchantId}`, () =>
    refuseWithoutAddress(() =>
      db.transaction((tx) => startSessionIn(tx, deps, { refid, pair, visitor, language }, now)),
    ),
  );
  return (await started) ?? OVER_LIMIT;
}

async function startSessionIn(
  tx: Tx,
  deps: LinkServices,
  selection: KnownSelection,
  now: Date,
): Promise<SessionResult> {
  const { pair, visitor } = selection;
  const row = await lockLink(tx, selection.refid);
  if (row === null) return NOT_FOUND;
  const known = await answerWithoutAddress(tx, deps, { row, pair }, now);
  if (known !== null) return known;
  await lockVisitor(tx, visitor);
  if (await hasReachedVisitorLimit(tx, visitor, now)) return OVER_LIMIT;
  return selectPair(tx, deps, { ...selection, row }, now);
}

/** The answer if the pair is selected already or cannot be selected, else null. Exact if the link is locked. */
async function answerWithoutAddress(
  db: Db | Tx,
  deps: LinkServices,
  { row, pair }: { readonly row: LinkRow; readonly pair: PaymentPair },
  now: Date,
): Promise<SessionResult | null> {
  const { state, expiresAt, id, env } = row.link;
  if (isPaid(state) || hasFailed(state) || now >= expiresAt) return { ok: false, reason: "ended" };
  const wallets = await listLinkWallets(db, [id]);
  if (wallets.some((wallet) => isSamePair(wallet, pair))) return { ok: true };
  const availability = await getAvailability(db, env);
  const reason = refuseSelection(deps, { ...row, availability }, pair, now);
  return reason && { ok: false, reason };
}

async function selectPair(
  tx: Tx,
  deps: LinkServices,
  { row, pair, visitor, language }: KnownSelection & { readonly row: LinkRow },
  now: Date,
): Promise<SessionResult> {
  const { link } = row;
  const adapter = deps.networks.find(link.env, pair.network);
  if (!adapter) return { ok: false, reason: "not_offered" };
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
