import type { Env } from "#lib/chains/network-data.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { listAccounts, listMerchantAccounts } from "./store.ts";
import type { LedgerAccount } from "./types.ts";

/** Every account of an environment with its balance in ledger units; with a merchant, only that one's. */
export function listBalances(db: Db, env: Env, merchantId?: number): Promise<readonly LedgerAccount[]> {
  return listAccounts(db, env, merchantId);
}

export interface MerchantBalances {
  /** Ledger units that the merchant can spend; a token never moved is absent. */
  readonly units: ReadonlyMap<TokenCode, bigint>;
  /** When the last of them changed; null: none ever did. */
  readonly updatedAt: Date | null;
}

/** What a merchant can spend, by token. */
export async function getMerchantBalances(db: Db, env: Env, merchantId: number): Promise<MerchantBalances> {
  const rows = await listMerchantAccounts(db, env, merchantId);
  const times = rows.map(({ updatedAt }) => updatedAt.getTime());
  return {
    units: new Map(rows.map(({ token, balance }) => [token, balance])),
    updatedAt: times.length === 0 ? null : new Date(Math.max(...times)),
  };
}
