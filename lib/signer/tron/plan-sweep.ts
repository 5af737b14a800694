import type { TronSending } from "#lib/chains/tron/sending.ts";
import type { TronSendState } from "#lib/chains/tron/types.ts";
import type { UnsweptAddress } from "#lib/domain/deposits/unswept/queries.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { ChainSignerDeps, Situation } from "../chain-signer.ts";
import { feesOfDay } from "../fee-limits.ts";
import { openFeeWorth } from "../fee-worth.ts";
import type { Cost, JournalEntry, Move, NetworkPolicy } from "../types.ts";
import { actionOf, sizeOf } from "./draft.ts";
import { bandwidthFee, chooseFeeLimit, lower, mostBurned, mostCost, type Needs } from "./fee-rules.ts";
import { wasGiven } from "./sweep-entries.ts";
import { costOfSweep, nextStep, type SweepStep, type SweepView, sweepRefusal } from "./sweep-rules.ts";
import type { TronAction } from "./transaction.ts";
import { reserve } from "./waiting.ts";

const TRX_DECIMALS = 6;
const DAY_MS = 86_400_000;

/** Deposit addresses are children 0/n of the account key, the hot account is 1/0. */
export type OpenKey = (branch: 0 | 1, index: number) => Uint8Array;

export interface TronSweepDeps extends Omit<ChainSignerDeps, "mnemonic"> {
  readonly sending: TronSending;
  readonly openKey: OpenKey;
  /** The hot account, canonical. */
  readonly sender: string;
}

/** One transaction of a sweep, before it is known to be affordable. */
export interface Planned {
  readonly action: TronAction;
  readonly moves: readonly Move[];
  /** Whose signature it needs: of the hot account if absent. */
  readonly index?: number;
  readonly feeLimit: bigint;
  /**
   * The cost that was counted when it was found to be worth it, in sun: signing counts no more. Absent for steps that no sweep is refused
   * for.
   */
  readonly counted?: bigint;
}

export interface Wanted {
  readonly token: TokenCode;
  readonly above: bigint;
  readonly policy: NetworkPolicy;
}

/** TRX pays its own bandwidth. TRX that an address got for the sweep of a token stays until that is done. */
export function planCoin(
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
  const spent = feesOfDay(own, deps.now(), "sweeps");
  const refused = sweepRefusal({ cost, worth: cost, amount: account.balance, spent }, policy.sweep);
  if (refused !== null) return refused;
  const amount = account.balance - cost;
  const move: Move = { token: adapter.data.coin, amount, from: row.address, to: sender };
  return { action: action(amount), moves: [move], index: row.index, feeLimit: 0n, counted: cost };
}

export async function planToken(
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
  const spent = feesOfDay(own, deps.now(), "sweeps");
  const refused = sweepRefusal({ cost, worth: worthOf(cost), amount: balance, spent }, sweep);
  if (refused !== null) return refused;
  const feeLimit = chooseFeeLimit({ bandwidth, energy, createsAccount: false }, state.prices, maxFee);
  if (feeLimit === null) return "network_fee_too_high";
  const moved: Move = { token: wanted.token, amount: balance, from: row.address, to: sender };
  return planStep(deps, nextStep(view), { row, transfer, moved, feeLimit, counted: cost });
}

function planStep(
  { sender, adapter }: TronSweepDeps,
  step: SweepStep,
  at: {
    readonly row: UnsweptAddress;
    readonly transfer: TronAction;
    readonly moved: Move;
    readonly feeLimit: bigint;
    readonly counted: bigint;
  },
): Planned {
  const { address, index } = at.row;
  switch (step.kind) {
    case "transfer":
      return {
        action: at.transfer,
        moves: [at.moved],
        index,
        feeLimit: at.feeLimit,
        counted: at.counted,
      };
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

function needsOf(action: TronAction, state: TronSendState, isFromHot: boolean): Needs {
  const isFund = isFromHot && action.type === "TransferContract";
  return {
    bandwidth: sizeOf(action, state),
    energy: 0n,
    createsAccount: (isFund && !state.sender.exists) || action.type === "AccountCreateContract",
  };
}

/**
 * Returns the highest cost of a step. An address that was given energy or coins burns what was counted then, and energy that anyone gave it
 * is free: its transfer counts as when it was planned, or it would be planned and refused for ever.
 */
export function costOfStep(
  deps: TronSweepDeps,
  { planned, state }: { readonly planned: Planned; readonly state: TronSendState },
  own: readonly JournalEntry[],
): Cost {
  const { action, index, feeLimit, counted } = planned;
  const needs = needsOf(action, state, index === undefined);
  const maxFee = deps.policy()?.maxFee ?? 0n;
  if (index === undefined && action.type === "TransferContract")
    return { fee: mostCost(needs, state.prices, 0n) + action.amount, most: 2n * maxFee };
  const isCounted = wasGiven(own, action.owner, new Date(deps.now().getTime() - DAY_MS));
  const most = mostCost(needs, state.prices, isCounted ? 0n : feeLimit);
  return { fee: lower(counted ?? most, most), most: maxFee };
}

/** Why the hot account cannot pay for a step. Null if it can, or if the address pays. */
export async function whyUnaffordable(
  { sending, sender }: TronSweepDeps,
  { planned, state }: { readonly planned: Planned; readonly state: TronSendState },
  { waiting }: Situation,
): Promise<string | null> {
  if (planned.index !== undefined) return null;
  const { action } = planned;
  const hot = await sending.fetchAccount(sender);
  const needs = needsOf(action, state, true);
  const reserved = reserve(waiting, sender, state.prices.energy);
  const burned = mostBurned({ needs, feeLimit: 0n }, state.prices, hot, reserved);
  const sent = action.type === "TransferContract" ? action.amount : 0n;
  return sent + burned + reserved.coin > hot.balance ? "hot_balance_too_low" : null;
}
