import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { selectLogoBytes } from "./logo-store.ts";

const HASH = /^[0-9a-f]{64}$/;

/** The WebP with this SHA-256 (hex), while a merchant has it for a logo; null otherwise. */
export async function findLogo(db: Db | Tx, hash: string): Promise<Buffer | null> {
  return HASH.test(hash) ? selectLogoBytes(db, hash) : null;
}
