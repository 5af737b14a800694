import { createHmac } from "node:crypto";

/**
 * The secret with which `paylink listen` signs. It follows from the key, so that it stays the same without being stored, on every
 * machine, and nobody learns the key from it.
 */
export function deriveListenSecret(key: string): string {
  return `whsec_${createHmac("sha256", key).update("paylink listen").digest("base64")}`;
}
