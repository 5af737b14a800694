import type { NetworkAdapter } from "#lib/chains/network.ts";
import { defineInstallationVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { accountKeyIdentity, deriveCanonicalAddress } from "./account-key.ts";
import { listPoolAddresses, poolKey } from "./pool-store.ts";
import { insertAccountKey, insertSkippedAddresses, lockCounter } from "./store.ts";
import type { AllocationCounter, IndexedAddress } from "./types.ts";

/** The limit of one call: each address is derived and inserted. */
const MAX_SKIPPED = 5_000;

/** How far to skip: up to and including an index, or so many addresses, of a pool at most those that are left. */
type HowFar = { readonly to: number } | { readonly ahead: number };

/**
 * Skips all indexes up to and including `to`, or `ahead` addresses. After a restore from a backup, the lost database may have
 * allocated them. Skipped addresses have no merchant and are never allocated again. Payments to them are held until a person assigns
 * them. Returns how many addresses were skipped, and the next index. Throws if the account key is invalid.
 */
export const skipAddresses = defineInstallationVerb(
  "addresses.skip",
  async ({ tx }, { adapter, ...far }: { readonly adapter: NetworkAdapter } & HowFar) => {
    const { env, network } = adapter;
    const pooled = adapter.data.addressSource === "pool";
    const counter = await openCounter(tx, adapter, counterKey(adapter));
    if (counter.env !== env) return refuse("account_in_other_env");
    const { accountKeyId, nextIndex } = counter;
    const count = "to" in far ? far.to - nextIndex + 1 : far.ahead;
    if (count < 1) return refuse("index_allocated");
    if (count > MAX_SKIPPED) return refuse("too_many_skipped");
    const addresses = pooled
      ? await listPoolAddresses(tx, counter, count)
      : deriveRange(adapter, nextIndex, count);
    if (addresses.length < count && "to" in far) return refuse("pool_too_small");
    const skipped = addresses.length;
    if (skipped > 0) await insertSkippedAddresses(tx, { env, network, accountKeyId }, addresses);
    const details = { skipped, to: nextIndex + skipped - 1 };
    return done(
      { skipped, nextIndex: nextIndex + skipped },
      { subject: `addresses:${env}:${network}`, details },
    );
  },
);

/** The key of a network's counter. Networks with one account key share it. Throws if the account key is invalid. */
export function counterKey(adapter: NetworkAdapter): string {
  const { env, network, data } = adapter;
  return data.addressSource === "pool" ? poolKey(env, network) : accountKeyIdentity(adapter);
}

async function openCounter(
  tx: Tx,
  { env, network }: NetworkAdapter,
  key: string,
): Promise<AllocationCounter> {
  await insertAccountKey(tx, env, key);
  const counter = await lockCounter(tx, key);
  if (counter === null) throw new Error(`the account key of ${env} ${network} cannot be stored`);
  return counter;
}

function deriveRange(adapter: NetworkAdapter, first: number, count: number): IndexedAddress[] {
  return Array.from({ length: count }, (_, i) => deriveCanonicalAddress(adapter, first + i));
}
