import { storeOutgoing } from "#lib/domain/withdrawals/send/submit-payment.ts";
import { listMissingHashes } from "#lib/domain/withdrawals/signer/signer-queries.ts";
import { policyName } from "./policy-rules.ts";
import { type SendDeps, signAndSend } from "./sign-and-send.ts";
import { type ChainView, situationOf } from "./situation.ts";

/** The most transactions between accounts of the operator in one step. */
const MOST_MOVES = 5;

/** Signs and sends what is due between accounts of the operator. */
export async function moveOwn(deps: SendDeps, view: ChainView): Promise<void> {
  const { chain, log } = deps;
  const { headTime } = view;
  for (let done = 0; done < MOST_MOVES; done++) {
    const situation = situationOf(deps, view.waiting);
    const fill = await chain.prepareFill?.(situation);
    const isFull = view.waiting.length >= chain.mostWaiting;
    const draft = fill ?? (isFull ? null : await chain.prepareMove?.(situation));
    if (!draft) return;
    const { kind, moves, refused } = draft;
    const signed = await signAndSend(deps, { kind, moves, payouts: [], draft, headTime, rows: [] });
    if (signed === null) return;
    if (typeof signed !== "string") {
      view.waiting = [...view.waiting, signed];
      log.info({ kind, txHash: signed.hash }, "moved between own accounts");
      continue;
    }
    log.warn({ kind, reason: signed }, "not signed: its fee may not be spent");
    if (refused === undefined) return;
    refused(signed);
  }
}

/**
 * Stores final transactions between own accounts that the database lacks, as it was restored: without them their fees are missing in the
 * books. Transactions that are not final are stored before they are sent again, and payouts with their withdrawals.
 */
export async function storeMissingMoves({ db, adapter, journal, now, alarms }: SendDeps): Promise<void> {
  const final = journal
    .listLive(policyName(adapter))
    .filter(({ kind, hash }) => kind !== "payout" && journal.outcomeOf(hash) === "final");
  const missing = new Set(
    await listMissingHashes(
      db,
      adapter,
      final.map(({ hash }) => hash),
    ),
  );
  for (const entry of final.filter(({ hash }) => missing.has(hash))) {
    await storeOutgoing(db, entry, now());
    alarms.raise("transaction_missing", { txHash: entry.hash });
  }
}
