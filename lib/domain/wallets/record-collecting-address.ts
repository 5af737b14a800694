import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { accountKeyIdentity } from "./account-key.ts";
import { listAccountIdentities, listKnownAddresses } from "./queries.ts";
import { findAccountKeyId, insertAccountAddress, insertAccountKey } from "./store.ts";
import type { WalletAddress } from "./types.ts";

/**
 * Returns the accounts of a network whose addresses are tags, by their collecting address: the configured one, and those that
 * were configured before and have addresses. Empty on other networks.
 */
export async function listCollectingAccounts(
  db: Db,
  adapter: NetworkAdapter,
): Promise<ReadonlyMap<string, string>> {
  const { tags } = adapter.addresses;
  if (tags === null) return new Map();
  const identities = [accountKeyIdentity(adapter), ...(await listAccountIdentities(db, adapter))];
  return new Map(identities.map((identity) => [tags.collectingOf(identity), identity]));
}

/**
 * Records the collecting address of an account, once. It has no merchant. Payments to it without a known tag become unmatched
 * deposits.
 */
export async function recordCollectingAddress(
  db: Db,
  { env, network }: Pick<NetworkAdapter, "env" | "network">,
  { address, identity }: { readonly address: string; readonly identity: string },
): Promise<WalletAddress> {
  return db.transaction(async (tx) => {
    await insertAccountKey(tx, env, identity);
    const accountKeyId = await findAccountKeyId(tx, identity);
    if (accountKeyId === null) throw new Error(`the account of ${env} ${network} cannot be stored`);
    await insertAccountAddress(tx, { env, network, address, accountKeyId });
    const [known] = await listKnownAddresses(tx, env, network, [address]);
    if (known === undefined) throw new Error(`the account of ${env} ${network} was not stored`);
    return known;
  });
}
