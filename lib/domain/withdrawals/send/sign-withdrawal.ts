import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { lockOwnWithdrawal, upsertPayoutSignature } from "../store.ts";
import type { WithdrawalRow } from "../types.ts";

/**
 * Stores an approver's signature of a pending withdrawal for the signer, which checks it. The newest of each approver counts. `sign` gets
 * the locked row, and throws if it is not what the person has compared.
 */
export const signWithdrawal = defineVerb(
  "withdrawal.sign",
  async (
    { tx, now, merchantId, env },
    {
      refid,
      approver,
      sign,
    }: { readonly refid: string; readonly approver: string; sign(row: WithdrawalRow): string },
  ) => {
    const row = await lockOwnWithdrawal(tx, { merchantId, env, refid });
    if (row === null) return refuse("withdrawal_not_found");
    if (row.status !== "pending") return refuse("withdrawal_already_sent");
    await upsertPayoutSignature(tx, { withdrawalId: row.id, approver, signature: sign(row) }, now);
    return done({ withdrawal: row }, { subject: `withdrawal:${refid}`, details: { approver } });
  },
);
