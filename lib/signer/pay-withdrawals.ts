import { listByRefids, listGivenApprovals, listPayable } from "#lib/domain/withdrawals/queries.ts";
import { isOfActive } from "#lib/domain/withdrawals/rules.ts";
import type { GivenApprovals, PayableRow, WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import { checkApprovals } from "./approvals.ts";
import { isSamePayout } from "./entry-rules.ts";
import type { LostPayouts } from "./lost-payouts.ts";
import { decidePayout, toPayout } from "./payout-rules.ts";
import { openSignedDay, policyName, type SignedDay } from "./policy-rules.ts";
import { listRows, type SendDeps, signAndSend, storePayment } from "./sign-and-send.ts";
import { type ChainView, situationOf } from "./situation.ts";
import type { Turns } from "./turns.ts";
import type { HoldReason } from "./types.ts";

const PAGE_SIZE = 100;

export interface PayDeps extends SendDeps {
  /** Returns this step's knowledge about the chain. The first call asks nodes. */
  readonly getView: () => Promise<ChainView>;
  /** Withdrawals that are processing, and whose every transaction is dead. A paid or ended withdrawal is removed. */
  readonly again: Set<string>;
  readonly turns: Turns;
  readonly lost: LostPayouts;
  /** Why each withdrawal waits, by its reference. */
  readonly held: Map<string, HoldReason>;
}

/** The facts that change while a step pays. */
interface Paying {
  day: SignedDay;
  /** Null until nodes are asked. */
  view: ChainView | null;
  /** The withdrawals that leave in the next transaction. */
  group: WithdrawalRow[];
}

/** Pays what may be paid, the oldest first: performs what the rules decide about each withdrawal (payout-rules.ts). */
export async function payWithdrawals(deps: PayDeps): Promise<void> {
  const { db, now, chain, turns, held } = deps;
  const paying: Paying = { day: countDay(deps, now()), view: null, group: [] };
  const seen = new Set<string>();
  for await (const page of listPages(deps)) {
    const ids = page.map(({ id }) => id);
    const approvals = await listGivenApprovals(db, ids);
    for (const row of page) {
      seen.add(row.refid);
      if (!(await perform(deps, paying, row, approvals.get(row.id)))) return;
      if (paying.group.length === chain.mostPayouts && !(await payGroup(deps, paying))) return;
    }
  }
  if (paying.group.length > 0 && !(await payGroup(deps, paying))) return;
  turns.end();
  for (const refid of held.keys()) if (!seen.has(refid)) held.delete(refid);
}

/** Performs what is decided about a withdrawal. false: no more is paid in this step. */
async function perform(
  deps: PayDeps,
  paying: Paying,
  row: PayableRow,
  given: GivenApprovals = { signatures: [], assertions: [] },
): Promise<boolean> {
  const { policy, alarms, held } = deps;
  const payout = toPayout(row);
  const { refid } = payout;
  for (let approvers: readonly string[] | null = null; ; ) {
    const [waiting, group] = [paying.view?.waiting ?? null, paying.group.map(toPayout)];
    const isMerchantActive = isOfActive(row);
    const facts = { ...deps, ...paying, policy: policy(), waiting, group, approvers, isMerchantActive };
    const action = decidePayout(facts, payout);
    switch (action.kind) {
      case "verify": {
        const checked = await checkApprovals(policy(), payout, given);
        if (checked.refused.length > 0) alarms.raise("approval_invalid", { refid });
        approvers = checked.approvers;
        break;
      }
      case "observe":
        paying.view = await deps.getView();
        paying.day = countDay(deps, new Date(Math.min(deps.now().getTime(), paying.view.headTime.getTime())));
        // The policy may be another one now.
        approvers = null;
        break;
      case "restore": {
        // With the others of its transaction, or without one of them that cannot have it.
        const all = await storePayment(deps, action.entry, await listRows(deps, action.entry));
        const isStored = all === "stored" || (await storePayment(deps, action.entry, [row])) === "stored";
        if (isStored) alarms.raise("transaction_missing", { txHash: action.entry.hash });
        if (isStored) held.delete(refid);
        else hold(deps, refid, "signed_otherwise");
        return true;
      }
      case "hold":
        hold(deps, refid, action.reason);
        return true;
      case "join":
        paying.group.push(row);
        return true;
      default:
        return action.kind === "pass";
    }
  }
}

const countDay = ({ journal, adapter }: PayDeps, at: Date): SignedDay =>
  openSignedDay(journal.listSigned(policyName(adapter)), at, journal.outcomeOf);

function hold({ held, log }: PayDeps, refid: string, reason: HoldReason): void {
  if (held.get(refid) !== reason) log.warn({ refid, reason }, "withdrawal not paid");
  held.set(refid, reason);
}

/** Withdrawals that wait for a new transaction, then those that are pending. */
async function* listPages({ db, adapter, again }: PayDeps): AsyncGenerator<readonly PayableRow[]> {
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

/** Pays as many of the group as the chain allows. false: this step has no more turns to ask nodes. */
async function payGroup(deps: PayDeps, paying: Paying): Promise<boolean> {
  const { chain, turns, held, again, log } = deps;
  const payouts = paying.group.map(toPayout);
  const refids = payouts.map(({ refid }) => refid);
  if (!turns.take(refids)) return false;
  const view = await deps.getView();
  const { draft, held: refused } = await chain.prepare(payouts, situationOf(deps, view.waiting));
  const rows = paying.group.filter(({ refid }) => draft?.payouts.some((one) => one.refid === refid));
  paying.group = [];
  for (const [refid, reason] of refused) hold(deps, refid, reason);
  if (draft === null) return true;
  const signed = await signAndSend(
    deps,
    { kind: "payout", payouts: draft.payouts, moves: [], draft, headTime: view.headTime, rows },
    (locked) =>
      locked.length === draft.payouts.length &&
      locked.every(isOfActive) &&
      draft.payouts.every((payout) => locked.some((row) => isSamePayout(payout, toPayout(row)))),
  );
  if (signed === null || typeof signed === "string") {
    const isFeeTooHigh = signed !== null && signed !== "above_fee_per_day";
    const reason = isFeeTooHigh ? "network_fee_too_high" : (signed ?? "changed");
    for (const { refid } of rows) hold(deps, refid, reason);
    return true;
  }
  view.waiting = [...view.waiting, signed];
  paying.day.add(signed.payouts);
  for (const { refid } of rows) {
    held.delete(refid);
    again.delete(refid);
    log.info({ refid }, "withdrawal paid");
  }
  return true;
}
