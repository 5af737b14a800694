import type { Logger } from "pino";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { listByRefids, listGivenApprovals, listPayable } from "#lib/domain/withdrawals/queries.ts";
import type { GivenApprovals, WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { Alarms } from "./alarms.ts";
import { checkApprovals } from "./approvals.ts";
import type { ChainSigner, Draft } from "./chain-signer.ts";
import { payoutState } from "./entry-rules.ts";
import type { Journal } from "./journal.ts";
import type { LostPayouts } from "./lost-payouts.ts";
import { openSignedDay, policyName, policyRefusal, type SignedDay } from "./policy-rules.ts";
import { situationOf } from "./situation.ts";
import { toPayout } from "./to-payout.ts";
import type { Turns } from "./turns.ts";
import type { HoldReason, JournalEntry, Payout, Policy } from "./types.ts";

const PAGE_SIZE = 100;

/** A withdrawal that may be paid now, and what it moves. */
export interface Candidate {
  readonly id: number;
  readonly payout: Payout;
}

/** The knowledge of one step about the chain. */
export interface Step {
  /** Own transactions in no block. */
  waiting: readonly JournalEntry[];
  /** The transactions of a former account in no block. */
  readonly former: readonly JournalEntry[];
  readonly headTime: Date;
}

export interface Selection {
  readonly db: Db;
  readonly adapter: NetworkAdapter;
  readonly chain: ChainSigner;
  readonly journal: Journal;
  readonly policy: () => Policy;
  readonly log: Logger;
  readonly now: () => Date;
  /** Returns this step's knowledge about the chain. The first call asks nodes. */
  readonly getStep: () => Promise<Step>;
  /** Signs, stores and broadcasts. A text: why nothing is paid. */
  readonly sign: (draft: Draft, rows: readonly Candidate[]) => Promise<JournalEntry | HoldReason>;
  /** Stores a signed transaction with its withdrawals again. false: one of them is not what was signed. */
  readonly restore: (entry: JournalEntry) => Promise<boolean>;
  /** Withdrawals that are processing, and whose every transaction is dead. A paid or ended withdrawal is removed. */
  readonly again: Set<string>;
  readonly turns: Turns;
  readonly alarms: Alarms;
  readonly lost: LostPayouts;
  readonly hold: (refid: string, reason: HoldReason) => void;
  readonly held: Map<string, HoldReason>;
}

/**
 * Pays what may be paid, the oldest first. No node is asked about a withdrawal that the policy refuses, so that no number of withdrawals
 * that wait costs the others their turns.
 */
export async function selectPayouts(deps: Selection): Promise<void> {
  const { chain, held } = deps;
  const limits = openLimits(deps);
  const pending = new Set<string>();
  let group: Candidate[] = [];
  const flush = async () => {
    const chosen = group;
    group = [];
    return chosen.length === 0 || (await payGroup(deps, chosen, limits.day));
  };
  for await (const page of listPages(deps)) {
    const approvals = await listGivenApprovals(
      deps.db,
      page.map(({ id }) => id),
    );
    for (const row of page) {
      pending.add(row.refid);
      if (await wasSigned(deps, row)) continue;
      const given = approvals.get(row.id);
      if (!(await mayJoin(deps, { row, group, given }, limits))) continue;
      if ((await limits.countToHead()).waiting.length >= chain.mostWaiting) return;
      if (!(await mayJoin(deps, { row, group, given }, limits))) continue;
      group.push({ id: row.id, payout: toPayout(row) });
      if (group.length === chain.mostPayouts && !(await flush())) return;
    }
  }
  if (!(await flush())) return;
  deps.turns.end();
  for (const refid of held.keys()) if (!pending.has(refid)) held.delete(refid);
}

/** Counts to the clock, and to the newest block once it is known, if that is earlier: a clock that is set forward frees nothing. */
function openLimits({ journal, adapter, now, getStep }: Selection) {
  const countTo = (at: Date) => openSignedDay(journal.listSigned(policyName(adapter)), at, journal.outcomeOf);
  let [day, knowsHead] = [countTo(now()), false];
  return {
    get day() {
      return day;
    },
    async countToHead() {
      const step = await getStep();
      if (!knowsHead) day = countTo(new Date(Math.min(now().getTime(), step.headTime.getTime())));
      knowsHead = true;
      return step;
    },
  };
}

/** Withdrawals that wait for a new transaction, then those that are pending. */
async function* listPages({ db, adapter, again }: Selection): AsyncGenerator<readonly WithdrawalRow[]> {
  for (let waiting = [...again]; waiting.length > 0; waiting = waiting.slice(PAGE_SIZE)) {
    const refids = waiting.slice(0, PAGE_SIZE);
    const rows = (await listByRefids(db, adapter.env, refids)).filter(
      ({ status }) => status === "processing",
    );
    // A pending one comes below. An ended withdrawal needs no payment.
    for (const refid of refids) if (!rows.some((row) => row.refid === refid)) again.delete(refid);
    yield rows;
  }
  for (let after = 0; ; ) {
    const page = await listPayable(db, adapter, { after, limit: PAGE_SIZE });
    if (page.length > 0) yield page;
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1)?.id ?? after;
  }
}

