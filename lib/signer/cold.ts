import type { Logger } from "pino";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { roundDownTo } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import type { MoveDraft, Situation } from "./chain-signer.ts";
import type { HoldReason, NetworkPolicy, Transfer } from "./types.ts";

/** Between two looks at the hot account's balances. */
const LOOK_MS = 600_000;

interface ColdDeps {
  readonly adapter: NetworkAdapter;
  readonly policy: () => NetworkPolicy | null;
  /** Fetches the hot account's balance of each listed token, in ledger units. */
  readonly fetchBalances: () => Promise<ReadonlyMap<TokenCode, bigint>>;
  /** Builds a transfer of the hot account. A text: why it cannot be made now. */
  readonly build: (transfer: Transfer, situation: Situation) => Promise<MoveDraft | HoldReason>;
  readonly log: Logger;
  readonly now: () => Date;
}

/** Moves what the hot account holds above a token's maximum to the cold address. Returns the next transfer that is due. */
export function openCold(deps: ColdDeps): (situation: Situation) => Promise<MoveDraft | null> {
  const { adapter, policy, log, now } = deps;
  let lookAt = 0;
  return async (situation) => {
    const { cold = null, tokens } = policy() ?? {};
    const limited = [...(tokens ?? [])].filter(([, { hot }]) => hot !== null);
    const isQuiet = situation.waiting.length === 0;
    if (cold === null || limited.length === 0 || !isQuiet || now().getTime() < lookAt) return null;
    const balances = await deps.fetchBalances();
    for (const [token, { hot }] of limited) {
      const balance = balances.get(token) ?? 0n;
      const decimals = adapter.data.tokens[token]?.decimals;
      if (decimals === undefined || hot === null || balance <= hot.maximum) continue;
      const amount = roundDownTo(balance - hot.target, TOKENS[token].ledgerDecimals, decimals);
      const built = await deps.build({ token, amount, to: cold }, situation);
      if (typeof built !== "string") return built;
      log.warn({ token, reason: built }, "nothing moved to the cold address");
    }
    lookAt = now().getTime() + LOOK_MS;
    return null;
  };
}
