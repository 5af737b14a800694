import { actorOf } from "#lib/domain/authority/actor.ts";
import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import type { Act } from "#lib/domain/authority/types.ts";
import { isOperator } from "#lib/domain/authority/verb-rules.ts";
import { type Site, startPasskeyProof, verifyPasskeyProof } from "#lib/domain/members/passkeys.ts";
import { findMerchant } from "#lib/domain/merchants/queries.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { findAsker } from "../find-asker.ts";
import { findWithdrawalByRefid, isSecondDemanded } from "../queries.ts";
import { findHold } from "../signer/signer-queries.ts";
import { lockWithdrawal, updateWithdrawal, upsertApproval, upsertPayoutSignature } from "../store.ts";
import type { WithdrawalRow } from "../types.ts";
import { approvalChallenge } from "./approval-challenge.ts";
import {
  type Approvable,
  type ApprovalRefusal,
  approvalRefusal,
  waitsForApproval,
} from "./approval-rules.ts";

/** The reason of a hold that ends when enough approvers of the signer's policy have signed. */
const APPROVERS_MISSING = "approvals_missing";

/**
 * Whether an approval is for the signer alone: an operator's, or a member's where the merchant needs no approval any more, but the signer
 * says that it waits for approvers.
 */
export async function isForSigner(
  db: Db | Tx,
  row: WithdrawalRow,
  { byOperator }: { readonly byOperator: boolean },
): Promise<boolean> {
  if (byOperator) return true;
  return !waitsForApproval(row) && (await findHold(db, row))?.reason === APPROVERS_MISSING;
}

/** A withdrawal with what approvalRefusal asks about it. */
export async function findApprovable(db: Db | Tx, row: WithdrawalRow): Promise<WithdrawalRow & Approvable> {
  return {
    ...row,
    asker: await findAsker(db, row),
    isSecondDemanded: await isSecondDemanded(db, row),
    isMerchantActive: (await findMerchant(db, row.merchantId))?.status === "active",
  };
}

/** Options for `navigator.credentials.get` with which a person approves a withdrawal. Refused if they may not. */
export async function startApproval(
  db: Db,
  site: Site,
  { actor, merchantId, env }: Pick<Act, "actor" | "merchantId" | "env">,
  refid: string,
): Promise<
  | { readonly ok: true; readonly options: Awaited<ReturnType<typeof startPasskeyProof>> }
  | { readonly ok: false; readonly reason: ApprovalRefusal | "withdrawal_not_found" }
> {
  const row = await findWithdrawalByRefid(db, { merchantId, env, refid });
  if (row === null || actor.kind !== "person") return { ok: false, reason: "withdrawal_not_found" };
  const forSigner = await isForSigner(db, row, { byOperator: isOperator(actor) });
  const reason = approvalRefusal(await findApprovable(db, row), actorOf(actor.userId), { forSigner });
  if (reason !== null) return { ok: false, reason };
  return { ok: true, options: await startPasskeyProof(site, approvalChallenge(row)) };
}

/**
 * Stores a person's approval of a withdrawal, signed by their passkey over its network, token, amount and destination. The signer checks
 * the signature again, with the keys of its policy. `answer` is the browser's. The command has no passkey, so it approves nothing.
 */
export const approveWithdrawal = defineVerb(
  "withdrawal.approve",
  async (
    { tx, now, actor, merchantId, env },
    { site, refid, answer }: { readonly site: Site; readonly refid: string; readonly answer: string },
  ) => {
    const found = await findWithdrawalByRefid(tx, { merchantId, env, refid });
    if (found === null) return refuse("withdrawal_not_found");
    if (actor.kind !== "person") return refuse("wrong_passkey");
    const { userId } = actor;
    const challenge = approvalChallenge(found);
    const proof = await verifyPasskeyProof(tx, site, { userId, answer, challenge });
    if (proof === null) return refuse("wrong_passkey");
    const forSigner = await isForSigner(tx, found, { byOperator: isOperator(actor) });
    const row = await lockWithdrawal(tx, found.id);
    if (row === null) return refuse("withdrawal_not_found");
    const reason = approvalRefusal(await findApprovable(tx, row), actorOf(userId), { forSigner });
    if (reason !== null) return refuse(reason);
    // It signed the row as it was read. Only what it signed is approved.
    const isSigned = approvalChallenge(row).equals(challenge) && (await proof.use(tx, now));
    if (!isSigned) return refuse("wrong_passkey");
    if (!forSigner) await updateWithdrawal(tx, row.id, { approvedAt: now }, now);
    await upsertApproval(tx, { withdrawalId: row.id, userId, assertion: answer, createdAt: now });
    const details = { env: row.env, ...(forSigner && { for: "signer" }) };
    return done({ forSigner }, { subject: `withdrawal:${refid}`, details });
  },
);

/**
 * Stores an approver's signature of a pending withdrawal for the signer, which checks it. The newest of each approver counts. `sign` gets
 * the row, and throws if it is not what the person has compared. Nothing is locked, as an approver's role may not: a signature of what was
 * sent or changed meanwhile counts for nothing.
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
    const row = await findWithdrawalByRefid(tx, { merchantId, env, refid });
    if (row === null) return refuse("withdrawal_not_found");
    if (row.status !== "pending") return refuse("withdrawal_already_sent");
    await upsertPayoutSignature(tx, { withdrawalId: row.id, approver, signature: sign(row) }, now);
    return done({ withdrawal: row }, { subject: `withdrawal:${refid}`, details: { approver } });
  },
);
