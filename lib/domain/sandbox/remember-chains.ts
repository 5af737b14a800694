import type { NetworkCode } from "#lib/chains/networks.ts";
import type { Payer } from "#lib/dev-chains/payers/types.ts";
import type { Clock } from "#lib/platform/clock.ts";

/** A node is asked at most this often, and only while pages are opened. */
const KEPT_MS = 60_000;
/** The same after a question that no node answered. */
const UNKNOWN_KEPT_MS = 5_000;
/** A page is not kept waiting longer for a node. */
const PATIENCE_MS = 300;

interface Known {
  /** The last answer. None counts as no. */
  answer: boolean;
  /** The time of the next question, in milliseconds. */
  askAgainAt: number;
  /** Ends with the running question, or when a page has waited long enough for it. */
  patience: Promise<void>;
}

/**
 * Remembers which networks are development chains, as pages need it: anyone can open those as often as they like. A page waits only
 * briefly for a first answer, and not at all where the former one was yes. A payment asks the nodes again.
 */
export function rememberChains({
  now,
  sleep,
}: Clock): (network: NetworkCode, payer: Pick<Payer, "isDevelopmentChain">) => Promise<boolean> {
  const known = new Map<NetworkCode, Known>();
  function ask(entry: Known, payer: Pick<Payer, "isDevelopmentChain">): void {
    const answered = new AbortController();
    entry.askAgainAt = Number.POSITIVE_INFINITY;
    entry.patience = sleep(PATIENCE_MS, answered.signal);
    const keep = (answer: boolean, forMs: number) => {
      entry.answer = answer;
      entry.askAgainAt = now().getTime() + forMs;
      // Without a reason it would make an error.
      answered.abort("answered");
    };
    payer.isDevelopmentChain().then(
      (answer) => keep(answer, KEPT_MS),
      () => keep(false, UNKNOWN_KEPT_MS),
    );
  }
  return async (network, payer) => {
    const entry = known.get(network) ?? { answer: false, askAgainAt: 0, patience: Promise.resolve() };
    known.set(network, entry);
    if (now().getTime() >= entry.askAgainAt) ask(entry, payer);
    if (!entry.answer) await entry.patience;
    return entry.answer;
  };
}
