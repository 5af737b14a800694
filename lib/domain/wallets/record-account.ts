import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { parseAccountKey } from "./read-account-key.ts";
import { findAccountKeyId, insertAccountAddress, insertAccountKey, listAddresses } from "./store.ts";
import type { WalletAddress } from "./types.ts";

/**
 * Records the address of a network's one account (NetworkAdapter.collectingAddress), once: nobody's, so that what arrives
 * there and names no address given out has a place in the books. Throws on a network that has no such account.
 */
export async function recordCollectingAddress(db: Db, adapter: NetworkAdapter): Promise<WalletAddress> {
  const { env, network, accountKey, collectingAddress: address } = adapter;
  if (address === undefined) throw new Error(`${network} has no account that collects`);
  const key = parseAccountKey(accountKey, env, adapter.data);
  if (!key.ok) throw new Error(`the account of ${env} ${network} is ${key.reason}`);
  return db.transaction(async (tx) => {
    await insertAccountKey(tx, env, key.identity);
    const accountKeyId = await findAccountKeyId(tx, key.identity);
    if (accountKeyId === null) throw new Error(`the account of ${env} ${network} cannot be stored`);
    await insertAccountAddress(tx, { env, network, address, accountKeyId });
    const [known] = await listAddresses(tx, env, [network], [address]);
    if (known === undefined) throw new Error(`the account of ${env} ${network} was not stored`);
    return known;
  });
}
