import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { actorOf } from "#lib/domain/authority/actor.ts";
import { may } from "#lib/domain/authority/role-rules.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import { type Site, startPasskeyProof, verifyPasskeyProof } from "#lib/domain/members/passkeys.ts";
import { listMembers } from "#lib/domain/members/queries.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { approvalChallenge } from "./approval-challenge.ts";
import { type ApprovalRefusal, approvalRefusal, waitsForApproval } from "./approval-rules.ts";
import { findAsker } from "./find-asker.ts";
import { findWithdrawalByRefid } from "./queries.ts";
import { findHold } from "./signer-queries.ts";
import { lockWithdrawal, updateWithdrawal, upsertApproval, upsertPolicy } from "./store.ts";
import type { WithdrawalRow } from "./types.ts";

type Refusal<Reason> = { readonly ok: false; readonly reason: Reason };

/** A withdrawal, and the person who is to approve it. */
export interface ApprovalRequest {
  /** The merchant that they work for. Null if they are an operator, whose approval only the signer counts. */
  readonly merchantId: number | null;
  readonly env: WithdrawalRow["env"];
  readonly refid: string;
  readonly userId: number;
}

/** The reason of a hold that ends when enough approvers of the signer's policy have signed. */
export const APPROVERS_MISSING = "approvals_missing";

/**
 * Whether an approval is for the signer alone: an operator's, or a member's where no second person is needed any more, but the signer
 * says that it waits for approvers.
 */
export async function isForSigner(
  db: Db,
  row: WithdrawalRow,
  { merchantId }: Pick<ApprovalRequest, "merchantId">,
): Promise<boolean> {
  if (merchantId === null) return true;
  return !waitsForApproval(row) && (await findHold(db, row))?.reason === APPROVERS_MISSING;
}

/** Options for `navigator.credentials.get` with which a person approves a withdrawal. Refused if they may not. */
export async function startApproval(
  db: Db,
  site: Site,
  request: ApprovalRequest,
): Promise<
  | { readonly ok: true; readonly options: Awaited<ReturnType<typeof startPasskeyProof>> }
  | Refusal<ApprovalRefusal | "withdrawal_not_found">
> {
  const row = await findWithdrawalByRefid(db, request);
  if (row === null) return { ok: false, reason: "withdrawal_not_found" };
  const forSigner = await isForSigner(db, row, request);
  const asker = await findAsker(db, row);
  const reason = approvalRefusal({ ...row, asker }, actorOf(request.userId), { forSigner });
  if (reason !== null) return { ok: false, reason };
  return { ok: true, options: await startPasskeyProof(site, approvalChallenge(row)) };
}

/**
 * Stores a person's approval of a withdrawal, signed by their passkey over its network, token, amount and destination. The signer checks
 * the signature again, with the keys of its policy.
 */
export async function approveWithdrawal(
  db: Db,
  site: Site,
  request: ApprovalRequest & { readonly answer: string },
  now: Date,
): Promise<
  | { readonly ok: true; readonly forSigner: boolean }
  | Refusal<ApprovalRefusal | "withdrawal_not_found" | "wrong_passkey">
> {
  const { userId, answer, refid } = request;
  const found = await findWithdrawalByRefid(db, request);
  if (found === null) return { ok: false, reason: "withdrawal_not_found" };
  const challenge = approvalChallenge(found);
  const proof = await verifyPasskeyProof(db, site, { userId, answer, challenge });
  if (proof === null) return { ok: false, reason: "wrong_passkey" };
  const forSigner = await isForSigner(db, found, request);
  return db.transaction(async (tx) => {
    const row = await lockWithdrawal(tx, found.id);
    if (row === null) return { ok: false, reason: "withdrawal_not_found" } as const;
    const asker = await findAsker(tx, row);
    const reason = approvalRefusal({ ...row, asker }, actorOf(userId), { forSigner });
    if (reason !== null) return { ok: false, reason };
    // It signed the row as it was read. Only what it signed is approved.
    const isSigned = approvalChallenge(row).equals(challenge) && (await proof.use(tx, now));
    if (!isSigned) return { ok: false, reason: "wrong_passkey" } as const;
    if (!forSigner) await updateWithdrawal(tx, row.id, { approvedAt: now }, now);
    await upsertApproval(tx, { withdrawalId: row.id, userId, assertion: answer, createdAt: now });
    const entry = {
      action: "withdrawal.approve",
      subject: `withdrawal:${refid}`,
      merchantId: row.merchantId,
    };
    const details = { env: row.env, ...(forSigner && { for: "signer" }) };
    await recordDecision(tx, { actor: actorOf(userId), ...entry, details }, now);
    return { ok: true, forSigner } as const;
  });
}

/** People of a merchant who may approve. Fewer could not approve what one of them asks for. */
const FEWEST = 2;

/**
 * Sets whether a second person must approve each withdrawal that is asked for from now on. False if the merchant has nobody
 * else who could: all its withdrawals would wait for ever.
 */
export async function setSecondPerson(
  tx: Tx,
  {
    actor,
    merchantId,
    secondPerson,
  }: { readonly actor: string; readonly merchantId: number; readonly secondPerson: boolean },
  now: Date,
): Promise<boolean> {
  await lockMerchant(tx, merchantId);
  const people = (await listMembers(tx, merchantId)).filter(({ role }) => may(role, "withdrawals.approve"));
  if (secondPerson && people.length < FEWEST) return false;
  await upsertPolicy(tx, { merchantId, secondPerson }, now);
  const entry = { actor, action: "withdrawal.policy", subject: `merchant:${merchantId}`, merchantId };
  await recordDecision(tx, { ...entry, details: { second_person: secondPerson } }, now);
  return true;
}
