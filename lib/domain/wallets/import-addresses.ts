import type { Env, NetworkFamily } from "#lib/chains/network-data.ts";
import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import { canonicalizeSolanaAddress, isKeyPairAddress } from "#lib/chains/solana/address.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { parsePoolFile } from "./pool-rules.ts";
import { countPoolAddresses, insertPoolAddresses, listPoolEnvironments, poolKey } from "./pool-store.ts";
import { insertAccountKey, lockCounter } from "./store.ts";

export interface AddressImportResult {
  readonly imported: number;
  /** In the pool before. */
  readonly known: number;
  /** Lines that repeat an earlier one. */
  readonly repeated: number;
  readonly size: number;
  /** Not given out yet. */
  readonly left: number;
}

/** What is wrong with a text as a receiving address of a family whose addresses are imported; null: nothing. */
const PROBLEMS: Partial<Record<NetworkFamily, (text: string) => string | null>> = {
  solana(text) {
    if (canonicalizeSolanaAddress(text) === null) return "is no address";
    return isKeyPairAddress(text)
      ? null
      : "is the address of a token account or a program, for which nobody has a key";
  },
};

/**
 * Appends addresses that the operator made offline to a network's pool, all of them or none; those that are in it
 * already stay where they are. They are given out in the order of the file. `problems`: what is wrong, line by line.
 */
export async function importAddresses(
  tx: Tx,
  { env, network, text }: { readonly env: Env; readonly network: NetworkCode; readonly text: string },
): Promise<({ ok: true } & AddressImportResult) | { ok: false; problems: readonly string[] }> {
  const problemOf = PROBLEMS[NETWORKS[network].family];
  if (problemOf === undefined) return { ok: false, problems: [`${network} takes no imported addresses`] };
  const { entries, repeated, problems } = parsePoolFile(text, problemOf);
  if (problems.length > 0) return { ok: false, problems };
  const key = poolKey(env, network);
  await insertAccountKey(tx, env, key);
  const pool = await lockCounter(tx, key);
  if (pool === null) throw new Error(`the pool of ${env} ${network} was not made`);
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
