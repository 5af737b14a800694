import { cose, decodeCredentialPublicKey } from "@simplewebauthn/server/helpers";
import { z } from "zod";
import { OperatorError } from "#lib/platform/operator-error.ts";
import type { ApproverKey, Policy } from "./types.ts";

const BASE64URL = /^[\w-]+$/;

const KEY = z.union([
  z
    .string()
    .regex(/^[0-9a-f]{64}$/, "a public key has 64 hexadecimal digits, as `signer approver` prints it"),
  z.strictObject({
    passkey: z.strictObject({
      id: z.string().max(1_400).regex(BASE64URL),
      public_key: z.string().max(4_000).regex(BASE64URL),
      rp_id: z.string().max(253),
      origin: z.string().max(300),
    }),
  }),
]);

/** The keys of one approver in the policy file: a public key (ed25519, hex), a passkey, or a list of these. */
export const APPROVER = z.union([KEY, z.array(KEY).min(1).max(10)]);

/** The approvers of a policy file cannot be used. */
class ApproverError extends OperatorError {}

/** Reads the part `approvals` of the policy file. Throws an ApproverError. */
export function readApprovals({
  needed,
  from,
}: {
  readonly needed: number;
  readonly from: Readonly<Record<string, z.infer<typeof APPROVER>>>;
}): Policy["approvals"] {
  const read = Object.entries(from).map(([name, given]) => {
    const keys = Array.isArray(given) ? given : [given];
    return [name, keys.map((key) => readKey(`approvals.from.${name}`, key))] as const;
  });
  if (read.length < needed)
    throw new ApproverError(`approvals.needed is ${needed}, but approvals.from has ${read.length}`);
  const all = read.flatMap(([, keys]) => keys.map(identify));
  if (new Set(all).size < all.length) throw new ApproverError("approvals.from has one key twice");
  return { needed, from: new Map(read) };
}

function readKey(place: string, given: z.infer<typeof KEY>): ApproverKey {
  if (typeof given === "string") return { kind: "ed25519", publicKey: given };
  const { id, public_key: text, rp_id: rpId, origin } = given.passkey;
  const publicKey = Uint8Array.from(Buffer.from(text, "base64url"));
  if (!isPublicKey(publicKey)) throw new ApproverError(`${place}: public_key is not a COSE public key`);
  if (!isOriginOf(origin, rpId))
    throw new ApproverError(`${place}: origin is not the address of a site on ${rpId}, as https://${rpId}`);
  return { kind: "passkey", id, publicKey, rpId, origin };
}

function isPublicKey(bytes: Uint8Array<ArrayBuffer>): boolean {
  try {
    const key = decodeCredentialPublicKey(bytes);
    const { isCOSEPublicKeyAKP, isCOSEPublicKeyEC2, isCOSEPublicKeyOKP, isCOSEPublicKeyRSA } = cose;
    return [isCOSEPublicKeyAKP, isCOSEPublicKeyEC2, isCOSEPublicKeyOKP, isCOSEPublicKeyRSA].some((isOf) =>
      isOf(key),
    );
  } catch {
    return false;
  }
}

/** Browsers give a passkey's signature to https, and on the machine itself to http. */
function isOriginOf(origin: string, rpId: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname, origin: canonical } = new URL(origin);
  const isSecure = protocol === "https:" || (protocol === "http:" && hostname === "localhost");
  return canonical === origin && isSecure && (hostname === rpId || hostname.endsWith(`.${rpId}`));
}

/** Two entries with the same text are one key. */
const identify = (key: ApproverKey): string =>
  key.kind === "ed25519" ? key.publicKey : Buffer.from(key.publicKey).toString("base64url");
