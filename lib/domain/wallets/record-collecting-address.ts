import { parseAccountKey } from "#lib/chains/families.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { listKnownAddresses } from "./queries.ts";
import { findAccountKeyId, insertAccountAddress, insertAccountKey } from "./store.ts";
import type { WalletAddress } from "./types.ts";

/**
 * Records the address of a network's one account (NetworkAdapter.collectingAddress), once. It has no merchant. Payments
 * to it without a known tag become unmatched deposits. Throws if the network has no such account.
 */
export async function recordCollectingAddress(db: Db, adapter: NetworkAdapter): Promise<WalletAddress> {
  const { env, network, accountKey, collectingAddress: address } = adapter;
  if (address === undefined) throw new Error(`${network} has no collecting account`);
  const key = parseAccountKey(accountKey, env, adapter.data);
  if (!key.ok) throw new Error(`the account of ${env} ${network} is invalid: ${key.reason}`);
  return db.transaction(async (tx) => {
    await insertAccountKey(tx, env, key.identity);
    const accountKeyId = await findAccountKeyId(tx, key.identity);
    if (accountKeyId === null) throw new Error(`the account of ${env} ${network} cannot be stored`);
    await insertAccountAddress(tx, { env, network, address, accountKeyId });
    const [known] = await listKnownAddresses(tx, env, network, [address]);
    if (known === undefined) throw new Error(`the account of ${env} ${network} was not stored`);
    return known;
  });
}
