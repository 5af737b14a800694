import type { Db, Tx } from "#lib/db/connection.ts";
import { TOKENS, type TokenCode } from "#lib/money/tokens.ts";
import type { Env } from "#lib/networks/network-data.ts";
import { ALL_NETWORK_CODES, NETWORKS, type NetworkCode } from "#lib/networks/networks.ts";
import { selectAddressCounts, selectAddressesOfMerchant } from "./store.ts";
import type { ListedAddress } from "./types.ts";

interface AddressScope {
  readonly env: Env;
  readonly network: NetworkCode;
  readonly merchantId: number;
}

/** The token that money comes in on a network: the first of its tokens, in the order of the service. */
export function paymentTokenOf(network: NetworkCode): TokenCode {
  const tokens = Object.keys(TOKENS) as TokenCode[];
  const found = tokens.find((token) => Object.hasOwn(NETWORKS[network].tokens, token));
  if (found === undefined) throw new Error(`${network} has no token`);
  return found;
}

/** A merchant's addresses on a network, whatever they were given out for, newest first. */
export function listMerchantAddresses(
  db: Db | Tx,
  scope: AddressScope,
  page: { readonly before: number | null; readonly limit: number },
): Promise<ListedAddress[]> {
  return selectAddressesOfMerchant(db, scope, paymentTokenOf(scope.network), page);
}

export async function totalMerchantAddresses(
  db: Db | Tx,
  { env, network, merchantId }: AddressScope,
): Promise<number> {
  const counts = await selectAddressCounts(db, env, merchantId);
  return counts.find((row) => row.network === network)?.count ?? 0;
}

/** How many addresses a merchant has, by network, in the order of the interface; none where it has none. */
export async function countAddresses(
  db: Db | Tx,
  env: Env,
  merchantId: number,
): Promise<{ network: NetworkCode; count: number }[]> {
  const counts = await selectAddressCounts(db, env, merchantId);
  const order: readonly string[] = ALL_NETWORK_CODES;
  return counts.toSorted((a, b) => order.indexOf(a.network) - order.indexOf(b.network));
}
