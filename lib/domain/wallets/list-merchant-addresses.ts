import { type Env, findNetworkToken, type NetworkData } from "#lib/chains/network-data.ts";
import { ALL_NETWORK_CODES, type NetworkCode } from "#lib/chains/networks.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { listAddressCounts, listAddressesOfMerchant } from "./store.ts";
import type { MerchantAddress } from "./types.ts";

interface AddressScope {
  readonly env: Env;
  readonly network: NetworkCode;
  readonly merchantId: number;
}

/** The token that money comes in on a network: USDT where it is received, else the network's own coin. */
export function defaultPaymentToken(data: NetworkData, env: Env): TokenCode {
  return findNetworkToken(data, env, "usdt") === null ? data.coin : "usdt";
}

/** A merchant's addresses on a network, whatever they were given out for, newest first; with what came in `token`. */
export function listMerchantAddresses(
  db: Db | Tx,
  scope: AddressScope,
  token: TokenCode,
  page: { readonly before: number | null; readonly limit: number },
): Promise<MerchantAddress[]> {
  return listAddressesOfMerchant(db, scope, token, page);
}

export async function countMerchantAddresses(
  db: Db | Tx,
  { env, network, merchantId }: AddressScope,
): Promise<number> {
  const counts = await listAddressCounts(db, env, merchantId);
  return counts.find((row) => row.network === network)?.count ?? 0;
}

/** How many addresses a merchant has, by network, in the order of the interface; none where it has none. */
export async function countAddressesByNetwork(
  db: Db | Tx,
  env: Env,
  merchantId: number,
): Promise<{ network: NetworkCode; count: number }[]> {
  const counts = await listAddressCounts(db, env, merchantId);
  const order: readonly string[] = ALL_NETWORK_CODES;
  return counts.toSorted((a, b) => order.indexOf(a.network) - order.indexOf(b.network));
}
