import { getFamily } from "#lib/chains/families.ts";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { parsePoolFile } from "./pool-rules.ts";
import { countPoolAddresses, insertPoolAddresses, listPoolEnvironments, poolKey } from "./pool-store.ts";
import { insertAccountKey, lockCounter } from "./store.ts";

export interface AddressImportResult {
  readonly imported: number;
  /** Addresses that were in the pool already. */
  readonly known: number;
  /** Lines that repeat an earlier line. */
  readonly repeated: number;
  readonly size: number;
  /** Addresses that are not allocated yet. */
  readonly left: number;
}

/**
 * Appends addresses that the operator created offline to a network's pool, all of them or none. Addresses in the pool
 * keep their place. They are allocated in the order of the file. `problems` has one text per wrong line.
 */
export async function importAddresses(
  tx: Tx,
  { env, network, text }: { readonly env: Env; readonly network: NetworkCode; readonly text: string },
): Promise<({ ok: true } & AddressImportResult) | { ok: false; problems: readonly string[] }> {
  const { pool: format } = getFamily(network);
  if (format === null) return { ok: false, problems: [`${network} does not use imported addresses`] };
  const { entries, repeated, problems } = parsePoolFile(text, format.findProblem);
  if (problems.length > 0) return { ok: false, problems };
  const key = poolKey(env, network);
  await insertAccountKey(tx, env, key);
  const pool = await lockCounter(tx, key);
  if (pool === null) throw new Error(`the pool of ${env} ${network} cannot be created`);
  const pools = await listPoolEnvironments(
    tx,
    network,
    entries.map(({ address }) => address),
  );
  const elsewhere = entries.filter(({ address }) => (pools.get(address) ?? env) !== env);
  if (elsewhere.length > 0) {
    const lines = elsewhere.map(({ line }) => line).slice(0, 20);
    return { ok: false, problems: [`lines ${lines.join(", ")} are in the pool of the other environment`] };
  }
  const fresh = entries.filter(({ address }) => !pools.has(address));
  const before = await countPoolAddresses(tx, pool.accountKeyId);
  if (fresh.length > 0) await insertPoolAddresses(tx, { ...pool, network, first: before }, fresh);
  const size = before + fresh.length;
  const known = entries.length - fresh.length;
  return { ok: true, imported: fresh.length, known, repeated, size, left: size - pool.nextIndex };
}
