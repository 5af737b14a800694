import type { NetworkAdapter } from "#lib/chains/network.ts";
import { listMissingWithdrawals } from "#lib/domain/withdrawals/signer/signer-queries.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { Alarms } from "./alarms.ts";
import { payoutState } from "./entry-rules.ts";
import type { Journal } from "./journal.ts";
import { policyName } from "./policy-rules.ts";
import { openPace } from "./turns.ts";
import type { Payout } from "./types.ts";

/** Until the journal is compared with the database again. */
const LOOK_MS = 3_600_000;
const PAGE_SIZE = 10_000;
/** A payment of longer ago holds back no payment that equals it. */
const HOLDS_MS = 30 * 86_400_000;

interface LostDeps {
  readonly db: Db;
  readonly adapter: Pick<NetworkAdapter, "env" | "network">;
  readonly journal: Journal;
  readonly alarms: Alarms;
  readonly now: () => Date;
}

/** Payments of the journal whose withdrawals the database lacks: it was restored from before them, or somebody removed or changed them. */
export interface LostPayouts {
  /** Compares the journal with the database, at the first call and every hour. */
  look(): Promise<void>;
  /** Whether a payout equals one of them, so that it may be asked for a second time. */
  has(payout: Payout): boolean;
}

export function openLostPayouts(deps: LostDeps): LostPayouts {
  const { adapter, now } = deps;
  const pace = openPace(now);
  let lost = new Set<string>();
  return {
    async look() {
      if (!pace.isDue(LOOK_MS)) return;
      // A look that fails ends the step, and the next step looks again.
      lost = new Set(await findLost(deps, policyName(adapter)));
      pace.take();
    },
    has: (payout) => lost.has(keyOf(payout)),
  };
}

const keyOf = ({ token, amount, to }: Payout): string => `${token} ${amount} ${to}`;

async function findLost({ db, adapter, journal, alarms, now }: LostDeps, name: string): Promise<string[]> {
  const since = now().getTime() - HOLDS_MS;
  const signed = journal
    .listLive(name)
    .filter(({ kind }) => kind === "payout")
    .flatMap(({ payouts, hash: txHash, at }) =>
      payouts.map((payout) => ({ ...payout, txHash, at, isFinal: journal.outcomeOf(txHash) === "final" })),
    );
  const held: string[] = [];
  for (let from = 0; from < signed.length; from += PAGE_SIZE)
    for (const payout of await listMissingWithdrawals(
      db,
      adapter.env,
      signed.slice(from, from + PAGE_SIZE),
    )) {
      const { refid, token, amount, to, txHash, at, isEnteredAgain } = payout;
      // A person needs these details to enter it again.
      if (!isEnteredAgain)
        alarms.raise("withdrawal_missing", { refid }, { txHash, token, amount: `${amount}`, to });
      if (at.getTime() > since && isPaid(journal, payout)) held.push(keyOf(payout));
    }
  return held;
}

/** Whether a transaction pays it or can. */
const isPaid = (journal: Journal, payout: Payout): boolean => {
  const state = payoutState(journal, payout);
  return state !== "unsigned" && state !== "dead";
};
