import { keccak256, type PrivateKeyAccount } from "viem";
import type { EvmSendState } from "#lib/chains/evm/sending.ts";
import type { SweptToken } from "#lib/domain/deposits/unswept/queries.ts";
import type { MoveDraft, Situation } from "../chain-signer.ts";
import { feesOfDay } from "../fee-limits.ts";
import { openFeeWorth } from "../fee-worth.ts";
import { openSweepTurns, type SweepTurn } from "../sweep-turns.ts";
import type { Move, NetworkPolicy } from "../types.ts";
import { chooseFees, costOf, type EvmFees } from "./fee-rules.ts";
import { type Deposit, type Look, type LookDeps, lookAtDeposits, postpone } from "./look-at-deposits.ts";
import type { Nonces } from "./nonces.ts";
import { chooseSweep, clearingGas, type SweepRefusal } from "./sweep-rules.ts";
import { encodeSweep, NO_DELEGATE } from "./sweeper/sweeper.ts";

/** The decimals of a coin on EVM networks. */
const WEI_DECIMALS = 18;

export interface SweepDeps extends LookDeps {
  readonly policy: () => NetworkPolicy | null;
  readonly account: PrivateKeyAccount;
  /** The nonces of the hot account. */
  readonly nonces: Nonces;
  /** The account of a deposit address. */
  readonly openDeposit: (index: number) => PrivateKeyAccount;
}

type Waiting =
  | SweepRefusal
  | "sweeper_not_deployed"
  | "network_fee_too_high"
  | "no_price"
  | "hot_balance_too_low";

/**
 * Sweeps deposit addresses to the hot account, up to 50 in a transaction that the hot account pays for (ADR 0029). Returns the next sweep that
 * is due. Asks no node while the database has nothing to sweep.
 */
export function openSweeper(deps: SweepDeps): (situation: Situation) => Promise<MoveDraft | null> {
  let code = "0x";
  const getCode = async () => {
    if (code === "0x") code = (await deps.sending.fetchAccounts([deps.contract]))[0]?.code ?? "0x";
    return code;
  };
  const nextSweep = openSweepTurns(deps, (turn, situation) =>
    prepareToken(deps, { ...turn, getCode }, situation),
  );
  // One at a time: the next one begins with what this one leaves.
  return async (situation) =>
    situation.waiting.some(({ kind }) => kind === "sweep") ? null : nextSweep(situation);
}

interface Wanted extends SweepTurn {
  readonly getCode: () => Promise<string>;
}

/** A sweep of one token. A text: why it waits. Null if there is nothing to sweep. */
async function prepareToken(
  deps: SweepDeps,
  { swept, above, sweep, getCode }: Wanted,
  situation: Situation,
): Promise<MoveDraft | Waiting | null> {
  const { sending, vault } = deps;
  const look = await lookAtDeposits(deps, swept, { above, own: situation.own, getCode });
  if (look === null || typeof look === "string") return look;
  const state = await sending.fetchState({ from: vault, to: vault, value: 0n, contract: null });
  const fees = chooseFees(state, deps.policy()?.maxFee ?? 0n);
  if (fees === null) return "network_fee_too_high";
  const plan = await planSweep(
    deps,
    { swept, above, sweep },
    { look, state, fees, spent: feesOfDay(situation.own, deps.now(), "sweeps") },
  );
  if (typeof plan === "string" || plan === null) return plan;
  if (plan.gas * fees.maxFeePerGas > state.coinBalance) return "hot_balance_too_low";
  return draftOf(deps, { swept, above, fees, ...plan }, situation);
}

interface Plan {
  readonly deposits: readonly Deposit[];
  /** The delegate of the addresses that are not delegated to it yet. */
  readonly delegate: string;
  readonly call: { readonly to: string; readonly data: string };
  readonly gas: bigint;
}

/** Plans the sweep of the addresses that are worth it. Else delegations that have done their work are removed. */
async function planSweep(
  deps: SweepDeps,
  { swept: { token }, above, sweep }: SweepTurn,
  {
    look,
    state,
    fees,
    spent,
  }: {
    readonly look: Look;
    readonly state: EvmSendState;
    readonly fees: EvmFees;
    readonly spent: bigint;
  },
): Promise<Plan | Waiting | null> {
  const { vault, contract, sending } = deps;
  const now = state.baseFeePerGas + state.priorityFeePerGas;
  const worthOf = await openFeeWorth(deps, token, WEI_DECIMALS);
  const choice =
    worthOf === null
      ? ({ ok: false, reason: "no_price" } as const)
      : chooseSweep(look.holding, {
          policy: sweep,
          above,
          price: { now, most: fees.maxFeePerGas, worthOf },
          spent,
        });
  if (choice.ok) {
    const accounts = choice.chosen.map(({ row }) => row.address);
    const data = encodeSweep(sending.findToken(token)?.contract ?? null, accounts);
    return {
      deposits: choice.chosen,
      delegate: contract,
      call: { to: contract, data },
      gas: choice.gasLimit,
    };
  }
  const deposits = look.clearing;
  if (deposits.length === 0) return look.holding.length === 0 ? null : choice.reason;
  const gas = clearingGas(deposits.length);
  if (spent + gas * fees.maxFeePerGas > sweep.feePerDay) return "above_sweep_fee_per_day";
  return { deposits, delegate: NO_DELEGATE, call: { to: vault, data: "0x" }, gas };
}

async function draftOf(
  deps: SweepDeps,
  plan: Plan & { readonly swept: SweptToken; readonly above: bigint; readonly fees: EvmFees },
  situation: Situation,
): Promise<MoveDraft | null> {
  const { sending, account, vault, openDeposit } = deps;
  const { deposits, delegate, call, swept, fees, gas, above } = plan;
  // It may have been quiet for long.
  await deps.nonces.look();
  const nonce = await deps.nonces.next(situation);
  if (nonce === null) return null;
  await postpone(deps, swept, { deposits, above });
  const { chainId } = sending;
  const isClearing = delegate === NO_DELEGATE;
  const moves = deposits.map(
    ({ row, balance: amount }): Move => ({ token: swept.token, amount, from: row.address, to: vault }),
  );
  return {
    kind: "sweep",
    moves: isClearing ? [] : moves,
    spends: [`${vault}:${nonce}`],
    expires: null,
    cost: costOf({ ...fees, gas }, { gas, price: deps.policy()?.maxFee ?? 0n }),
    async sign() {
      const authorizing = deposits.filter(({ isDelegated }) => isClearing || !isDelegated);
      const authorizationList = await Promise.all(
        // For this network alone, and once: the account's next nonce.
        authorizing.map((one) =>
          openDeposit(one.row.index).signAuthorization({
            chainId,
            address: delegate as `0x${string}`,
            nonce: one.nonce,
          }),
        ),
      );
      const raw = await account.signTransaction({
        ...fees,
        ...call,
        chainId,
        nonce,
        gas,
        value: 0n,
        ...(authorizationList.length > 0 && { authorizationList }),
      } as Parameters<typeof account.signTransaction>[0]);
      return { hash: keccak256(raw), raw };
    },
  };
}
