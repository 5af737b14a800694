import type { TronSending } from "#lib/chains/tron/sending.ts";
import type { TronSendState } from "#lib/chains/tron/types.ts";
import { toLedgerUnits } from "#lib/chains/units.ts";
import { findUnswept, recordLook } from "#lib/domain/deposits/unswept/find-unswept.ts";
import type { SweptToken, UnsweptAddress } from "#lib/domain/deposits/unswept/queries.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { MoveDraft, Situation } from "../chain-signer.ts";
import type { ChainSignerDeps } from "../families.ts";
import { openFeeWorth } from "../fee-worth.ts";
import type { JournalEntry, Move, NetworkPolicy } from "../types.ts";
import { actionOf, draftOf, sizeOf } from "./draft.ts";
import { bandwidthFee, chooseFeeLimit, mostBurned, type Needs } from "./fee-rules.ts";
import { costOfSweep, nextStep, type SweepStep, type SweepView, sweepRefusal } from "./sweep-rules.ts";
import { readSigned, type TronAction } from "./transaction.ts";
import { reserve } from "./waiting.ts";

const DAY_MS = 86_400_000;
const TRX_DECIMALS = 6;
/** Addresses that nodes are asked about in one look. */
const MOST_ADDRESSES = 10;
/** Until an address is looked at again after its sweep, and one that the account key does not derive. */
const SWEPT_MS = 180_000;
const FOREIGN_MS = 86_400_000;
/** Until a token that waits is looked at again. */
const WAIT_MS = 300_000;
/** After its sweep the address keeps its energy until no reorganization can undo the sweep. */
const FINAL_MS = 120_000;
/** A delegation that no sweep followed is ended after this time. */
const ABANDONED_MS = 1_800_000;

/** Deposit addresses are children 0/n of the account key, the hot account is 1/0. */
export type OpenKey = (branch: 0 | 1, index: number) => Uint8Array;

const readings = new WeakMap<JournalEntry, ReturnType<typeof readSigned>>();

/** What an entry's bytes say, read once. */
function readEntry(entry: JournalEntry): ReturnType<typeof readSigned> {
  const known = readings.get(entry) ?? readSigned(entry.raw);
  readings.set(entry, known);
  return known;
}

export interface TronSweepDeps extends Omit<ChainSignerDeps, "mnemonic"> {
  readonly sending: TronSending;
  readonly openKey: OpenKey;
  /** The hot account, canonical. */
  readonly sender: string;
}

/** One transaction of a sweep, before it is known to be affordable. */
interface Planned {
  readonly action: TronAction;
  readonly moves: readonly Move[];
  /** Whose signature it needs: of the hot account if absent. */
  readonly index?: number;
  readonly feeLimit: bigint;
}

/**
 * Sweeps deposit addresses to the hot account, one transaction for each step of each address: the address gets energy of the hot account's
 * stake, or else the TRX that the transfer burns, sends all it holds, and the energy returns. What the next step is follows from the chain.
 */
export function openTronSweeper(deps: TronSweepDeps) {
  const waits = new Map<TokenCode, { readonly reason: string; readonly until: number }>();
  /** Delegations ("address time") that the chain does not have any more. */
  const cleared = new Set<string>();
  const wait = (token: TokenCode, reason: string) => {
    if (waits.get(token)?.reason !== reason) deps.log.warn({ token, reason }, "sweep waits");
    waits.set(token, { reason, until: deps.now().getTime() + WAIT_MS });
  };
  return {
    /** The next step that is due. null: none is. Asks no node while nothing is to be swept. */
    async prepare(situation: Situation): Promise<MoveDraft | null> {
      const ended = await endDelegation(deps, situation, cleared);
      if (ended !== null) return ended;
      const policy = deps.policy();
      if (policy?.sweep == null) return null;
      for (const [token, { sweepAbove }] of policy.tokens) {
        if (sweepAbove === null || (waits.get(token)?.until ?? 0) > deps.now().getTime()) continue;
        const drafted = await prepareToken(deps, { token, above: sweepAbove, policy }, situation);
        if (typeof drafted === "string") wait(token, drafted);
        else if (drafted !== null) return drafted;
      }
      return null;
    },
  };
}

