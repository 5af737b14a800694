import type { Env } from "#lib/chains/network-data.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { countCustomers, selectCustomers } from "./store.ts";
import type { Customer } from "./types.ts";

/** A merchant's customers in an environment, newest first, those below id `before`. */
export function listCustomers(
  db: Db | Tx,
  env: Env,
  merchantId: number,
  page: { readonly before: number | null; readonly limit: number },
): Promise<Customer[]> {
  return selectCustomers(db, env, merchantId, page);
}

export function totalCustomers(db: Db | Tx, env: Env, merchantId: number): Promise<number> {
  return countCustomers(db, env, merchantId);
}
