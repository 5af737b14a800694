import { parseAccountKey } from "#lib/chains/families.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { listPoolAddresses, poolKey } from "./pool-store.ts";
import { allocateIndex, insertAccountKey, insertAddress, lockCounter } from "./store.ts";
import type { AddressAssignment, AllocatedAddress, IndexedAddress } from "./types.ts";

/** Every address of the pool is allocated. The operator must import more. */
export class PoolEmptyError extends Error {}

interface NewAddress extends IndexedAddress {
  readonly accountKeyId: number;
}

/**
 * Allocates the next address of the network's account key or of its pool, inside the caller's transaction. A rollback
 * frees the address. A concurrent caller waits for this transaction. Throws PoolEmptyError if the pool is empty. Throws
 * if the account key is invalid or was used in the other environment.
 */
export async function allocateAddress(
  tx: Tx,
  adapter: NetworkAdapter,
  { merchantId, purpose, customerId }: AddressAssignment,
): Promise<AllocatedAddress> {
  const { env, network } = adapter;
  const allocated = await (adapter.data.addressSource === "pool"
    ? allocateFromPool(tx, adapter)
    : allocateDerived(tx, adapter));
  const { id } = await insertAddress(tx, { env, network, ...allocated, merchantId, purpose, customerId });
  return { id, address: allocated.address, index: allocated.index, path: allocated.path };
}

async function allocateDerived(tx: Tx, adapter: NetworkAdapter): Promise<NewAddress> {
  const { env, network } = adapter;
  const identity = accountKeyIdentity(adapter);
  let allocated = await allocateIndex(tx, identity);
  if (allocated === null) {
    await insertAccountKey(tx, env, identity);
    allocated = await allocateIndex(tx, identity);
  }
  if (allocated === null) throw new Error(`the account key of ${env} ${network} cannot be stored`);
  if (allocated.env !== env) {
    throw new Error(`the account key of ${env} ${network} was used in ${allocated.env}`);
  }
  return { accountKeyId: allocated.accountKeyId, ...deriveCanonicalAddress(adapter, allocated.index) };
}

/** Locks the counter before it reads the pool, so that a caller that waited sees the addresses that are left. */
async function allocateFromPool(tx: Tx, { env, network }: NetworkAdapter): Promise<NewAddress> {
  const key = poolKey(env, network);
  const pool = await lockCounter(tx, key);
  const [next] = pool === null ? [] : await listPoolAddresses(tx, pool, 1);
  if (!pool || !next) throw new PoolEmptyError(`the pool of ${env} ${network} has no address left`);
  await allocateIndex(tx, key);
  return { accountKeyId: pool.accountKeyId, ...next };
}

/**
 * The identity of the network's account key in the tables. It is the same for every spelling of the key (xpub, zpub),
 * so that they share a counter and never allocate the same address twice. Throws if the key is invalid.
 */
export function accountKeyIdentity({ env, network, accountKey, data }: NetworkAdapter): string {
  const key = parseAccountKey(accountKey, env, data);
  if (!key.ok) throw new Error(`the account key of ${env} ${network} is invalid: ${key.reason}`);
  return key.identity;
}

/** The address of the network's account key at an index, in canonical form. */
export function deriveCanonicalAddress(adapter: NetworkAdapter, index: number): IndexedAddress {
  const { address: displayed, path } = adapter.deriveAddress(index);
  const address = adapter.canonicalizeAddress(displayed);
  if (address === null) throw new Error(`${adapter.network} derived an address that it cannot parse`);
  return { address, index, path };
}
