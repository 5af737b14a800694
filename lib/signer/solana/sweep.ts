import type { Instruction } from "@solana/kit";
import { toLedgerUnits } from "#lib/chains/units.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { MoveDraft, Situation } from "../chain-signer.ts";
import { feesOfDay } from "../fee-limits.ts";
import { openFeeWorth } from "../fee-worth.ts";
import { openSweepTurns, type SweepTurn } from "../sweep-turns.ts";
import type { Move, NetworkPolicy } from "../types.ts";
import {
  closeTokenAccount,
  createTokenAccount,
  isForwarded,
  tokenAccountOf,
  transferSol,
  transferTokens,
} from "./build-transaction.ts";
import { type Deposit, type LookDeps, lookAtDeposits, postpone } from "./look-at-deposits.ts";
import { chooseFee, fetchState, type Hot, signDistinct } from "./plan-transaction.ts";
import { findSweepRefusal, listWorthy, type SweepRefusal, sweepFeeCap } from "./sweep-rules.ts";

/** Until an address that was swept is looked at again, and one whose sweep would fail. */
const SWEPT_MS = 180_000;
const FAILED_MS = 3_600_000;

export interface SweepDeps extends LookDeps {
  readonly policy: () => NetworkPolicy | null;
}

type Waiting = SweepRefusal | "network_fee_too_high" | "no_price" | "hot_balance_too_low" | "would_fail";

interface Wanted extends SweepTurn {
  /** SOL of the same addresses is swept along. */
  readonly withCoins: boolean;
}

/**
 * Sweeps deposit addresses to the hot account, as many in a transaction as it has room for. The hot account pays, so that no deposit address
 * needs SOL. Token accounts that are empty then are closed, and their rent goes to the hot account. Returns the next sweep that is due.
 */
export function openSolanaSweeper(
  hot: Hot,
  deps: SweepDeps,
): (situation: Situation) => Promise<MoveDraft | null> {
  const { data } = hot.adapter;
  const isSwept = (token: TokenCode) => (deps.policy()?.tokens.get(token)?.sweepAbove ?? null) !== null;
  return openSweepTurns({ ...deps, adapter: hot.adapter }, (turn, situation) => {
    const withCoins = turn.swept.token !== data.coin && isSwept(data.coin);
    return prepareSweep(hot, deps, { ...turn, withCoins }, situation);
  });
}

/** A text: why it waits. Null if there is nothing to sweep. */
async function prepareSweep(
  hot: Hot,
  deps: SweepDeps,
  wanted: Wanted,
  { own, waiting }: Situation,
): Promise<MoveDraft | Waiting | null> {
  const { swept, above, sweep } = wanted;
  const busy = new Set(waiting.flatMap(({ moves }) => moves.map(({ from }) => from)));
  const found = await lookAtDeposits(hot, deps, { token: swept, above, busy, own });
  if (found.length === 0) return null;
  const worthOf = await openFeeWorth({ ...deps, adapter: hot.adapter }, swept.token, 9);
  if (worthOf === null) return "no_price";
  const network = deps.policy()?.maxFee ?? 0n;
  const maxFee = sweepFeeCap(sweep, { spent: feesOfDay(own, deps.now(), "sweeps"), network });
  if (maxFee === null) return "above_sweep_fee_per_day";
  const limits = { policy: sweep, above, worthOf };
  const worthy = listWorthy(found, limits);
  if (worthy.length === 0) return "above_max_sweep_fee_percent";
  const frame = await openFrame(hot, wanted, maxFee);
  const chosen = fitIn(hot, frame, worthy);
  const refusal = findSweepRefusal(chosen, 0n, limits);
  if (refusal !== null) return refusal;
  const fee = await frame.plan(chosen);
  if (fee === "would_fail") return findFailing(deps, wanted, { frame, chosen });
  if (typeof fee === "string") return fee;
  const tooDear = findSweepRefusal(chosen, fee.cost, limits);
  if (tooDear !== null) return tooDear;
  const lamports = frame.state.accounts[0]?.lamports ?? 0n;
  const reserved = network * BigInt(waiting.length);
  if (lamports - reserved - fee.cost < frame.state.rent.empty) return "hot_balance_too_low";
  await postpone(deps, swept, { deposits: chosen, ms: SWEPT_MS });
  const keys = [hot.key, ...chosen.map(({ key }) => key)];
  return {
    kind: "sweep",
    moves: chosen.flatMap((deposit) => listMoves(hot, wanted, deposit)),
    spends: [],
    expires: frame.state.expires,
    cost: { fee: fee.cost, most: network },
    sign: async () => signDistinct(fee.plan, keys, own),
  };
}

