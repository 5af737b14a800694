import { emitEvents } from "#lib/domain/webhooks/emit-event.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { limitForLog, withLogContext } from "#lib/platform/log/log-context.ts";
import {
  type LinkWalletRow,
  listLinkIdsByDeposit,
  listLinkPayments,
  listLinkWallets,
  type PaymentRow,
} from "../queries.ts";
import { isPaid } from "../rules.ts";
import { type LinkChange, lockLinks, type PaymentChange, updateLinks, upsertPayments } from "../store.ts";
import type { LinkRow, PaymentLinkDeps } from "../types.ts";
import { valuedPayment } from "../valuation-rules.ts";
import { getSnapshots, groupByLink } from "../view/snapshot.ts";
import { composeEvents } from "./link-events.ts";
import { evaluateLink, type LinkEvaluation, type LinkFacts } from "./state-rules.ts";
import { type ValuedRow, valuePayments } from "./value-payments.ts";

interface SettleOptions {
  /** The caller has already changed something visible, so that the version of every link must increase. */
  readonly visible: boolean;
  readonly now: Date;
}

/** Links that are settled with one set of statements. */
const LINKS_AT_ONCE = 500;

/**
 * Settles every link that these deposits pay, in the transaction that recorded, confirmed or dropped the deposits: each
 * link once, however many of its deposits changed. Ignores deposits to other addresses. Locks the links in ascending
 * order.
 */
export async function settlePayments(
  tx: Tx,
  deps: PaymentLinkDeps,
  depositIds: readonly number[],
  now: Date,
): Promise<void> {
  const ids = await listLinkIdsByDeposit(tx, depositIds);
  for (let i = 0; i < ids.length; i += LINKS_AT_ONCE) {
    const links = await lockLinks(tx, ids.slice(i, i + LINKS_AT_ONCE));
    await settleLinks(tx, deps, links, { visible: true, now });
  }
}

/**
 * Settles locked links: values their payments, evaluates their state, stores the changes, emits the events and
 * notifies open pages. All of it is part of the caller's transaction.
 */
export async function settleLinks(
  tx: Tx,
  deps: PaymentLinkDeps,
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
  deps: PaymentLinkDeps,
  links: readonly LinkRow[],
  { visible, now }: SettleOptions,
): Promise<void> {
  const ids = links.map(({ link }) => link.id);
  const wallets = await listLinkWallets(tx, ids);
  const stored = await listLinkPayments(tx, ids);
  const valued = await valuePayments(tx, deps, { links, wallets, payments: stored }, now);
  const walletsById = groupByLink(wallets);
  const storedById = groupByLink(stored);
  const valuedById = groupByLink(valued);
  const settled = links.map((row) => {
    const { id, refid } = row.link;
    const payments = valuedById.get(id) ?? [];
    const facts = collectFacts(row, walletsById.get(id) ?? [], payments, deps.settings.confirmGraceHours);
    const evaluation = withLogContext({ refid }, () => evaluateLink(row.link, facts, now));
    return { row, evaluation, changes: findPaymentChanges(storedById.get(id) ?? [], payments, evaluation) };
  });
  await upsertPayments(
    tx,
    settled.flatMap(({ changes }) => changes),
  );
  await updateLinks(
    tx,
    settled.map(({ row, evaluation, changes }) =>
      composeLinkChange(row, evaluation, visible || changes.length > 0, now),
    ),
    now,
  );
  const withEvents = settled.filter(({ evaluation }) => evaluation.events.length > 0);
  const snapshots = await getSnapshots(
    tx,
    withEvents.map(({ row }) => row.link.id),
  );
  const events = withEvents.flatMap(({ row, evaluation }) => {
    const snapshot = snapshots.get(row.link.id);
    return snapshot === undefined ? [] : composeEvents(deps, snapshot, evaluation, now);
  });
  await emitEvents(tx, events, now);
}

function collectFacts(
  { link, merchant }: LinkRow,
  wallets: readonly LinkWalletRow[],
  payments: readonly ValuedRow[],
  graceHours: number,
): LinkFacts {
  return {
    payments: payments.map((payment) => ({
      depositId: payment.depositId,
      valued: valuedPayment(payment),
      belowMinimum: payment.amount < payment.minimumReceive,
      firstSeenAt: payment.firstSeenAt,
      reportedLate: payment.reportedLate,
      status: payment.status,
      announced: payment.announced,
    })),
    passes: wallets.map(({ passStartedAt }) => passStartedAt),
    deadline: link.expiresAt,
    graceHours,
    latePolicy: merchant.latePolicy,
    tolerance: { underBps: merchant.toleranceUnderBps, overBps: merchant.toleranceOverBps },
  };
}

/** The payments whose row is missing or outdated. */
function findPaymentChanges(
  stored: readonly PaymentRow[],
  valued: readonly ValuedRow[],
  evaluation: LinkEvaluation,
): PaymentChange[] {
  const storedQuotes = new Map(stored.map(({ depositId, quoteId }) => [depositId, quoteId]));
  return valued
    .filter(
      ({ depositId, quoteId, recorded }) =>
        !recorded || storedQuotes.get(depositId) !== quoteId || evaluation.announced.has(depositId),
    )
    .map(({ depositId, linkId, quoteId, announced, minimumReceive }) => {
      const changed = evaluation.announced.get(depositId);
      return {
        depositId,
        paymentLinkId: linkId,
        quoteId,
        announced: changed === undefined ? announced : changed,
        late: evaluation.reportedLate.has(depositId),
        minimumReceive,
      };
    });
}

function composeLinkChange(
  { link }: LinkRow,
  evaluation: LinkEvaluation,
  visible: boolean,
  now: Date,
): LinkChange {
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
