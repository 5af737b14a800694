import { createHmac, randomBytes } from "node:crypto";
import { getAvailability } from "#lib/domain/settings/queries.ts";
import type { Availability } from "#lib/domain/settings/types.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { estimateUsdCents } from "../quote-rules.ts";
import { renewExpiredQuotes } from "../settle/renew-quotes.ts";
import { settleLinks } from "../settle/settle-links.ts";
import { type LinkRow, listLinkWallets, lockAndCountVisits, lockLink, updateUsdCents } from "../store.ts";
import type { NetworkToken, PaymentLinkDeps } from "../types.ts";
import { acceptsPayment, parseCurrency, receivability } from "../view/compose-view.ts";
import { VISITOR_LIMIT, VISITOR_WINDOW_MS, visitorNetwork } from "../visitor-rules.ts";
import { allocateLinkAddress } from "./allocate-address.ts";

export type SessionRefusal = "not_found" | "ended" | "not_offered" | "no_rate" | "too_many_addresses";

/** Without a configured key what one process counts is of no use to another, nor after it. */
const OWN_KEY = randomBytes(32);

/** What stands for a visitor in the database: never the address itself. */
function visitorHash(deps: PaymentLinkDeps, ip: string): Buffer {
  const key = deps.settings.visitorKey ?? OWN_KEY;
  return createHmac("sha256", key).update(visitorNetwork(ip)).digest();
}

function refusal(
  deps: PaymentLinkDeps,
  openings: Availability,
  row: LinkRow,
  pair: NetworkToken,
  now: Date,
): SessionRefusal | null {
  const { link, merchant } = row;
  // What was seen already pays the whole: another address would only invite paying twice.
  if (!acceptsPayment(link, now)) return "not_offered";
  const terms = { ...link, currency: parseCurrency(link.currency) };
  const answer = receivability(deps, openings, merchant, terms, pair, now);
  if (answer === "no_rate") return "no_rate";
  return answer === "receivable" ? null : "not_offered";
}

async function pick(
  tx: Tx,
  deps: PaymentLinkDeps,
  row: LinkRow,
  pair: NetworkToken,
  ip: string,
  now: Date,
): Promise<{ ok: true } | { ok: false; reason: SessionRefusal }> {
  const { link } = row;
  const reason = refusal(deps, await getAvailability(tx, link.env), row, pair, now);
  if (reason) return { ok: false, reason };
  const adapter = deps.networks.find(link.env, pair.network);
  if (!adapter) return { ok: false, reason: "not_offered" };
  const visitor = visitorHash(deps, ip);
  const visits = await lockAndCountVisits(tx, visitor, new Date(now.getTime() - VISITOR_WINDOW_MS));
  if (visits >= VISITOR_LIMIT) return { ok: false, reason: "too_many_addresses" };
  if (link.usdCents === null) {
    const cents = estimateUsdCents(deps.rates, link.amount, parseCurrency(link.currency), now);
    if (cents !== null) await updateUsdCents(tx, link.id, cents);
  }
  await allocateLinkAddress(tx, row, adapter, pair.token, visitor, now);
  await renewExpiredQuotes(tx, deps, row, now);
  await settleLinks(tx, deps, [row], { touched: true }, now);
  return { ok: true };
}

/**
 * Gives the link its address on the network that a customer picked, with a quote. Picking it again, at once or from
 * twenty windows, changes nothing: a link has one address per network.
 */
export async function startSession(
  deps: PaymentLinkDeps,
  refid: string,
  pair: NetworkToken,
  visitor: { readonly ip: string },
  now: Date,
): Promise<{ ok: true } | { ok: false; reason: SessionRefusal }> {
  return deps.db.transaction(async (tx) => {
    const row = await lockLink(tx, refid);
    if (!row) return { ok: false, reason: "not_found" };
    const { state, expiresAt, id } = row.link;
    const open = state === "open" || state === "awaiting" || state === "partial" || state === "detected";
    if (!open || now >= expiresAt) return { ok: false, reason: "ended" };
    const wallets = await listLinkWallets(tx, [id]);
    const picked = wallets.find(({ network }) => network === pair.network);
    if (picked) return picked.token === pair.token ? { ok: true } : { ok: false, reason: "not_offered" };
    return pick(tx, deps, row, pair, visitor.ip, now);
  });
}
