import { ed25519 } from "@noble/curves/ed25519.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from "@simplewebauthn/server";
import { approvalChallenge } from "#lib/domain/withdrawals/approve/approval-challenge.ts";
import type { GivenApprovals } from "#lib/domain/withdrawals/types.ts";
import { payoutText } from "./policy-rules.ts";
import type { ApproverKey, Payout, Policy } from "./types.ts";

/** The answers of passkeys are shorter. */
const MAX_ASSERTION_LENGTH = 20_000;

/** A new approver's key pair (ed25519), as hex. The public key goes into the policy file. */
export function createApprover(): { readonly secretKey: string; readonly publicKey: string } {
  const { secretKey, publicKey } = ed25519.keygen();
  return { secretKey: bytesToHex(secretKey), publicKey: bytesToHex(publicKey) };
}

/** Signs a payout as an approver. Hex. */
export function signPayout(payout: Payout, secretKey: string): string {
  return bytesToHex(ed25519.sign(utf8ToBytes(payoutText(payout)), hexToBytes(secretKey)));
}

/** The policy's approvers with approvals in the database, each once. */
export interface CheckedApprovals {
  /** They signed exactly this payout. */
  readonly approvers: readonly string[];
  /** The approvals in their names are not of this payout, or not of their keys. */
  readonly refused: readonly string[];
}

/**
 * Checks who approved a payout. Only keys of the policy are believed: what the database has is checked against them, and everything else
 * in it counts for nothing.
 */
export async function checkApprovals(
  policy: Policy,
  payout: Payout,
  given: GivenApprovals,
): Promise<CheckedApprovals> {
  const answers = given.assertions.map(parseAssertion).filter((answer) => answer !== null);
  const [approvers, refused]: [string[], string[]] = [[], []];
  for (const [name, keys] of policy.approvals.from) {
    const signatures = given.signatures.filter(({ approver }) => approver === name);
    const checks = keys.flatMap((key) =>
      key.kind === "ed25519"
        ? signatures.map(({ signature }) => hasSigned(key, payout, signature))
        : answers.filter(({ id }) => id === key.id).map((answer) => hasAsserted(key, payout, answer)),
    );
    if ((await Promise.all(checks)).includes(true)) approvers.push(name);
    else if (checks.length > 0) refused.push(name);
  }
  return { approvers, refused };
}

type KeyOf<Kind extends ApproverKey["kind"]> = Extract<ApproverKey, { readonly kind: Kind }>;

async function hasSigned(
  { publicKey }: KeyOf<"ed25519">,
  payout: Payout,
  signature: string,
): Promise<boolean> {
  if (!/^[0-9a-f]{128}$/.test(signature)) return false;
  try {
    return ed25519.verify(hexToBytes(signature), utf8ToBytes(payoutText(payout)), hexToBytes(publicKey));
  } catch {
    return false;
  }
}

/** Web Authentication, section 7.2. The counter is not compared: an answer is stored, and checked again at each step. */
async function hasAsserted(
  { id, publicKey, rpId, origin }: KeyOf<"passkey">,
  payout: Payout,
  response: AuthenticationResponseJSON,
): Promise<boolean> {
  const challenge = approvalChallenge({ ...payout, toAddress: payout.to });
  try {
    const { verified } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge.toString("base64url"),
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: { id, publicKey, counter: 0 },
    });
    return verified;
  } catch {
    return false;
  }
}

function parseAssertion(text: string): AuthenticationResponseJSON | null {
  if (text.length > MAX_ASSERTION_LENGTH) return null;
  try {
    const answer = JSON.parse(text);
    return typeof answer?.id === "string" ? answer : null;
  } catch {
    return null;
  }
}