/**
 * Whether a withdrawal has a transaction that pays it or can. A withdrawal that was signed once is never signed a second time, also when
 * the database has forgotten it: then it gets its transaction again.
 */
async function wasSigned({ journal, restore, hold, held }: Selection, row: WithdrawalRow): Promise<boolean> {
  const state = payoutState(journal, row);
  if (state === "unsigned" || state === "dead") return false;
  if (state === "canceling") return true;
  if (await restore(state)) held.delete(row.refid);
  else hold(row.refid, "signed_otherwise");
  return true;
}

interface Request {
  readonly row: WithdrawalRow;
  readonly group: readonly Candidate[];
  readonly given: GivenApprovals | undefined;
}

/** Whether a withdrawal may be paid together with the group. */
async function mayJoin(
  selection: Selection,
  { row, group, given }: Request,
  { day }: { readonly day: SignedDay },
): Promise<boolean> {
  const { policy, chain, hold, turns, alarms, lost } = selection;
  const payout = toPayout(row);
  const together = group.map((one) => one.payout);
  const isApproved = (approvers: readonly string[]) => approvers.length >= policy().approvals.needed;
  const refuse = (approvers: readonly string[]): HoldReason | null => {
    const byRules =
      policyRefusal(policy(), payout, { day, group: together, approvers }) ?? chain.checkPayout(payout);
    if (byRules !== null) return byRules;
    if (day.countFailed(payout.to) >= (chain.mostFailed ?? Number.POSITIVE_INFINITY))
      return "destination_failed";
    return lost.has(payout) && !isApproved(approvers) ? "paid_before" : null;
  };
  let refusal = refuse([]);
  // Signatures are verified only for what nothing else holds back.
  if ((refusal === "approvals_missing" || refusal === "paid_before") && given !== undefined) {
    const { approvers, refused } = await checkApprovals(policy(), payout, given);
    if (refused.length > 0) alarms.raise("approval_invalid", { refid: row.refid });
    refusal = refuse(approvers);
  }
  if (refusal !== null) {
    hold(row.refid, refusal);
    return false;
  }
  // A transaction that pays an address twice proves neither payment. A reference counts once for the day, also one that the database has twice.
  const isTwice = together.some((one) => one.to === payout.to || one.refid === payout.refid);
  return !isTwice && turns.isDue(row.refid);
}

/** Pays as many of a group as the chain allows. false: this step has no more turns to ask nodes. */
async function payGroup(deps: Selection, group: readonly Candidate[], day: SignedDay): Promise<boolean> {
  const { chain, turns, hold, held, log, again } = deps;
  const { waiting } = await deps.getStep();
  if (waiting.length >= chain.mostWaiting || !turns.take(group.map(({ payout }) => payout.refid)))
    return false;
  const payouts = group.map(({ payout }) => payout);
  const { draft, held: refused } = await chain.prepare(payouts, situationOf(deps, waiting));
  for (const [refid, reason] of refused) hold(refid, reason);
  if (draft === null) return true;
  const paid = new Set(draft.payouts.map(({ refid }) => refid));
  const chosen = group.filter(({ payout }) => paid.has(payout.refid));
  const signed = await deps.sign(draft, chosen);
  if (typeof signed === "string") {
    for (const refid of paid) hold(refid, signed);
    return true;
  }
  day.add(signed.payouts);
  for (const refid of paid) {
    held.delete(refid);
    again.delete(refid);
    log.info({ refid }, "withdrawal paid");
  }
  return true;
}
