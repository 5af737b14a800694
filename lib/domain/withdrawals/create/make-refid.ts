import { createHash, randomInt } from "node:crypto";
import type { Env } from "#lib/chains/network-data.ts";

/** The identity of a request for a withdrawal. A request that is repeated after a restore from a backup has the same one. */
export interface Asked {
  readonly env: Env;
  readonly merchantId: number;
  /** Null if nothing names the request. */
  readonly source: string | null;
}

/**
 * The reference of a withdrawal: 16 digits, which reveal nothing about the number of withdrawals. It follows from what asked for it, so that
 * the same request after a restore from a backup is the same withdrawal, which the signer's journal knows.
 */
export function makeRefid({ env, merchantId, source }: Asked): string {
  if (source === null) {
    const half = () => randomInt(10_000_000, 100_000_000);
    return `${half()}${half()}`;
  }
  const hash = createHash("sha256")
    .update(JSON.stringify(["withdrawal", env, merchantId, source]))
    .digest();
  return String(10n ** 15n + (hash.readBigUInt64BE() % (9n * 10n ** 15n)));
}
