import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { accountKeyIdentity, deriveCanonicalAddress } from "./account-key.ts";
import { addressRefusals } from "./address-limit-metrics.ts";
import { mayAllocate, type PoolUse } from "./address-limit-rules.ts";
import { getAddressUse } from "./address-limit-store.ts";
import { countPoolAddresses, listPoolAddresses, poolKey } from "./pool-store.ts";
import { allocateIndex, findCounter, insertAccountKey, insertAddress, lockCounter } from "./store.ts";
import type { AddressAssignment, AllocatedAddress, AllocationCounter, IndexedAddress } from "./types.ts";

/** Every address of the pool is allocated. The operator must import more. */
export class PoolEmptyError extends Error {}

/** The merchant has as many unpaid addresses as it may have. refuseAboveLimit makes it a refusal. */
class AddressLimitError extends Error {}

interface NewAddress extends IndexedAddress {
  readonly accountKeyId: number;
  /** Null where addresses are derived. */
  readonly pool: PoolUse | null;
}

/**
 * Allocates the next address of the network's account key or of its pool, inside the caller's transaction. A rollback
 * frees the address. A concurrent caller waits for this transaction, so the limit of a merchant is exact. Throws
 * PoolEmptyError if the pool is empty, and AddressLimitError above the merchant's limit. Throws if the account key is
 * invalid or was used in the other environment.
 */
export async function allocateAddress(
  tx: Tx,
  adapter: NetworkAdapter,
  { merchantId, purpose, customerId }: AddressAssignment,
): Promise<AllocatedAddress> {
  const { env, network } = adapter;
  const hasPool = adapter.data.addressSource === "pool";
  // Before the lock on the counter, which all merchants share: a caller who is refused anyway waits for nobody.
  const next = hasPool ? await findInPool(tx, adapter, await findCounter(tx, poolKey(env, network))) : null;
  await requireRoom(tx, adapter, { merchantId, pool: next?.pool ?? null });
  const { pool, ...allocated } = await (hasPool
    ? allocateFromPool(tx, adapter)
    : allocateDerived(tx, adapter));
  // After it: the counts include every allocation before this one.
  await requireRoom(tx, adapter, { merchantId, pool });
  const { id } = await insertAddress(tx, { env, network, ...allocated, merchantId, purpose, customerId });
  return { id, address: allocated.address, index: allocated.index, path: allocated.path };
}

async function requireRoom(
  tx: Tx,
  { env, network }: NetworkAdapter,
  { merchantId, pool }: { readonly merchantId: number; readonly pool: PoolUse | null },
): Promise<void> {
  if (mayAllocate(await getAddressUse(tx, { env, network, merchantId }), pool)) return;
  addressRefusals.inc({ env, network });
  throw new AddressLimitError(`merchant ${merchantId} has too many unpaid addresses on ${env} ${network}`);
}

/** Runs a transaction that allocates addresses. Above the merchant's limit it is rolled back and refused. */
export async function refuseAboveLimit<T>(
  work: () => Promise<T>,
): Promise<T | { ok: false; reason: "address_limit_reached" }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AddressLimitError) return { ok: false, reason: "address_limit_reached" };
    throw error;
  }
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
  const derived = deriveCanonicalAddress(adapter, allocated.index);
  return { accountKeyId: allocated.accountKeyId, ...derived, pool: null };
}

/** Locks the counter before it reads the pool, so that a caller that waited sees the addresses that are left. */
async function allocateFromPool(tx: Tx, adapter: NetworkAdapter): Promise<NewAddress> {
  const key = poolKey(adapter.env, adapter.network);
  const next = await findInPool(tx, adapter, await lockCounter(tx, key));
  await allocateIndex(tx, key);
  return next;
}

/** The next address of the pool. Throws PoolEmptyError. */
async function findInPool(
  tx: Tx,
  { env, network }: NetworkAdapter,
  pool: AllocationCounter | null,
): Promise<NewAddress> {
  const [next] = pool === null ? [] : await listPoolAddresses(tx, pool, 1);
  if (!pool || !next) throw new PoolEmptyError(`the pool of ${env} ${network} has no address left`);
  const size = await countPoolAddresses(tx, pool.accountKeyId);
  return { accountKeyId: pool.accountKeyId, ...next, pool: { size, left: size - pool.nextIndex } };
}
