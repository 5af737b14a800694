import { ed25519 } from "@noble/curves/ed25519.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { payoutText } from "./policy-rules.ts";
import type { Payout, Policy } from "./types.ts";

/** A new approver's key pair (ed25519), as hex. The public key goes into the policy file. */
export function createApprover(): { readonly secretKey: string; readonly publicKey: string } {
  const { secretKey, publicKey } = ed25519.keygen();
  return { secretKey: bytesToHex(secretKey), publicKey: bytesToHex(publicKey) };
}

/** Signs a payout as an approver. Hex. */
export function signPayout(payout: Payout, secretKey: string): string {
  return bytesToHex(ed25519.sign(utf8ToBytes(payoutText(payout)), hexToBytes(secretKey)));
}

/** The approvers of the policy who signed exactly this payout. Any other signature counts for nothing. */
export function listApprovers(
  policy: Policy,
  payout: Payout,
  signatures: readonly { readonly approver: string; readonly signature: string }[],
): string[] {
  const text = utf8ToBytes(payoutText(payout));
  return signatures
    .filter(({ approver, signature }) => {
      const publicKey = policy.approvals.from.get(approver);
      if (publicKey === undefined || !/^[0-9a-f]{128}$/.test(signature)) return false;
      try {
        return ed25519.verify(hexToBytes(signature), text, hexToBytes(publicKey));
      } catch {
        return false;
      }
    })
    .map(({ approver }) => approver);
}
