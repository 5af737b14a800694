import type { TransactionNetwork } from "#lib/chains/network.ts";
import { type AlarmReason, openAlarms } from "./alarms.ts";
import type { ChainSigner } from "./chain-signer.ts";
import { openOutcomeCheck } from "./check-outcomes.ts";
import { payoutState } from "./entry-rules.ts";
import type { Journal } from "./journal.ts";
import { openLostPayouts } from "./lost-payouts.ts";
import { moveOwn, storeMissingMoves } from "./move-own.ts";
import { boundTime } from "./node-bounds.ts";
import { payWithdrawals } from "./pay-withdrawals.ts";
import { formRefusal } from "./payout-rules.ts";
import { policyName } from "./policy-rules.ts";
import { sendWaiting } from "./send-waiting.ts";
import type { SendDeps } from "./sign-and-send.ts";
import { type ChainView, listOwn, rememberSigners } from "./situation.ts";
import { openPace, openTurns } from "./turns.ts";
import type { HoldReason } from "./types.ts";

/** A transaction that waits is broadcast again after this time. */
const SEND_AGAIN_MS = 30_000;
/** Between two looks for transactions between accounts of the operator. */
const MOVE_EVERY_MS = 30_000;

/** The next step of one network of the signer. */
export interface Payer {
  /** Broadcasts what is signed and in no block, then signs what may be paid. Throws NodeError when no node answers. */
  step(): Promise<void>;
  /** Why each withdrawal waits, by its reference. */
  readonly held: ReadonlyMap<string, HoldReason>;
  /** How often something was found that only a changed or restored database explains. */
  readonly alarms: ReadonlyMap<AlarmReason, number>;
}

/** Pays the withdrawals of one network. */
export function openPayer(given: Omit<SendDeps, "alarms">): Payer {
  const { adapter, journal, log, now } = given;
  const alarms = openAlarms(log);
  const chain: ChainSigner = {
    ...given.chain,
    ...rememberSigners(given.chain.isSigner),
    checkPayout: (payout) => formRefusal(adapter, payout) ?? given.chain.checkPayout(payout),
  };
  const deps: SendDeps = { ...given, chain, alarms };
  const lost = openLostPayouts(deps);
  const name = policyName(adapter);
  const held = new Map<string, HoldReason>();
  const openStepTurns = openTurns(now);
  const again = listUnpaid(journal, name);
  const observe = openObservation(deps, again);
  const [observePace, movePace] = [openPace(now), openPace(now)];
  let hasStoredMoves = false;
  return {
    held,
    alarms: alarms.counts,
    async step() {
      if (!hasStoredMoves) await storeMissingMoves(deps);
      hasStoredMoves = true;
      let view: ChainView | null = null;
      // Nodes are asked when a transaction may have come further, or when something can be paid. Otherwise nothing is asked.
      const getView = async () => {
        if (view === null) observePace.take();
        view ??= await observe();
        return view;
      };
      const isOpen = () => journal.listOpen(name).length > 0;
      if (isOpen() && observePace.isDue(observeEveryMs(adapter))) await getView();
      await lost.look();
      await payWithdrawals({ ...deps, lost, getView, again, turns: openStepTurns(), held });
      if (chain.prepareMove === undefined || !movePace.isDue(MOVE_EVERY_MS)) return;
      movePace.take();
      await moveOwn(deps, isOpen() ? await getView() : { waiting: [], headTime: now() });
    },
  };
}

/** Three times in a block's time are enough. On a development chain blocks come on demand. */
const observeEveryMs = ({ data }: TransactionNetwork): number =>
  data.isDevelopment ? 0 : Math.min(data.blockSeconds * 333, SEND_AGAIN_MS);

/** The withdrawals of a network for which every transaction is dead. */
function listUnpaid(journal: Journal, name: string): Set<string> {
  const signed = journal.listSigned(name).flatMap(({ payouts }) => payouts);
  const payouts = new Map(signed.map((payout) => [payout.refid, payout]));
  return new Set(
    [...payouts.values()].filter((one) => payoutState(journal, one) === "dead").map(({ refid }) => refid),
  );
}

/**
 * Returns a function that learns what the chain has decided, and sends what waits again. A withdrawal whose every transaction is dead or
 * has failed gets a new one (`again`).
 */
function openObservation(deps: SendDeps, again: Set<string>): () => Promise<ChainView> {
  const { chain, journal, adapter, now, log } = deps;
  const checkOutcomes = openOutcomeCheck(deps);
  const sentAt = new Map<string, number>();
  return async () => {
    const { waiting, settled, headTime } = await chain.observe(journal.listOpen(policyName(adapter)));
    const own = listOwn(deps, waiting);
    const view = { waiting: own, headTime: boundTime(headTime, now(), adapter.network) };
    for (const { entry, outcome } of await checkOutcomes(settled)) {
      journal.settle(entry, outcome, now());
      if (outcome === "dead") log.warn({ txHash: entry.hash }, "a transaction can no longer be in a block");
      if (outcome === "failed")
        log.error({ txHash: entry.hash }, "a payment moved nothing, and cost its fee");
      for (const payout of entry.payouts)
        if (payoutState(journal, payout) === "dead") again.add(payout.refid);
    }
    // The transactions of a former account are first.
    for (const entry of [...waiting.filter((one) => !own.includes(one)), ...own]) {
      const [at, before] = [now().getTime(), sentAt.get(entry.hash) ?? Number.NEGATIVE_INFINITY];
      if (!adapter.data.isDevelopment && at - before < SEND_AGAIN_MS) continue;
      sentAt.set(entry.hash, at);
      await sendWaiting(deps, entry, view);
    }
    return view;
  };
}