interface Wanted {
  readonly token: TokenCode;
  readonly above: bigint;
  readonly policy: NetworkPolicy;
}

/** The next step of the first address that has one. A text: why the token waits. null: nothing is to be swept. */
async function prepareToken(
  deps: TronSweepDeps,
  wanted: Wanted,
  situation: Situation,
): Promise<MoveDraft | string | null> {
  const { db, adapter, now, log } = deps;
  const { token, above } = wanted;
  const swept: SweptToken = { env: adapter.env, network: adapter.network, token };
  const rows = await findUnswept(db, swept, { limit: MOST_ADDRESSES, now: now() });
  for (const row of rows) {
    if (row.amount < above) return null;
    if (row.index < 0 || adapter.deriveAddress(row.index).address !== row.address) {
      log.error({ address: row.address }, "not swept: the account key does not derive this address");
      const retryAt = new Date(now().getTime() + FOREIGN_MS);
      await recordLook(db, swept, [{ ...row, balance: row.amount, retryAt }]);
      continue;
    }
    if (situation.waiting.some((entry) => concerns(entry, row.address))) continue;
    const drafted = await prepareAddress(deps, { ...wanted, swept }, row, situation);
    if (drafted !== null) return drafted;
  }
  return null;
}

/** Whether a transaction of a sweep is about an address. */
function concerns(entry: JournalEntry, address: string): boolean {
  const { kind, moves } = entry;
  if (kind !== "sweep") return false;
  return (
    moves.some(({ from, to }) => from === address || to === address) || readEntry(entry).receiver === address
  );
}

async function prepareAddress(
  deps: TronSweepDeps,
  wanted: Wanted & { readonly swept: SweptToken },
  row: UnsweptAddress,
  situation: Situation,
): Promise<MoveDraft | string | null> {
  const { db, sending, sender, now } = deps;
  const { token, above, swept } = wanted;
  const listed = sending.findToken(token);
  if (listed === null) return null;
  const unit = { token, decimals: listed.decimals };
  const state = await askAbout(deps, row.address, listed.contract);
  const balance = toLedgerUnits(state.tokenBalance, unit);
  if (balance !== row.amount) await recordLook(db, swept, [{ ...row, balance, retryAt: null }]);
  if (balance < above) return null;
  if (state.energy === null) return "would_fail";
  const planned =
    listed.contract === null
      ? planCoin(deps, { row, state, policy: wanted.policy }, situation)
      : await planToken(
          deps,
          { row, state, energy: state.energy, contract: listed.contract, balance, wanted },
          situation,
        );
  if (typeof planned === "string" || planned === null) return planned;
  const problem = await whyUnaffordable(deps, { planned, state }, situation);
  if (problem !== null) return problem;
  if (planned.moves.some(({ from, to }) => from === row.address && to === sender)) {
    const retryAt = new Date(now().getTime() + SWEPT_MS);
    await recordLook(db, swept, [{ ...row, amount: balance, balance, retryAt }]);
  }
  return toMove(deps, planned, { state, own: situation.own });
}

/** Everything about a sweep of all that an address holds. Until that is known, one unit is asked about. */
async function askAbout(deps: TronSweepDeps, from: string, contract: string | null): Promise<TronSendState> {
  const transfer = { from, to: deps.sender, contract };
  const first = await deps.sending.fetchState({ ...transfer, value: 1n });
  if (contract === null || first.tokenBalance <= 1n) return first;
  return deps.sending.fetchState({ ...transfer, value: first.tokenBalance });
}

