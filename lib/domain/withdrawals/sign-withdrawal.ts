import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { findWithdrawalByRefid } from "./queries.ts";
import { lockWithdrawal, upsertPayoutSignature } from "./store.ts";
import type { WithdrawalRow } from "./types.ts";

/** Stores an approver's signature of a pending withdrawal for the signer, which checks it. The newest of each approver counts. */
export async function signWithdrawal(
  db: Db,
  { refid, approver, actor }: { readonly refid: string; readonly approver: string; readonly actor: string },
  sign: (row: WithdrawalRow) => string,
  now: Date,
): Promise<
  | { readonly ok: true; readonly withdrawal: WithdrawalRow }
  | { readonly ok: false; readonly reason: "withdrawal_not_found" | "withdrawal_already_sent" }
> {
  const found = await findWithdrawalByRefid(db, { env: null, refid, merchantId: null });
  if (found === null) return { ok: false, reason: "withdrawal_not_found" };
  return db.transaction(async (tx) => {
    const row = await lockWithdrawal(tx, found.id);
    if (row?.status !== 0) return { ok: false, reason: "withdrawal_already_sent" } as const;
    await upsertPayoutSignature(tx, { withdrawalId: row.id, approver, signature: sign(row) }, now);
    const entry = { actor, action: "withdrawal.sign", subject: `withdrawal:${refid}`, details: { approver } };
    await recordDecision(tx, entry, now);
    return { ok: true, withdrawal: row } as const;
  });
}
