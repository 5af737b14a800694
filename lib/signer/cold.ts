import type { Logger } from "pino";
import { roundDownTo } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import type { MoveDraft, Situation } from "./chain-signer.ts";
import type { HoldReason, NetworkPolicy } from "./types.ts";

/** Between two looks at the hot account's balances. */
const LOOK_MS = 600_000;

interface ColdTransfer {
  readonly token: TokenCode;
  /** Ledger units. */
  readonly amount: bigint;
  readonly to: string;
}

export interface ColdDeps {
  readonly policy: () => NetworkPolicy | null;
  readonly vault: string;
  readonly fetchBalances: (account: string) => Promise<ReadonlyMap<TokenCode, bigint>>;
  /** Decimals of a token on this chain. null: it is not listed. */
  readonly decimalsOf: (token: TokenCode) => number | null;
  /** Builds a transfer of the hot account. A text: why it cannot be made now. */
  readonly build: (transfer: ColdTransfer, situation: Situation) => Promise<MoveDraft | HoldReason>;
  readonly log: Logger;
  readonly now: () => Date;
}

/** Moves what the hot account holds above a token's maximum to the cold address. Returns the next transfer that is due. */
export function openCold(deps: ColdDeps): (situation: Situation) => Promise<MoveDraft | null> {
  const { policy, vault, log, now } = deps;
  let lookAt = 0;
  return async (situation) => {
    const { cold = null, tokens } = policy() ?? {};
    const limited = [...(tokens ?? [])].filter(([, { hot }]) => hot !== null);
    const isQuiet = situation.waiting.length === 0;
    if (cold === null || limited.length === 0 || !isQuiet || now().getTime() < lookAt) return null;
    const balances = await deps.fetchBalances(vault);
    for (const [token, { hot }] of limited) {
      const balance = balances.get(token) ?? 0n;
      const decimals = deps.decimalsOf(token);
      if (decimals === null || hot === null || balance <= hot.maximum) continue;
      const amount = roundDownTo(balance - hot.target, TOKENS[token].ledgerDecimals, decimals);
      const built = await deps.build({ token, amount, to: cold }, situation);
      if (typeof built !== "string") return built;
      log.warn({ token, reason: built }, "nothing moved to the cold address");
    }
    lookAt = now().getTime() + LOOK_MS;
    return null;
  };
}