/** TRX pays its own bandwidth. What an address was sent for the sweep of a token stays until that is done. */
function planCoin(
  deps: TronSweepDeps,
  {
    row,
    state,
    policy,
  }: { readonly row: UnsweptAddress; readonly state: TronSendState; readonly policy: NetworkPolicy },
  { own }: Situation,
): Planned | string | null {
  const { sender, adapter } = deps;
  const last = own.findLast(({ kind, moves }) => {
    return kind === "sweep" && moves.some(({ from, to }) => from === row.address || to === row.address);
  });
  if (policy.sweep === null || last?.moves.some(({ to }) => to === row.address)) return null;
  const { sender: account, prices } = state;
  const action = (amount: bigint): TronAction => {
    return { type: "TransferContract", owner: row.address, to: sender, amount };
  };
  const bandwidth = sizeOf(action(account.balance), state);
  const cost = bandwidthFee({ bandwidth, createsAccount: false }, prices, account);
  const spent = sumCosts(own, deps, state);
  const refused = sweepRefusal({ cost, worth: cost, amount: account.balance, spent }, policy.sweep);
  if (refused !== null) return refused;
  const amount = account.balance - cost;
  const move: Move = { token: adapter.data.coin, amount, from: row.address, to: sender };
  return { action: action(amount), moves: [move], index: row.index, feeLimit: 0n };
}

async function planToken(
  deps: TronSweepDeps,
  at: {
    readonly row: UnsweptAddress;
    readonly state: TronSendState;
    readonly energy: bigint;
    readonly contract: string;
    readonly balance: bigint;
    readonly wanted: Wanted;
  },
  { own }: Situation,
): Promise<Planned | string> {
  const { sending, sender } = deps;
  const { row, state, energy, contract, balance, wanted } = at;
  const { sweep, maxFee } = wanted.policy;
  if (sweep === null) return "not_in_policy";
  const transfer = actionOf({ from: row.address, to: sender, value: state.tokenBalance, contract });
  const bandwidth = sizeOf(transfer, state);
  const delegable = await sending.fetchDelegable(sender);
  const { energyPerTrx } = await sending.fetchAccount(sender);
  const { sender: account, prices } = state;
  const view: SweepView = { account, bandwidth, energy, prices, delegable, energyPerTrx };
  const worthOf = await openFeeWorth(deps, wanted.token, TRX_DECIMALS);
  if (worthOf === null) return "no_price";
  const cost = costOfSweep(view);
  const spent = sumCosts(own, deps, state);
  const refused = sweepRefusal({ cost, worth: worthOf(cost), amount: balance, spent }, sweep);
  if (refused !== null) return refused;
  const feeLimit = chooseFeeLimit({ bandwidth, energy, createsAccount: false }, state.prices, maxFee);
  if (feeLimit === null) return "network_fee_too_high";
  const moved: Move = { token: wanted.token, amount: balance, from: row.address, to: sender };
  return planStep(deps, nextStep(view), { row, transfer, moved, feeLimit });
}

function planStep(
  { sender, adapter }: TronSweepDeps,
  step: SweepStep,
  at: {
    readonly row: UnsweptAddress;
    readonly transfer: TronAction;
    readonly moved: Move;
    readonly feeLimit: bigint;
  },
): Planned {
  const { address, index } = at.row;
  switch (step.kind) {
    case "transfer":
      return { action: at.transfer, moves: [at.moved], index, feeLimit: at.feeLimit };
    case "create":
      return {
        action: { type: "AccountCreateContract", owner: sender, account: address },
        moves: [],
        feeLimit: 0n,
      };
    case "delegate": {
      const action = {
        type: "DelegateResourceContract",
        owner: sender,
        receiver: address,
        amount: step.amount,
      } as const;
      return { action, moves: [], feeLimit: 0n };
    }
    case "fund": {
      const move: Move = { token: adapter.data.coin, amount: step.amount, from: sender, to: address };
      const action = { type: "TransferContract", owner: sender, to: address, amount: step.amount } as const;
      return { action, moves: [move], feeLimit: 0n };
    }
  }
}

/** Why the hot account cannot pay for a step. null: it can, or the address pays. */
async function whyUnaffordable(
  { sending, sender }: TronSweepDeps,
  { planned, state }: { readonly planned: Planned; readonly state: TronSendState },
  { waiting }: Situation,
): Promise<string | null> {
  if (planned.index !== undefined) return null;
  const { action } = planned;
  const hot = await sending.fetchAccount(sender);
  const isFund = action.type === "TransferContract";
  const needs: Needs = {
    bandwidth: sizeOf(action, state),
    energy: 0n,
    createsAccount: (isFund && !state.sender.exists) || action.type === "AccountCreateContract",
  };
  const reserved = reserve(waiting, { sending, sender }, state.prices.energy);
  const burned = mostBurned({ needs, feeLimit: 0n }, state.prices, hot, reserved);
  const sent = isFund ? action.amount : 0n;
  return sent + burned + reserved.coin > hot.balance ? "hot_balance_too_low" : null;
}

