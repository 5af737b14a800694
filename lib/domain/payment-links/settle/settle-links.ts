import { attentionSubject } from "#lib/domain/attention/rules.ts";
import { clearAttention, isolateFaults, setAside } from "#lib/domain/attention/set-aside.ts";
import type { SetAside } from "#lib/domain/attention/types.ts";
import { enqueueLinkMails } from "#lib/domain/mail/enqueue-mails.ts";
import type { LinkMailContext } from "#lib/domain/mail/types.ts";
import { emitEvents } from "#lib/domain/webhooks/emit-event.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { limitForLog, withLogContext } from "#lib/platform/log/log-context.ts";
import { isCurrencyCode } from "#lib/platform/money/currencies.ts";
import { fromStoredItems, itemTexts } from "../order-rules.ts";
import { listPaymentTotals, listTxHashes } from "../payment-queries.ts";
import { type LinkWalletRow, listLinkIdsByDeposit, listLinkWallets } from "../queries.ts";
import { listLinkRefunds } from "../refund-queries.ts";
import { isPaid, latePolicyOf, payTermsOf, timeToPayEnd } from "../rules.ts";
import {
  type AnnouncementChange,
  increaseVersions,
  type LinkChange,
  lockLinks,
  updateAnnouncements,
  updateLinks,
  updateNextCheck,
} from "../store.ts";
import type { LinkRow, LinkServices, PaymentTotal, Refund } from "../types.ts";
import { getSnapshots, groupByLink } from "../view/snapshot.ts";
import { composeEvents } from "./link-events.ts";
import { reportInvoices } from "./report-invoices.ts";
import { evaluateLink, type LinkEvaluation, type LinkFacts } from "./state-rules.ts";
import { valuePayments } from "./value-payments.ts";

interface SettleOptions {
  /** The caller has already changed something visible, so that the version of every link must increase. */
  readonly visible: boolean;
  readonly now: Date;
}

/** Links that are settled with one set of statements. */
const LINKS_AT_ONCE = 500;
/** An event is found by at most this many transactions of its link. */
const HASHES_PER_EVENT = 500;

/**
 * Settles every link that these deposits pay, in the transaction that recorded, confirmed or dropped the deposits: each
 * link once, however many of its deposits changed. Ignores deposits to other addresses. Locks the links in ascending
 * order. A link that cannot be settled is set aside: the sweep tries again. Returns those links for the log.
 */
export function settlePayments(
  tx: Tx,
  deps: LinkServices,
  depositIds: readonly number[],
  now: Date,
): Promise<readonly SetAside[]> {
  return settleConfirmed(tx, deps, { changed: depositIds, confirming: [] }, now);
}

/**
 * As settlePayments. The links that only have `confirming` deposits are not settled: these have more confirmations than
 * before but not enough. That changes no state. Pages are notified, because they show the confirmations.
 */
export async function settleConfirmed(
  tx: Tx,
  deps: LinkServices,
  deposits: { readonly changed: readonly number[]; readonly confirming: readonly number[] },
  now: Date,
): Promise<readonly SetAside[]> {
  const changed = new Set(await listLinkIdsByDeposit(tx, deposits.changed));
  const confirming = await listLinkIdsByDeposit(tx, deposits.confirming);
  const ids = [...new Set([...changed, ...confirming])].sort((a, b) => a - b);
  const setAsides: SetAside[] = [];
  for (let i = 0; i < ids.length; i += LINKS_AT_ONCE) {
    const part = ids.slice(i, i + LINKS_AT_ONCE);
    const links = await lockLinks(tx, part);
    const toSettle = links.filter(({ link }) => changed.has(link.id));
    const settle = (some: readonly LinkRow[]) =>
      tx.transaction((savepoint) => settleLinks(savepoint, deps, some, { visible: true, now }));
    await isolateFaults(toSettle, settle, async ({ link }, error) => {
      setAsides.push(await setLinkAside(tx, link, error, now));
    });
    await increaseVersions(
      tx,
      part.filter((id) => !changed.has(id)),
      now,
    );
  }
  return setAsides;
}

/** Sets a link aside that could not be settled. The sweep tries again when it is due. */
export async function setLinkAside(
  tx: Tx,
  { id, refid }: LinkRow["link"],
  error: unknown,
  now: Date,
): Promise<SetAside> {
  const aside = await setAside(tx, { subject: attentionSubject("link", refid) }, error, now);
  await updateNextCheck(tx, id, aside.retryAt);
  return aside;
}

/**
 * Settles locked links: values their payments, evaluates their state, stores the changes, emits the events and
 * notifies open pages. All of it is part of the caller's transaction.
 */
export async function settleLinks(
  tx: Tx,
  deps: LinkServices,
  links: readonly LinkRow[],
  options: SettleOptions,
): Promise<void> {
  if (links.length === 0) return;
  const refids = links.map(({ link }) => link.refid);
  const context = refids.length === 1 ? { refid: refids[0] } : { refids: limitForLog(refids) };
  await withLogContext(context, () => settleInContext(tx, deps, links, options));
}

