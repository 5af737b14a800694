import { createHash } from "node:crypto";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { actorOf } from "#lib/domain/members/own-entry.ts";
import { type Site, startPasskeyProof, verifyPasskeyProof } from "#lib/domain/members/passkeys.ts";
import { listMembers } from "#lib/domain/members/queries.ts";
import { may } from "#lib/domain/members/role-rules.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { type ApprovalRefusal, approvalRefusal, approvalText } from "./approval-rules.ts";
import { findWithdrawalByRefid } from "./queries.ts";
import { insertApproval, lockWithdrawal, updateWithdrawal, upsertPolicy } from "./store.ts";
import type { WithdrawalRow } from "./types.ts";

type Refusal<Reason> = { readonly ok: false; readonly reason: Reason };

/** A withdrawal of a merchant, and the person who is to approve it. */
export interface ApprovalRequest {
  readonly merchantId: number;
  readonly env: WithdrawalRow["env"];
  readonly refid: string;
  readonly userId: number;
}

/** The challenge of an approval: SHA-256 of the withdrawal's text. */
export const approvalChallenge = (row: Parameters<typeof approvalText>[0]): Buffer =>
  createHash("sha256").update(approvalText(row)).digest();

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
  const reason = approvalRefusal(row, actorOf(request.userId));
  if (reason !== null) return { ok: false, reason };
  return { ok: true, options: await startPasskeyProof(site, approvalChallenge(row)) };
}

/**
 * Stores a person's approval of a withdrawal, signed by their passkey over its network, token, amount and destination. The
 * one who sends it can check the signature again.
 */
export async function approveWithdrawal(
  db: Db,
  site: Site,
  request: ApprovalRequest & { readonly answer: string },
  now: Date,
): Promise<{ readonly ok: true } | Refusal<ApprovalRefusal | "withdrawal_not_found" | "wrong_passkey">> {
  const { userId, answer, refid } = request;
  const found = await findWithdrawalByRefid(db, request);
  if (found === null) return { ok: false, reason: "withdrawal_not_found" };
  const challenge = approvalChallenge(found);
  const proof = await verifyPasskeyProof(db, site, { userId, answer, challenge });
  if (proof === null) return { ok: false, reason: "wrong_passkey" };
  return db.transaction(async (tx) => {
    const row = await lockWithdrawal(tx, found.id);
    if (row === null) return { ok: false, reason: "withdrawal_not_found" } as const;
    const reason = approvalRefusal(row, actorOf(userId));
    if (reason !== null) return { ok: false, reason };
    // It signed the row as it was read. Only what it signed is approved.
    const isSigned = approvalChallenge(row).equals(challenge) && (await proof.use(tx, now));
    if (!isSigned) return { ok: false, reason: "wrong_passkey" } as const;
    await updateWithdrawal(tx, row.id, { approvedAt: now }, now);
    await insertApproval(tx, { withdrawalId: row.id, userId, assertion: answer, createdAt: now });
    const entry = {
      action: "withdrawal.approve",
      subject: `withdrawal:${refid}`,
      merchantId: row.merchantId,
    };
    await recordDecision(tx, { actor: actorOf(userId), ...entry, details: { env: row.env } }, now);
    return { ok: true } as const;
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
  const people = (await listMembers(tx, merchantId)).filter(({ role }) => may(role, "withdrawals.approve"));
  if (secondPerson && people.length < FEWEST) return false;
  await upsertPolicy(tx, { merchantId, secondPerson }, now);
  const entry = { actor, action: "withdrawal.policy", subject: `merchant:${merchantId}`, merchantId };
  await recordDecision(tx, { ...entry, details: { second_person: secondPerson } }, now);
  return true;
}
