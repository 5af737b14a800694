import type { Tx } from "#lib/db/connection.ts";
import type { NetworkAdapter } from "#lib/networks/network.ts";
import { readAccountKey } from "./read-account-key.ts";
import { addAccountKey, insertAddress, takeIndex } from "./store.ts";
import type { AddressOwner, HandedOutAddress } from "./types.ts";

/**
 * Gives out the next address of the network's account key, inside the caller's transaction: rolled back, it burns
 * none; of two callers the second waits for the first. Throws when the key does not derive, or belongs to the other
 * environment (the configuration was changed by hand).
 */
export async function handOutAddress(
  tx: Tx,
  adapter: NetworkAdapter,
  owner: AddressOwner,
): Promise<HandedOutAddress> {
  const { env, network, accountKey } = adapter;
  const key = readAccountKey(accountKey, env, adapter.data);
  if (!key.ok) throw new Error(`the account key of ${env} ${network} is ${key.reason}`);
  // One counter for every spelling of a key (xpub, zpub): another would hand out the same addresses again.
  let taken = await takeIndex(tx, key.identity);
  if (taken === null) {
    await addAccountKey(tx, env, key.identity);
    taken = await takeIndex(tx, key.identity);
  }
  if (taken === null) throw new Error(`the account key of ${env} ${network} cannot be stored`);
  if (taken.env !== env) throw new Error(`the account key of ${env} ${network} was used in ${taken.env}`);
  const derived = adapter.deriveAddress(taken.index);
  const address = adapter.canonicalAddress(derived.address);
  if (address === null) throw new Error(`${network} derived an address that it does not recognise`);
  const { accountKeyId, index } = taken;
  const { merchantId, purpose, customerId } = owner;
  const row = {
    env,
    network,
    address,
    accountKeyId,
    index,
    path: derived.path,
    merchantId,
    purpose,
    customerId,
  };
  const { id } = await insertAddress(tx, row);
  return { id, address, index, path: derived.path };
}
