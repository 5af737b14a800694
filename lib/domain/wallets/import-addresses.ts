import { getFamily } from "#lib/chains/families.ts";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { defineInstallationVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { parsePoolFile } from "./pool-rules.ts";
import { countPoolAddresses, insertPoolAddresses, listPoolEnvironments, poolKey } from "./pool-store.ts";
import { insertAccountKey, lockCounter } from "./store.ts";

/**
 * Appends addresses that the operator created offline to a network's pool, all of them or none. Addresses in the pool
 * keep their place. They are allocated in the order of the file. A refusal has one text per wrong line.
 */
export const importAddresses = defineInstallationVerb(
  "addresses.import",
  async (
    { tx },
    { env, network, text }: { readonly env: Env; readonly network: NetworkCode; readonly text: string },
  ) => {
    const { pool: format } = getFamily(network);
    if (format === null) return refuseFile([`${network} does not use imported addresses`]);
    const { entries, repeated, problems } = parsePoolFile(text, format.findProblem);
    if (problems.length > 0) return refuseFile(problems);
    const key = poolKey(env, network);
    await insertAccountKey(tx, env, key);
    const pool = await lockCounter(tx, key);
    if (pool === null) throw new Error(`the pool of ${env} ${network} cannot be created`);
    const addresses = entries.map(({ address }) => address);
    const pools = await listPoolEnvironments(tx, network, addresses);
    const elsewhere = entries.filter(({ address }) => (pools.get(address) ?? env) !== env);
    if (elsewhere.length > 0) {
      const lines = elsewhere.map(({ line }) => line).slice(0, 20);
      return refuseFile([`lines ${lines.join(", ")} are in the pool of the other environment`]);
    }
    const fresh = entries.filter(({ address }) => !pools.has(address));
    const before = await countPoolAddresses(tx, pool.accountKeyId);
    if (fresh.length > 0) await insertPoolAddresses(tx, { ...pool, network, first: before }, fresh);
    const size = before + fresh.length;
    const counts = { imported: fresh.length, known: entries.length - fresh.length, size };
    return done(
      { ...counts, repeated, left: size - pool.nextIndex },
      { subject: `pool:${env}:${network}`, details: counts },
    );
  },
);

const refuseFile = (problems: readonly string[]) => refuse("addresses_not_importable", problems);
