import type { Logger } from "pino";
import type { ChainHead } from "#lib/chains/blocks.ts";
import type { EvmSending } from "#lib/chains/evm/sending.ts";
import { getFinalHeight } from "#lib/chains/finality-rules.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { Situation } from "../chain-signer.ts";
import { fetchBoundHead } from "../node-bounds.ts";
import type { JournalEntry } from "../types.ts";
import {
  boundProven,
  type Claim,
  chooseNonce,
  countUnused,
  findGap,
  type Jump,
  MOST_GAP,
  mostProven,
  type NonceLook,
  nextOwn,
  nonceOf,
  senderOf,
} from "./nonce-rules.ts";

const CLAIMED =
  "a node says that the hot account was used elsewhere: nothing is signed until final blocks confirm or refute it";
const JUMPED =
  "nodes say that the hot account was used elsewhere very often: nothing is signed until they have said so for an hour";
const TOO_WIDE =
  "transactions wait behind more unused nonces than are filled: see the hot account in an explorer";

/** The nonces of a hot account. They are those of the last look. */
export interface Nonces {
  /** Asks a node. Throws NodeError. */
  look(): Promise<NonceLook & { readonly head: ChainHead }>;
  /** Null while it is not known which one is next. Throws NodeError. */
  next(situation: Pick<Situation, "own" | "open">): Promise<number | null>;
  /** A nonce that nothing uses, and that transactions wait behind since before the final block. Null without one. */
  gap(situation: Situation): number | null;
}

export function openNonces({
  adapter,
  sending,
  account,
  log,
  now,
}: {
  readonly adapter: NetworkAdapter;
  readonly sending: EvmSending;
  /** Canonical. */
  readonly account: string;
  readonly log: Pick<Logger, "error">;
  readonly now: () => Date;
}): Nonces {
  let seen: NonceLook = { height: 0, finalHeight: 0, mined: 0, upTo: 0 };
  let claim: Claim | null = null;
  let jump: Jump | null = null;
  let gapSince: number | null = null;
  /** A former account has nonces of its own. */
  const listOf = (entries: readonly JournalEntry[]) => entries.filter((entry) => senderOf(entry) === account);
  /** Each node that has the final block is asked: one that errs cannot make the others' count higher. */
  const prove = async (expected: number, most: number) => {
    const said =
      seen.upTo > expected
        ? Math.min(seen.upTo, ...(await sending.fetchFinalNonces(account, seen.finalHeight)))
        : 0;
    const bound = boundProven(most, said, jump, now());
    if (bound.jump !== null && jump === null)
      log.error({ account, expected, claimed: bound.jump.to }, JUMPED);
    jump = bound.jump;
    return bound.proven;
  };
  return {
    async look() {
      const head = await fetchBoundHead(adapter, now());
      const finalHeight = getFinalHeight(adapter.data.finality, head);
      seen = { height: head.height, finalHeight, ...(await sending.fetchNonces(account, finalHeight)) };
      // It must be said for an hour without a break, also while nothing is to be paid.
      if (jump !== null && seen.upTo < jump.to) jump = null;
      return { ...seen, head };
    },
    async next(situation) {
      const own = listOf(situation.own);
      const expected = nextOwn(own);
      const proven = await prove(expected, mostProven(own, listOf(situation.open)));
      if (proven === null) return null;
      const chosen = chooseNonce(own, seen, { proven, claim });
      if (chosen.claim !== null && claim === null)
        log.error({ account, expected, claimed: chosen.claim.mined }, CLAIMED);
      claim = chosen.claim;
      return chosen.nonce;
    },
    gap(situation) {
      const [own, waiting] = [listOf(situation.own), listOf(situation.waiting)];
      const nonce = waiting.length === 0 ? null : findGap(own, seen.mined);
      const size = nonce === null ? 0 : countUnused(own, listOf(situation.open), seen.mined);
      if (size > MOST_GAP) log.error({ account, size }, TOO_WIDE);
      if (size > MOST_GAP) return null;
      // The lower one: a node that once said too much would delay it for ever.
      gapSince = nonce === null ? null : Math.min(gapSince ?? seen.height, seen.height);
      const isStable = nonce !== null && gapSince !== null && seen.finalHeight >= gapSince;
      return isStable && waiting.some((entry) => nonceOf(entry) > nonce) ? nonce : null;
    },
  };
}
