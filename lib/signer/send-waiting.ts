import { storeOutgoing } from "#lib/domain/withdrawals/send/submit-payment.ts";
import { findOutgoingRaw } from "#lib/domain/withdrawals/signer/signer-queries.ts";
import type { WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import { decideSending } from "./send-rules.ts";
import { broadcast, listRows, type SendDeps, signAndSend, storePayment } from "./sign-and-send.ts";
import { type ChainView, situationOf } from "./situation.ts";
import type { JournalEntry } from "./types.ts";

/**
 * Broadcasts a signed transaction once more, byte for byte. A transaction that the database lacks is stored first. If a withdrawal of it
 * was ended after it was signed, also by a payment of a person, what it spends is used for nothing instead, so that later ones can follow.
 */
export async function sendWaiting(deps: SendDeps, entry: JournalEntry, view: ChainView): Promise<void> {
  const { db, now, adapter, alarms, journal, log } = deps;
  const { hash: txHash, kind } = entry;
  const raw = await findOutgoingRaw(db, entry);
  const rows = kind === "payout" ? await listRows(deps, entry) : [];
  const { blockSeconds } = adapter.data;
  for (const action of decideSending(journal, entry, { raw, rows }, { now: now(), blockSeconds }))
    switch (action.kind) {
      case "alarm":
        alarms.raise(action.reason, { txHash });
        break;
      case "cancel":
        log.error(
          { refids: action.ended.map(({ refid }) => refid), txHash },
          "a withdrawal was ended after its payment was signed: the payment is canceled",
        );
        await replace(deps, { entry, purpose: "cancel", rows: [] }, view);
        break;
      case "store":
        await storeOutgoing(db, entry, now());
        break;
      case "store_payment": {
        const stored = await storePayment(deps, entry, rows);
        if (stored === "changed") return;
        if (stored === "stored") break;
        // It pays the withdrawal that has it, and those that can have it. Nobody may decline these any more when it is sent.
        for (const row of rows) if ((await storePayment(deps, entry, [row])) === "changed") return;
        await storeOutgoing(db, entry, now());
        break;
      }
      case "raise": {
        const raised = await replace(deps, { entry, purpose: "raise", rows }, view);
        if (raised === null) break;
        if (raised.kind !== kind) log.error({ txHash }, "a payment that fits into no block is canceled");
        else log.info({ txHash: raised.hash, replaces: txHash }, "the fee of a transaction was raised");
        return;
      }
      case "broadcast":
        await broadcast(deps, entry);
    }
}

interface Replacement {
  readonly entry: JournalEntry;
  readonly purpose: "raise" | "cancel";
  /** The withdrawals that it still pays. With those that a cancellation does not end it proves that they are not paid. */
  readonly rows: readonly WithdrawalRow[];
}

/** Signs and sends a transaction that excludes another. Null if that one stays as it is. */
async function replace(
  deps: SendDeps,
  { entry, purpose, rows }: Replacement,
  { waiting, headTime }: ChainView,
): Promise<JournalEntry | null> {
  const { chain, log } = deps;
  if (chain.isSigner?.(entry) === false) return null;
  const draft = await chain.prepareReplacement?.(entry, purpose, situationOf(deps, waiting));
  if (!draft) return null;
  const kind = entry.kind === "payout" && draft.payouts.length === 0 ? "cancel" : entry.kind;
  const { payouts, moves } = entry;
  const signed = await signAndSend(deps, { kind, payouts, moves, draft, headTime, rows });
  if (typeof signed !== "string") return signed;
  log.warn({ kind, reason: signed }, "not signed: its fee may not be spent");
  return null;
}