/** The parts that transactions for any of the addresses have in common. */
interface Frame {
  readonly state: Awaited<ReturnType<typeof fetchState>>;
  instructionsFor(deposits: readonly Deposit[]): readonly Instruction[];
  plan(deposits: readonly Deposit[]): ReturnType<typeof chooseFee>;
}

async function openFrame(hot: Hot, { swept, withCoins }: Wanted, maxFee: bigint): Promise<Frame> {
  const { key, sending } = hot;
  const listed = sending.findToken(swept.token);
  const { mint = null, decimals = 0 } = listed ?? {};
  const vault = mint === null ? null : await tokenAccountOf(key.address, mint);
  const state = await fetchState(hot, [key.address, ...(vault === null ? [] : [vault])]);
  const isNew = vault !== null && state.accounts[1] === null;
  const instructionsFor = (deposits: readonly Deposit[]) => [
    ...(isNew && mint !== null
      ? [createTokenAccount(key.address, { owner: key.address, account: vault, mint })]
      : []),
    ...deposits.flatMap(({ key: { address: owner }, accounts, lamports }) => [
      ...accounts.flatMap(({ address: account, amount, closedByOwner }) => [
        transferTokens({ mint: mint ?? "", decimals }, { owner, account }, vault ?? "", amount),
        ...(closedByOwner ? [closeTokenAccount(owner, account, key.address)] : []),
      ]),
      ...((mint === null || withCoins) && lamports > 0n ? [transferSol(owner, key.address, lamports)] : []),
    ]),
  ];
  return {
    state,
    instructionsFor,
    plan: (deposits) =>
      chooseFee(hot, {
        instructions: instructionsFor(deposits),
        state,
        rent: isNew ? state.rent.tokenAccount : 0n,
        signatures: deposits.length + 1,
        maxFee,
      }),
  };
}

/** The first of the addresses, as many as one transaction has room for. */
function fitIn({ key }: Hot, frame: Frame, deposits: readonly Deposit[]): readonly Deposit[] {
  const fits = (chosen: readonly Deposit[]) =>
    isForwarded({
      feePayer: key.address,
      instructions: frame.instructionsFor(chosen),
      blockhash: frame.state.blockhash,
      units: 1,
      unitPrice: 1n,
    });
  let count = Math.min(deposits.length, 1);
  while (count < deposits.length && fits(deposits.slice(0, count + 1))) count += 1;
  return deposits.slice(0, count);
}

/** Passes over the addresses whose own sweep would fail, for an hour, so that the others have their turn. */
async function findFailing(
  deps: SweepDeps,
  { swept }: Wanted,
  { frame, chosen }: { readonly frame: Frame; readonly chosen: readonly Deposit[] },
): Promise<Waiting | null> {
  const failing: Deposit[] = [];
  for (const deposit of chosen) if ((await frame.plan([deposit])) === "would_fail") failing.push(deposit);
  const deposits = failing.length === 0 ? chosen : failing;
  deps.log.warn({ addresses: deposits.map(({ row }) => row.address) }, "not swept: it would fail");
  await postpone(deps, swept, { deposits, ms: FAILED_MS });
  return null;
}

/** Lists the moves of a sweep from one address. */
function listMoves({ key, adapter }: Hot, { swept, withCoins }: Wanted, deposit: Deposit): readonly Move[] {
  const { balance: amount, lamports, row } = deposit;
  const [from, to] = [row.address, key.address];
  const { coin } = adapter.data;
  const coins = { token: coin, amount: toLedgerUnits(lamports, { token: coin, decimals: 9 }), from, to };
  return [{ token: swept.token, amount, from, to }, ...(withCoins && lamports > 0n ? [coins] : [])];
}
