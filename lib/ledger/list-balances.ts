import type { Db } from "#lib/db/connection.ts";
import type { Env } from "#lib/networks/networks.ts";
import { listAccounts } from "./store.ts";
import type { Account } from "./types.ts";

/** Every account of an environment with its balance in ledger units; with a merchant, only that one's. */
export function listBalances(db: Db, env: Env, merchantId?: number): Promise<readonly Account[]> {
  return listAccounts(db, env, merchantId);
}
