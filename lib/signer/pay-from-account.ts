import { type ChainToken, toChainUnits } from "#lib/chains/units.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { ChainSigner, ChainSignerDeps, Draft, MoveDraft, Prepared, Situation } from "./chain-signer.ts";
import { openCold } from "./cold.ts";
import type { HoldReason, JournalEntry, Transfer } from "./types.ts";

type Built = Omit<Draft, "payouts">;

/** A hot account that pays each withdrawal with a transaction of its own. `T`: a transfer in the form of its family. */
export interface PayingAccount<T extends object> {
  /** Canonical. */
  readonly account: string;
  readonly sending: { fetchBalances(account: string): Promise<ReadonlyMap<TokenCode, bigint>> };
  /** Reads the transfer that a transaction must make. A text: why no transaction may. Asks no node. */
  read(transfer: Transfer): T | HoldReason;
  /** A text: why the transfer cannot be made now. */
  build(transfer: T, situation: Situation): Promise<Built | HoldReason>;
  /** Called before a transfer to the cold address is built, which can be long after the last payout. */
  refresh?(): Promise<void>;
  /** The next sweep that is due. It comes before a transfer to the cold address. */
  sweep?(situation: Situation): Promise<MoveDraft | null>;
}

/** The part of a ChainSigner that is the same for every hot account. */
export function payFromAccount<T extends object>(
  deps: ChainSignerDeps,
  hot: PayingAccount<T>,
): Pick<ChainSigner, "account" | "mostPayouts" | "checkPayout" | "prepare" | "prepareMove"> {
  const { account, sending } = hot;
  const build = async (wanted: Transfer, situation: Situation) => {
    const transfer = hot.read(wanted);
    return typeof transfer === "string" ? transfer : hot.build(transfer, situation);
  };
  const moveToCold = openCold({
    ...deps,
    fetchBalances: () => sending.fetchBalances(account),
    async build(transfer, situation) {
      await hot.refresh?.();
      const built = await build(transfer, situation);
      if (typeof built === "string") return built;
      return { ...built, kind: "cold", moves: [{ ...transfer, from: account }] };
    },
  });
  return {
    account,
    mostPayouts: 1,
    checkPayout(payout) {
      const transfer = hot.read(payout);
      return typeof transfer === "string" ? transfer : null;
    },
    async prepare([payout], situation): Promise<Prepared> {
      if (payout === undefined) return { draft: null, held: new Map() };
      const built = await build(payout, situation);
      if (typeof built === "string") return { draft: null, held: new Map([[payout.refid, built]]) };
      return { draft: { ...built, payouts: [payout] }, held: new Map() };
    },
    prepareMove: async (situation) => (await hot.sweep?.(situation)) ?? moveToCold(situation),
  };
}

/** Adds up what waiting transactions move away from an account, in the token's unit on the chain. */
export function sumWaiting(waiting: readonly JournalEntry[], account: string, unit: ChainToken): bigint {
  const sum = waiting
    .filter(({ kind }) => kind !== "cancel")
    .flatMap(({ payouts, moves }) => [...payouts, ...moves.filter(({ from }) => from === account)])
    .reduce((total, { token, amount }) => (token === unit.token ? total + amount : total), 0n);
  return toChainUnits(sum, unit);
}
