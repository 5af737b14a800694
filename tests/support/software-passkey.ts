import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A passkey without a device. `publicKey`: COSE key. */
export interface SoftwarePasskey {
  readonly id: string;
  readonly publicKey: Buffer;
  /** The answer of navigator.credentials.get, as JSON text. The rest is what a lying or careless device would say. */
  answer(challenge: Buffer, changes?: AnswerChanges): string;
}

interface AnswerChanges {
  readonly origin?: string;
  readonly rpId?: string;
  /** Whether the device checked who its user is. */
  readonly isVerified?: boolean;
  readonly type?: string;
  readonly id?: string;
}

export const PASSKEY_SITE = { rpId: "pay.example", origin: "https://pay.example" } as const;

/** Present (1) and verified (4), Web Authentication, section 6.1. */
const [PRESENT, VERIFIED] = [1, 4];

/** A new key on P-256 (ES256). */
export function softwarePasskey(id = randomBytes(16).toString("base64url")): SoftwarePasskey {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  return {
    id,
    publicKey: coseKey(Buffer.from(x, "base64url"), Buffer.from(y, "base64url")),
    answer(challenge, { origin, rpId, isVerified = true, type, id: claimed = id } = {}) {
      const client = JSON.stringify({
        type: type ?? "webauthn.get",
        challenge: challenge.toString("base64url"),
        origin: origin ?? PASSKEY_SITE.origin,
        crossOrigin: false,
      });
      const flags = Buffer.from([isVerified ? PRESENT | VERIFIED : PRESENT]);
      const data = Buffer.concat([digest(rpId ?? PASSKEY_SITE.rpId), flags, Buffer.alloc(4)]);
      const signature = sign("sha256", Buffer.concat([data, digest(client)]), privateKey);
      const response = {
        clientDataJSON: Buffer.from(client).toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: signature.toString("base64url"),
      };
      const rest = { type: "public-key", clientExtensionResults: {} };
      return JSON.stringify({ id: claimed, rawId: claimed, response, ...rest });
    },
  };
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** RFC 9053, section 7.1.1, in CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
function coseKey(x: Buffer, y: Buffer): Buffer {
  const head = Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1]);
  return Buffer.concat([head, Buffer.from([0x21, 0x58, 32]), x, Buffer.from([0x22, 0x58, 32]), y]);
}

/** The passkey as the policy file has it. */
export const passkeyEntry = ({ id, publicKey }: Pick<SoftwarePasskey, "id" | "publicKey">) => ({
  passkey: {
    ...{ id, public_key: publicKey.toString("base64url") },
    ...{ rp_id: PASSKEY_SITE.rpId, origin: PASSKEY_SITE.origin },
  },
});
