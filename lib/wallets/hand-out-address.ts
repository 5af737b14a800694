import type { Tx } from "#lib/db/connection.ts";
import type { NetworkAdapter } from "#lib/networks/network.ts";
import { lockPool, poolKey, selectPooled } from "./pool-store.ts";
import { readAccountKey } from "./read-account-key.ts";
import { addAccountKey, insertAddress, takeIndex } from "./store.ts";
import type { AddressOwner, HandedOutAddress } from "./types.ts";

/** Every address of the pool is given out. The operator has been warned for a while, and imports more. */
export class PoolEmpty extends Error {}

interface Taken {
  readonly accountKeyId: number;
  readonly index: number;
  /** Canonical form. */
  readonly address: string;
  readonly path: string;
}

/**
 * Gives out the next address of the network's account key or of its pool, inside the caller's transaction: rolled back,
 * it burns none; of two callers the second waits for the first. Throws PoolEmpty; and when the key does not derive, or
 * belongs to the other environment (the configuration was changed by hand).
 */
export async function handOutAddress(
  tx: Tx,
  adapter: NetworkAdapter,
  { merchantId, purpose, customerId }: AddressOwner,
): Promise<HandedOutAddress> {
  const { env, network } = adapter;
  const taken = await (adapter.data.addressSource === "pool" ? takePooled(tx, adapter) : derive(tx, adapter));
  const { id } = await insertAddress(tx, { env, network, ...taken, merchantId, purpose, customerId });
  return { id, address: taken.address, index: taken.index, path: taken.path };
}

async function derive(tx: Tx, adapter: NetworkAdapter): Promise<Taken> {
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
  return { accountKeyId: taken.accountKeyId, index: taken.index, address, path: derived.path };
}

/** The counter is locked before the pool is read, so that whoever waited for it sees what is left. */
async function takePooled(tx: Tx, { env, network }: NetworkAdapter): Promise<Taken> {
  const key = poolKey(env, network);
  const pool = await lockPool(tx, key);
  const next = pool && (await selectPooled(tx, pool.accountKeyId, pool.nextIndex));
  if (!next) throw new PoolEmpty(`the pool of ${env} ${network} has no address left`);
  await takeIndex(tx, key);
  return { accountKeyId: pool.accountKeyId, index: pool.nextIndex, ...next };
}
