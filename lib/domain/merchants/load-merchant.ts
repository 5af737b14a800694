import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { selectMerchant, selectMerchantByEmail, selectMerchants } from "./store.ts";
import type { Merchant } from "./types.ts";

export function findMerchant(db: Db | Tx, id: number): Promise<Merchant | null> {
  return selectMerchant(db, id);
}

/** Upper and lower case are one address. */
export function findMerchantByEmail(db: Db | Tx, email: string): Promise<Merchant | null> {
  return selectMerchantByEmail(db, email);
}

/** Every merchant, oldest first. */
export function listMerchants(db: Db | Tx): Promise<Merchant[]> {
  return selectMerchants(db);
}
