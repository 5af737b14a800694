import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { accountKeyIdentity, deriveCanonicalAddress } from "./derive-canonical.ts";
import { listPoolAddresses, poolKey } from "./pool-store.ts";
import { allocateIndex, insertAccountKey, insertAddress, lockCounter } from "./store.ts";
import type { AddressAssignment, AllocatedAddress, IndexedAddress } from "./types.ts";

/** Every address of the pool is given out. The operator has been warned for a while, and imports more. */
export class PoolEmptyError extends Error {}

interface Taken extends IndexedAddress {
  readonly accountKeyId: number;
}

/**
 * Gives out the next address of the network's account key or of its pool, inside the caller's transaction: rolled back,
 * it burns none; of two callers the second waits for the first. Throws PoolEmpty; and when the key does not derive, or
 * belongs to the other environment (the configuration was changed by hand).
 */
export async function allocateAddress(
  tx: Tx,
  adapter: NetworkAdapter,
  { merchantId, purpose, customerId }: AddressAssignment,
): Promise<AllocatedAddress> {
  const { env, network } = adapter;
  const taken = await (adapter.data.addressSource === "pool" ? takePooled(tx, adapter) : derive(tx, adapter));
  const { id } = await insertAddress(tx, { env, network, ...taken, merchantId, purpose, customerId });
  return { id, address: taken.address, index: taken.index, path: taken.path };
}

async function derive(tx: Tx, adapter: NetworkAdapter): Promise<Taken> {
  const { env, network } = adapter;
  const account = accountKeyIdentity(adapter);
  let taken = await allocateIndex(tx, account);
  if (taken === null) {
    await insertAccountKey(tx, env, account);
    taken = await allocateIndex(tx, account);
  }
  if (taken === null) throw new Error(`the account key of ${env} ${network} cannot be stored`);
  if (taken.env !== env) throw new Error(`the account key of ${env} ${network} was used in ${taken.env}`);
  return { accountKeyId: taken.accountKeyId, ...deriveCanonicalAddress(adapter, taken.index) };
}

/** The counter is locked before the pool is read, so that whoever waited for it sees what is left. */
async function takePooled(tx: Tx, { env, network }: NetworkAdapter): Promise<Taken> {
  const key = poolKey(env, network);
  const pool = await lockCounter(tx, key);
  const [next] = pool === null ? [] : await listPoolAddresses(tx, pool, 1);
  if (!pool || !next) throw new PoolEmptyError(`the pool of ${env} ${network} has no address left`);
  await allocateIndex(tx, key);
  return { accountKeyId: pool.accountKeyId, ...next };
}
