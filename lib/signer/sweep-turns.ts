import type { Logger } from "pino";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import type { SweptToken } from "#lib/domain/deposits/unswept/queries.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { MoveDraft, Situation } from "./chain-signer.ts";
import type { NetworkPolicy, SweepPolicy } from "./types.ts";

/** Until a token that waits is looked at again. */
const WAIT_MS = 300_000;

interface SweepTurnsDeps {
  readonly adapter: NetworkAdapter;
  readonly policy: () => NetworkPolicy | null;
  readonly log: Logger;
  readonly now: () => Date;
  /** See ChainSignerDeps. */
  readonly sweepWaits?: Map<TokenCode, string>;
}

/** A token that the policy lets the signer sweep. */
export interface SweepTurn {
  readonly swept: SweptToken;
  /** The least that one transaction moves, in ledger units. */
  readonly above: bigint;
  readonly sweep: SweepPolicy;
}

/**
 * Gives each token of the policy its turn. `prepare` returns the next sweep of a token, a text why it waits, or null if there is nothing to
 * sweep. A token that waits, also because its fee may not be spent, has its next turn after five minutes.
 */
export function openSweepTurns(
  deps: SweepTurnsDeps,
  prepare: (turn: SweepTurn, situation: Situation) => Promise<MoveDraft | string | null>,
): (situation: Situation) => Promise<MoveDraft | null> {
  const { policy, log } = deps;
  const { env, network } = deps.adapter;
  const waits = openSweepWaits(deps);
  let last: TokenCode | null = null;
  return async (situation) => {
    const { sweep, tokens } = policy() ?? {};
    if (!sweep || !tokens) return null;
    for (const [token, { sweepAbove: above }] of afterLast(tokens, last)) {
      if (above === null || waits.has(token)) continue;
      try {
        const drafted = await prepare({ swept: { env, network, token }, above, sweep }, situation);
        if (typeof drafted === "string") waits.add(token, drafted);
        else waits.end(token);
        if (drafted === null || typeof drafted === "string") continue;
        last = token;
        return { ...drafted, refused: (reason) => waits.add(token, reason) };
      } catch (error) {
        // Nodes refuse calls that fail, and calls that they do not support.
        if (!(error instanceof NodeError) || error.kind !== "refused") throw error;
        log.warn({ token, err: error }, "a node refused a call about a sweep");
        waits.add(token, "node_refused");
      }
    }
    return null;
  };
}

/** Tokens whose sweep waits. Logs each reason once. */
export function openSweepWaits({
  log,
  now,
  sweepWaits: reasons = new Map(),
}: Pick<SweepTurnsDeps, "log" | "now" | "sweepWaits">) {
  const until = new Map<TokenCode, number>();
  return {
    has: (token: TokenCode) => (until.get(token) ?? 0) > now().getTime(),
    add(token: TokenCode, reason: string) {
      const level = reason === "below_sweep_above" ? "debug" : "warn";
      if (reasons.get(token) !== reason) log[level]({ token, reason }, "sweep waits");
      reasons.set(token, reason);
      until.set(token, now().getTime() + WAIT_MS);
    },
    end(token: TokenCode) {
      reasons.delete(token);
      until.delete(token);
    },
  };
}

/** The tokens in their order, starting after the one whose sweep was last, so that none keeps the others from their turn. */
function afterLast<V>(tokens: ReadonlyMap<TokenCode, V>, last: TokenCode | null): [TokenCode, V][] {
  const all = [...tokens];
  const next = all.findIndex(([token]) => token === last) + 1;
  return [...all.slice(next), ...all.slice(0, next)];
}