async function settleInContext(
  tx: Tx,
  deps: LinkServices,
  links: readonly LinkRow[],
  { visible, now }: SettleOptions,
): Promise<void> {
  const ids = links.map(({ link }) => link.id);
  const wallets = groupByLink(await listLinkWallets(tx, ids));
  const valued = await valuePayments(tx, deps, links, now);
  const rows = links.map(({ link }) => link);
  const totalsById = groupByLink(await listPaymentTotals(tx, rows));
  const refunds = groupByLink(await listLinkRefunds(tx, ids));
  const settled = links.map((row) => {
    const { id, refid } = row.link;
    const totals = totalsById.get(id) ?? [];
    const given = { wallets: wallets.get(id) ?? [], refunds: refunds.get(id) ?? [] };
    const facts = collectFacts(row, given, totals, deps.settings.confirmGraceHours);
    const evaluation = withLogContext({ refid }, () => evaluateLink(row.link, facts, now));
    return { row, evaluation, totals, changes: findAnnouncementChanges(row, totals, evaluation) };
  });
  await updateAnnouncements(
    tx,
    settled.flatMap(({ changes }) => changes),
  );
  await updateLinks(
    tx,
    settled.map(({ row, evaluation, totals, changes }) => ({
      ...composeLinkChange(row, evaluation, visible || changes.length > 0 || valued.has(row.link.id), now),
      ...findPaidPair(row, evaluation, totals),
    })),
    now,
  );
  await clearAttention(
    tx,
    links.map(({ link }) => attentionSubject("link", link.refid)),
  );
  await reportInvoices(tx, deps, settled, now);
  const withEvents = settled.filter(({ evaluation }) => evaluation.events.length > 0);
  if (withEvents.length === 0) return;
  const announcedTotals = new Map(
    withEvents.map(({ row, totals, evaluation }) => [row.link.id, announceTotals(totals, evaluation)]),
  );
  const snapshots = await getSnapshots(tx, announcedTotals);
  const hashes = await listTxHashes(tx, [...announcedTotals.keys()], HASHES_PER_EVENT);
  const events = withEvents.flatMap(({ row: { link }, evaluation }) => {
    const snapshot = snapshots.get(link.id);
    const txHashes = hashes.get(link.id) ?? [];
    return snapshot === undefined ? [] : composeEvents(deps, { snapshot, txHashes }, evaluation, now);
  });
  await emitEvents(tx, events, now);
  if (deps.settings.sendsMail) await enqueueLinkMails(tx, events, mailContexts(withEvents, wallets), now);
}

/** The part of the mails that no event has, by refid. The language is that of the page when the newest network was chosen. */
function mailContexts(
  settled: readonly { readonly row: LinkRow }[],
  wallets: ReadonlyMap<number, readonly LinkWalletRow[]>,
): ReadonlyMap<string, LinkMailContext> {
  return new Map(
    settled.map(({ row: { link } }) => {
      const chosen = (wallets.get(link.id) ?? []).findLast(({ language }) => language !== null);
      const items = isCurrencyCode(link.currency)
        ? itemTexts(fromStoredItems(link.items), link.currency)
        : [];
      return [link.refid, { language: chosen?.language ?? null, description: link.description, items }];
    }),
  );
}

function collectFacts(
  row: LinkRow,
  { wallets, refunds }: { readonly wallets: readonly LinkWalletRow[]; readonly refunds: readonly Refund[] },
  totals: readonly PaymentTotal[],
  graceHours: number,
): LinkFacts {
  const { link } = row;
  return {
    payments: totals,
    refunds,
    passes: wallets.map(({ passStartedAt }) => passStartedAt),
    deadline: link.expiresAt,
    isCanceled: link.canceledAt !== null,
    graceHours,
    latePolicy: latePolicyOf(row),
    terms: payTermsOf(row),
  };
}

/** The totals whose announcement changes. Totals that differ only in token or quote are one change. */
function findAnnouncementChanges(
  { link }: LinkRow,
  totals: readonly PaymentTotal[],
  { announced, reportedLate }: LinkEvaluation,
): AnnouncementChange[] {
  const timeEnd = timeToPayEnd(link.expiresAt);
  const changes = new Map<string, AnnouncementChange>();
  for (const total of totals) {
    const to = announced.get(total.depositId);
    if (to === undefined) continue;
    const facts = {
      linkId: link.id,
      status: total.status,
      from: total.announced,
      fromLate: total.reportedLate,
      isValued: total.fullAmount !== null,
      isAfterEnd: total.firstSeenAt >= timeEnd,
    };
    changes.set(JSON.stringify(facts), { ...facts, timeEnd, to, toLate: reportedLate.has(total.depositId) });
  }
  return [...changes.values()];
}

/** The totals as updateAnnouncements stores them. */
function announceTotals(
  totals: readonly PaymentTotal[],
  { announced, reportedLate }: LinkEvaluation,
): PaymentTotal[] {
  return totals.map((total) => {
    const to = announced.get(total.depositId);
    return to === undefined
      ? total
      : { ...total, announced: to, reportedLate: reportedLate.has(total.depositId) };
  });
}

function composeLinkChange(
  { link }: LinkRow,
  evaluation: LinkEvaluation,
  visible: boolean,
  now: Date,
): Omit<LinkChange, "paidNetwork" | "paidToken"> {
  const { state, reason, late, seq, events, nextCheckAt } = evaluation;
  const completesNow = events.some(({ type }) => type.startsWith("payment_link_completed"));
  const hasChanged =
    state !== link.state || reason !== link.reason || late !== link.late || events.length > 0;
  return {
    id: link.id,
    state,
    reason,
    late,
    seq,
    nextCheckAt,
    completedAt: completesNow ? now : isPaid(state) ? link.completedAt : null,
    visible: visible || hasChanged,
  };
}

/** Network and token of the newest payment that was credited when the link completed. `totals` have the newest first. */
function findPaidPair(
  { link: { paidNetwork, paidToken } }: LinkRow,
  { state }: LinkEvaluation,
  totals: readonly PaymentTotal[],
): Pick<LinkChange, "paidNetwork" | "paidToken"> {
  if (!isPaid(state)) return { paidNetwork: null, paidToken: null };
  if (paidNetwork !== null) return { paidNetwork, paidToken };
  const credited = totals.find(({ status }) => status === "credited");
  return { paidNetwork: credited?.network ?? null, paidToken: credited?.token ?? null };
}
