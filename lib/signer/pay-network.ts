import type { Logger } from "pino";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { listByRefids } from "#lib/domain/withdrawals/queries.ts";
import { storeOutgoing, submitPayment } from "#lib/domain/withdrawals/send/submit-payment.ts";
import { findOutgoingRaw, listMissingHashes } from "#lib/domain/withdrawals/signer/signer-queries.ts";
import type { WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { failpoint } from "#lib/platform/failpoint.ts";
import { type AlarmReason, type Alarms, openAlarms } from "./alarms.ts";
import type { ChainSigner, Draft, MoveDraft } from "./chain-signer.ts";
import { canNeverPay, isSamePayout, payoutState } from "./entry-rules.ts";
import type { FeeRefusal } from "./fee-limits.ts";
import { openFailures } from "./find-failed.ts";
import type { Journal } from "./journal.ts";
import { openLostPayouts } from "./lost-payouts.ts";
import { boundTime } from "./node-bounds.ts";
import { openPace } from "./pace.ts";
import { formRefusal } from "./payout-rules.ts";
import { policyName } from "./policy-rules.ts";
import { type Candidate, type Step, selectPayouts } from "./select-payouts.ts";
import { decideSending, isStored } from "./send-rules.ts";
import { signEntry } from "./sign-entry.ts";
import { listOwn, rememberSigners, situationOf } from "./situation.ts";
import { toPayout } from "./to-payout.ts";
import { openTurns } from "./turns.ts";
import type { HoldReason, JournalEntry, Policy } from "./types.ts";

/** A transaction that waits is broadcast again after this time. */
const SEND_AGAIN_MS = 30_000;
/** Between two looks for transactions between accounts of the operator, and the most of them in one look. */
const MOVE_EVERY_MS = 30_000;
const MOST_MOVES = 5;
const ACTOR = { kind: "signer" } as const;

export interface PayerDeps {
  readonly db: Db;
  readonly adapter: NetworkAdapter;
  readonly chain: ChainSigner;
  readonly journal: Journal;
  readonly policy: () => Policy;
  readonly log: Logger;
  readonly now: () => Date;
}

/** The next step of one network of the signer. */
export interface Payer {
  /** Broadcasts what is signed and in no block, then signs what may be paid. Throws NodeError when no node answers. */
  step(): Promise<void>;
  /** Why each withdrawal waits, by its reference. */
  readonly held: ReadonlyMap<string, HoldReason>;
  /** How often something was found that only a changed or restored database explains. */
  readonly alarms: ReadonlyMap<AlarmReason, number>;
}

interface StepDeps extends PayerDeps {
  readonly alarms: Alarms;
  readonly markFailed: ReturnType<typeof openFailures>;
}

/** Pays the withdrawals of one network. */
export function openPayer(given: PayerDeps): Payer {
  const { adapter, journal, log } = given;
  const alarms = openAlarms(log);
  const chain: ChainSigner = {
    ...given.chain,
    ...rememberSigners(given.chain.isSigner),
    checkPayout: (payout) => formRefusal(adapter, payout) ?? given.chain.checkPayout(payout),
  };
  const deps: StepDeps = { ...given, chain, alarms, markFailed: openFailures({ ...given, chain }) };
  const lost = openLostPayouts(deps);
  const name = policyName(adapter);
  const held = new Map<string, HoldReason>();
  const turns = openTurns(deps.now);
  const again = listUnpaid(journal, name);
  const sentAt = new Map<string, number>();
  const [observePace, movePace] = [openPace(deps.now), openPace(deps.now)];
  let hasStoredMoves = false;
  const hold = (refid: string, reason: HoldReason) => {
    if (held.get(refid) !== reason) log.warn({ refid, reason }, "withdrawal not paid");
    held.set(refid, reason);
  };
  return {
    held,
    alarms: alarms.counts,
    async step() {
      if (!hasStoredMoves) await storeMissingMoves(deps, name);
      hasStoredMoves = true;
      let observed: Step | null = null;
      // Nodes are asked when a transaction may have come further, or when something can be paid. Otherwise nothing is asked.
      const getStep = async () => {
        if (observed !== null) return observed;
        observePace.take();
        const step = await observe(deps, again);
        observed = step;
        for (const entry of [...step.former, ...step.waiting]) await sendAgain(deps, entry, step, sentAt);
        return step;
      };
      if (journal.listOpen(name).length > 0 && observePace.isDue(observeEveryMs(adapter))) await getStep();
      const sign = async (draft: Draft, rows: readonly Candidate[]) =>
        pay(deps, draft, rows, await getStep());
      const restore = async (entry: JournalEntry) => {
        const isStored = await store(deps, entry, await findRows(deps, entry));
        if (isStored) alarms.raise("transaction_missing", { txHash: entry.hash });
        return isStored;
      };
      await lost.look();
      await selectPayouts({ ...deps, lost, getStep, sign, restore, again, turns: turns(), hold, held });
      if (chain.prepareMove === undefined || !movePace.isDue(MOVE_EVERY_MS)) return;
      movePace.take();
      const isQuiet = journal.listOpen(name).length === 0;
      await move(deps, isQuiet ? { waiting: [], former: [], headTime: deps.now() } : await getStep());
    },
  };
}

/** Three times in a block's time are enough. On a development chain blocks come on demand. */
const observeEveryMs = ({ data }: NetworkAdapter): number =>
  data.isDevelopment ? 0 : Math.min(data.blockSeconds * 333, SEND_AGAIN_MS);

/** The withdrawals of a network for which every transaction is dead. */
function listUnpaid(journal: Journal, name: string): Set<string> {
  const named = journal.entries.filter((entry) => policyName(entry) === name);
  const payouts = new Map(named.flatMap((entry) => entry.payouts).map((payout) => [payout.refid, payout]));
  return new Set(
    [...payouts.values()].filter((one) => payoutState(journal, one) === "dead").map(({ refid }) => refid),
  );
}

/**
 * Stores final transactions between own accounts that the database lacks, as it was restored: without them their fees are missing in the
 * books. Transactions that are not final are stored before they are sent again, and payouts with their withdrawals.
 */
async function storeMissingMoves(
  { db, adapter, journal, now, alarms }: StepDeps,
  name: string,
): Promise<void> {
  const final = journal
    .listLive(name)
    .filter(({ kind, hash }) => kind !== "payout" && journal.outcomeOf(hash) === "final");
  const missing = new Set(
    await listMissingHashes(
      db,
      adapter,
      final.map(({ hash }) => hash),
    ),
  );
  for (const entry of final.filter(({ hash }) => missing.has(hash))) {
    await storeOutgoing(db, entry, now());
    alarms.raise("transaction_missing", { txHash: entry.hash });
  }
}

/** Learns what the chain has decided. A withdrawal whose every transaction is dead or has failed gets a new one. */
async function observe(deps: StepDeps, again: Set<string>): Promise<Step> {
  const { chain, journal, adapter, now, log } = deps;
  const name = policyName(adapter);
  const observed = await chain.observe(journal.listOpen(name));
  const waiting = listOwn(deps, observed.waiting);
  const former = observed.waiting.filter((entry) => !waiting.includes(entry));
  const headTime = boundTime(observed.headTime, now(), adapter.network);
  const settled = await deps.markFailed(observed.settled);
  // The transactions that a final one excludes are settled before it: after a kill between the two, the final one would be no longer asked
  // about.
  const deadFirst = settled.toSorted(
    (one, other) => Number(one.outcome !== "dead") - Number(other.outcome !== "dead"),
  );
  for (const { entry, outcome } of deadFirst) {
    journal.settle(entry, outcome, now());
    if (outcome === "dead") log.warn({ txHash: entry.hash }, "a transaction can no longer be in a block");
    if (outcome === "failed") log.error({ txHash: entry.hash }, "a payment moved nothing, and cost its fee");
    for (const payout of entry.payouts) if (payoutState(journal, payout) === "dead") again.add(payout.refid);
  }
  return { waiting, former, headTime };
}

/**
 * Broadcasts a signed transaction once more, byte for byte. A transaction that the database lacks is stored first. If a withdrawal of it
 * was ended after it was signed, also by a payment of a person, what it spends is used for nothing instead, so that later ones can follow.
 */
async function sendAgain(
  deps: StepDeps,
  entry: JournalEntry,
  step: Step,
  sentAt: Map<string, number>,
): Promise<void> {
  const { db, now, adapter, alarms, journal } = deps;
  const at = now().getTime();
  const before = sentAt.get(entry.hash) ?? Number.NEGATIVE_INFINITY;
  if (!adapter.data.isDevelopment && at - before < SEND_AGAIN_MS) return;
  sentAt.set(entry.hash, at);
  const raw = await findOutgoingRaw(db, entry);
  const rows = entry.kind === "payout" ? await findRows(deps, entry) : [];
  const { blockSeconds } = adapter.data;
  let sent = entry;
  for (const action of decideSending(journal, entry, { raw, rows }, { now: now(), blockSeconds }))
    switch (action.kind) {
      case "alarm":
        alarms.raise(action.reason, { txHash: entry.hash });
        break;
      case "cancel":
        await cancel(deps, { entry, ended: action.ended }, step);
        break;
      case "store":
        await storeOutgoing(db, entry, now());
        break;
      case "store_payment":
        if (!(await store(deps, entry, rows))) return;
        break;
      case "raise":
        sent = (await raiseFee(deps, entry, rows, step)) ?? entry;
        break;
      case "broadcast":
        await broadcast(deps, sent);
    }
}

/** Uses what a payment spends for nothing instead, where transactions do not expire. */
async function cancel(
  deps: StepDeps,
  { entry, ended }: { readonly entry: JournalEntry; readonly ended: readonly WithdrawalRow[] },
  step: Step,
): Promise<void> {
  deps.log.error(
    { refids: ended.map(({ refid }) => refid), txHash: entry.hash },
    "a withdrawal was ended after its payment was signed: the payment is canceled",
  );
  const canceled = await replace(deps, { entry, purpose: "cancel", rows: [] }, step);
  if (canceled !== null) await broadcast(deps, canceled);
}

const findRows = ({ db }: PayerDeps, { env, payouts }: JournalEntry): Promise<WithdrawalRow[]> =>
  listByRefids(
    db,
    env,
    payouts.map(({ refid }) => refid),
  );

/** Stores a journaled payment with those withdrawals that lack it: the database did not store it, or was restored since. */
function store(
  { db, journal, now }: PayerDeps,
  entry: JournalEntry,
  rows: readonly WithdrawalRow[],
): Promise<boolean> {
  const paid = new Map(entry.payouts.map((payout) => [payout.refid, payout]));
  const sign = async (locked: readonly WithdrawalRow[]) => {
    const isSame = locked.every((row) => isSamePayout(paid.get(row.refid), toPayout(row)));
    return isSame ? entry : null;
  };
  const lacking = rows.filter((row) => !isStored(entry, row));
  return submitPayment(db, requestOf(journal, entry.spends, lacking), sign, now());
}

const requestOf = (
  journal: Journal,
  spends: readonly string[],
  rows: readonly Pick<WithdrawalRow, "id">[],
) => ({
  withdrawalIds: rows.map(({ id }) => id),
  actor: ACTOR,
  spends,
  // A cancellation pays no one, whatever becomes of it.
  isDead: (hash: string) => journal.kindOf(hash) === "cancel" || canNeverPay(journal.outcomeOf(hash)),
});

/** Signs a transaction again with a higher fee, if the network now asks for more. Null if it stays as it is. */
async function raiseFee(
  deps: PayerDeps,
  entry: JournalEntry,
  rows: readonly WithdrawalRow[],
  step: Step,
): Promise<JournalEntry | null> {
  const { log } = deps;
  const raised = await replace(deps, { entry, purpose: "raise", rows }, step);
  if (raised?.kind === "cancel" && entry.kind === "payout")
    log.error({ txHash: entry.hash }, "a payment that fits into no block is canceled");
  else if (raised !== null)
    log.info({ txHash: raised.hash, replaces: entry.hash }, "the fee of a transaction was raised");
  return raised;
}

interface Replacement {
  readonly entry: JournalEntry;
  readonly purpose: "raise" | "cancel";
  /** The withdrawals that it still pays. */
  readonly rows: readonly WithdrawalRow[];
}

/** Signs a transaction that excludes another. The journal has it before the database, and both before a node. */
async function replace(
  deps: PayerDeps,
  { entry, purpose, rows }: Replacement,
  { waiting, headTime }: Step,
): Promise<JournalEntry | null> {
  const { db, chain, journal, now } = deps;
  if (chain.isSigner?.(entry) === false) return null;
  const draft = (await chain.prepareReplacement?.(entry, purpose, situationOf(deps, waiting))) ?? null;
  if (draft === null) return null;
  const kind = entry.kind === "payout" && draft.payouts.length === 0 ? "cancel" : entry.kind;
  let signed: JournalEntry | null = null;
  const sign = async () => {
    signed = await signDraft(deps, draft, { kind, payouts: entry.payouts, moves: entry.moves }, headTime);
    return signed;
  };
  // With the withdrawals that a cancellation does not end it proves that they are not paid.
  if (rows.length > 0)
    return (await submitPayment(db, requestOf(journal, draft.spends, rows), sign, now())) ? signed : null;
  if ((await sign()) !== null) await storeOutgoing(db, signed ?? entry, now());
  return signed;
}

/** A node that refuses it now is asked again at the next step. */
async function broadcast({ chain, log }: PayerDeps, entry: JournalEntry): Promise<void> {
  try {
    await chain.broadcast(entry);
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    log.warn({ txHash: entry.hash, err: error }, "transaction not broadcast");
  }
}

/** Signs a draft that pays these withdrawals. A text: why nothing is paid. */
async function pay(
  deps: PayerDeps,
  draft: Draft,
  rows: readonly Candidate[],
  step: Step,
): Promise<JournalEntry | HoldReason> {
  const { db, journal } = deps;
  let signed: JournalEntry | null = null;
  let reason: HoldReason = "changed";
  const sign = async (locked: readonly WithdrawalRow[]) => {
    const payouts = locked.map(toPayout);
    const isSame = draft.payouts.every((one) => payouts.some((other) => isSamePayout(one, other)));
    if (!isSame || locked.length !== draft.payouts.length) return null;
    const what = { kind: "payout", payouts: draft.payouts, moves: [] } as const;
    const result = await signEntry(signingOf(deps), draft, what, step.headTime);
    if (typeof result !== "string") signed = result;
    else reason = result === "above_fee_per_day" ? result : "network_fee_too_high";
    return signed;
  };
  const request = requestOf(journal, draft.spends, rows);
  const isPaid = await submitPayment(db, request, sign, deps.now());
  if (!isPaid || signed === null) return reason;
  step.waiting = [...step.waiting, signed];
  failpoint("payout-committed");
  await broadcast(deps, signed);
  failpoint("payout-broadcast");
  return signed;
}

const signingOf = (deps: PayerDeps) => {
  const networkPolicy = deps.policy().networks.get(policyName(deps.adapter)) ?? null;
  return { ...deps, networkPolicy };
};

/** As signEntry. Null where the fee may not be spent, which is logged. */
async function signDraft(
  deps: PayerDeps,
  draft: Omit<Draft, "payouts"> & Pick<MoveDraft, "refused">,
  what: Pick<JournalEntry, "kind" | "payouts" | "moves">,
  headTime: Date,
): Promise<JournalEntry | null> {
  const signed = await signEntry(signingOf(deps), draft, what, headTime);
  if (typeof signed !== "string") return signed;
  const { kind } = what;
  deps.log.warn({ kind, reason: signed satisfies FeeRefusal }, "not signed: its fee may not be spent");
  draft.refused?.(signed);
  return null;
}

/** Signs what is due between accounts of the operator. */
async function move(deps: PayerDeps, step: Step): Promise<void> {
  const { db, chain, now, log } = deps;
  for (let done = 0; done < MOST_MOVES; done++) {
    const situation = situationOf(deps, step.waiting);
    const fill: MoveDraft | null = (await chain.prepareFill?.(situation)) ?? null;
    const isFull = step.waiting.length >= chain.mostWaiting;
    const due = fill ?? (isFull ? null : await chain.prepareMove?.(situation)) ?? null;
    if (due === null) return;
    const { kind, moves } = due;
    const signed = await signDraft(deps, due, { kind, moves, payouts: [] }, step.headTime);
    if (signed === null && due.refused === undefined) return;
    if (signed === null) continue;
    await storeOutgoing(db, signed, now());
    failpoint("payout-committed");
    step.waiting = [...step.waiting, signed];
    log.info({ kind, txHash: signed.hash }, "moved between own accounts");
    await broadcast(deps, signed);
    failpoint("payout-broadcast");
  }
}