/** The most that the sweeps of the last 24 hours can have burned, in sun. What an address was sent is what it can burn. */
function sumCosts(
  own: readonly JournalEntry[],
  { sender, now, sending }: TronSweepDeps,
  { prices }: TronSendState,
): bigint {
  const recent = own.filter(({ kind, at }) => kind === "sweep" && at.getTime() > now().getTime() - DAY_MS);
  const given = new Set(recent.flatMap((entry) => readEntry(entry).receiver ?? []));
  return recent.reduce((sum, entry) => {
    const { moves } = entry;
    const { type, feeLimit, bandwidth } = readEntry(entry);
    const funded = moves.filter(
      ({ from, token }) => from === sender && sending.findToken(token)?.contract === null,
    );
    const isNew = type === "AccountCreateContract" || funded.length > 0;
    const fromAddress = moves.find(({ from }) => from !== sender)?.from;
    const isPaidFor = fromAddress !== undefined && (given.has(fromAddress) || isFunded(recent, fromAddress));
    return (
      sum +
      bandwidth * prices.bandwidth +
      (isNew ? prices.newAccount + prices.newAccountBandwidth : 0n) +
      funded.reduce((sent, { amount }) => sent + amount, 0n) +
      (isPaidFor ? 0n : feeLimit)
    );
  }, 0n);
}

const isFunded = (recent: readonly JournalEntry[], address: string): boolean =>
  recent.some(({ moves }) => moves.some(({ to }) => to === address));

/** Ends the delegation to an address whose sweep is in a block for long enough, or never came. */
async function endDelegation(
  deps: TronSweepDeps,
  { own, waiting }: Situation,
  cleared: Set<string>,
): Promise<MoveDraft | null> {
  const { sending, sender, now } = deps;
  for (const [receiver, delegated] of listDelegated(own)) {
    const key = `${receiver} ${delegated.getTime()}`;
    if (cleared.has(key) || waiting.some((entry) => concerns(entry, receiver))) continue;
    const swept = own.findLast(
      ({ kind, at, moves }) =>
        kind === "sweep" && at >= delegated && moves.some(({ from }) => from === receiver),
    );
    const age = now().getTime() - (swept?.at ?? delegated).getTime();
    if (age < (swept === undefined ? ABANDONED_MS : FINAL_MS)) continue;
    const amount = await sending.fetchDelegated(sender, receiver);
    if (amount === 0n) {
      cleared.add(key);
      continue;
    }
    const state = await sending.fetchState({ from: sender, to: receiver, value: 1n, contract: null });
    const action = { type: "UnDelegateResourceContract", owner: sender, receiver, amount } as const;
    return toMove(deps, { action, moves: [], feeLimit: 0n }, { state, own });
  }
  return null;
}

/** Addresses with a delegation that was not ended after it, and when it was signed. */
function listDelegated(own: readonly JournalEntry[]): Map<string, Date> {
  const open = new Map<string, Date>();
  for (const entry of own) {
    const { kind, moves, at } = entry;
    if (kind !== "sweep" || moves.length > 0) continue;
    const { type, receiver } = readEntry(entry);
    if (receiver === null) continue;
    if (type === "DelegateResourceContract") open.set(receiver, at);
    if (type === "UnDelegateResourceContract") open.delete(receiver);
  }
  return open;
}

function toMove(
  { openKey }: TronSweepDeps,
  { action, moves, index, feeLimit }: Planned,
  { state, own }: { readonly state: TronSendState; readonly own: readonly JournalEntry[] },
): MoveDraft {
  const key = () => (index === undefined ? openKey(1, 0) : openKey(0, index));
  return { kind: "sweep", moves, ...draftOf(action, { state, feeLimit, own }, key) };
}
