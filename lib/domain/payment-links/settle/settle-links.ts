import { emitEvents } from "#lib/domain/webhooks/emit-event.ts";
import type { NewEvent } from "#lib/domain/webhooks/types.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { limitForLog, withLogContext } from "#lib/platform/log/log-context.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import {
  type LinkChange,
  type LinkRow,
  type LinkWalletRow,
  listLinkPayments,
  listLinkWallets,
  type PaymentChange,
  type PaymentRow,
  updateLinks,
  upsertPayments,
} from "../store.ts";
import type { LinkReason, LinkState, PaymentLinkDeps } from "../types.ts";
import { composeView } from "../view/compose-view.ts";
import { getSnapshots, groupByLink, type LinkSnapshot } from "../view/snapshot.ts";
import { composeEventData, creditedTotals } from "./link-events.ts";
import { evaluateLink, isPaid, type LinkEvaluation, type LinkFacts } from "./state-rules.ts";
import { valuedPayment, valuePayments } from "./value-payments.ts";

function factsOf(
  { link, merchant }: LinkRow,
  wallets: readonly LinkWalletRow[],
  payments: readonly PaymentRow[],
  graceHours: number,
): LinkFacts {
  return {
    payments: payments.map((payment) => ({
      depositId: payment.depositId,
      valued: valuedPayment(payment),
      belowMinimum: payment.amount < TOKENS[payment.token].minimumReceive,
      firstSeenAt: payment.firstSeenAt,
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

/** The payments whose row is missing or no longer true. */
function paymentChanges(
  before: readonly PaymentRow[],
  after: readonly PaymentRow[],
  verdict: LinkEvaluation,
): PaymentChange[] {
  const quotedBefore = new Map(before.map(({ depositId, quoteId }) => [depositId, quoteId]));
  return after
    .filter(
      ({ depositId, quoteId, recorded }) =>
        !recorded || quotedBefore.get(depositId) !== quoteId || verdict.announced.has(depositId),
    )
    .map(({ depositId, linkId, quoteId, announced }) => {
      const word = verdict.announced.get(depositId);
      return { depositId, paymentLinkId: linkId, quoteId, announced: word === undefined ? announced : word };
    });
}

function linkChange({ link }: LinkRow, verdict: LinkEvaluation, visible: boolean, now: Date): LinkChange {
  const { state, reason, late, seq, events, nextCheckAt } = verdict;
  const completedNow = events.some(({ type }) => type.startsWith("payment_link_completed"));
  const moved = state !== link.state || reason !== link.reason || late !== link.late || events.length > 0;
  return {
    id: link.id,
    ...{ state, reason, late, seq, nextCheckAt },
    completedAt: completedNow ? now : isPaid(state) ? link.completedAt : null,
    visible: visible || moved,
  };
}

function eventsOf(
  deps: PaymentLinkDeps,
  snapshot: LinkSnapshot,
  verdict: LinkEvaluation,
  now: Date,
): NewEvent[] {
  const view = composeView(snapshot, deps, now);
  const received = creditedTotals(snapshot.totals);
  const { merchantId, env } = snapshot.link;
  return verdict.events.map(({ type, seq }) => ({
    merchantId,
    env,
    type,
    ...composeEventData(view, received, seq),
  }));
}

/**
 * Takes locked links to where the facts of the database put them: values payments, steps the state, stores what
 * changed, emits the events, tells the watchers. All of it in the caller's transaction, or nothing.
 * `touched`: the caller changed something visible already, so that every version grows.
 */
export async function settleLinks(
  tx: Tx,
  deps: PaymentLinkDeps,
  links: readonly LinkRow[],
  options: { readonly touched: boolean },
  now: Date,
): Promise<void> {
  if (links.length === 0) return;
  const refids = links.map(({ link }) => link.refid);
  const named = refids.length === 1 ? { refid: refids[0] } : { refids: limitForLog(refids) };
  await withLogContext(named, () => settle(tx, deps, links, options, now));
}

async function settle(...[tx, deps, links, options, now]: Parameters<typeof settleLinks>): Promise<void> {
  const ids = links.map(({ link }) => link.id);
  const wallets = await listLinkWallets(tx, ids);
  const before = await listLinkPayments(tx, ids);
  const after = await valuePayments(tx, deps, links, wallets, before, now);
  const [walletsOf, beforeOf, afterOf] = [groupByLink(wallets), groupByLink(before), groupByLink(after)];
  const settled = links.map((row) => {
    const { id, state, reason, late, seq } = row.link;
    const payments = afterOf.get(id) ?? [];
    const previous = { state: state as LinkState, reason: reason as LinkReason | null, late, seq };
    const facts = factsOf(row, walletsOf.get(id) ?? [], payments, deps.settings.confirmGraceHours);
    const verdict = withLogContext({ refid: row.link.refid }, () => evaluateLink(previous, facts, now));
    return { row, verdict, changes: paymentChanges(beforeOf.get(id) ?? [], payments, verdict) };
  });
  await upsertPayments(
    tx,
    settled.flatMap(({ changes }) => changes),
  );
  await updateLinks(
    tx,
    settled.map(({ row, verdict, changes }) =>
      linkChange(row, verdict, options.touched || changes.length > 0, now),
    ),
    now,
  );
  const telling = settled.filter(({ verdict }) => verdict.events.length > 0);
  const snapshots = await getSnapshots(
    tx,
    telling.map(({ row }) => row.link.id),
  );
  const events = telling.flatMap(({ row, verdict }) => {
    const snapshot = snapshots.get(row.link.id);
    return snapshot === undefined ? [] : eventsOf(deps, snapshot, verdict, now);
  });
  await emitEvents(tx, events, now);
}
