import type { Env } from "../network-data.ts";

/** Genesis hash of each public cluster, as getGenesisHash answers (docs.anza.xyz, clusters). */
const GENESIS: Readonly<Record<string, string>> = {
  "mainnet-beta": "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
  devnet: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
  testnet: "4uhcVJyU9pJkvQyUS88uRDiswHscSGQNcv3pQtzhyPvY",
};

/** Chains of a test environment, the default first. "development" is any chain that is not public. */
export const SOLANA_TEST_CHAINS = ["devnet", "testnet", "development"] as const;

/** The cluster with this genesis. "development" for any that is not public. */
export function findCluster(genesis: string): string {
  return Object.keys(GENESIS).find((name) => GENESIS[name] === genesis) ?? "development";
}

/** The cluster of an environment. Live has one. Test is `name`, or the default. Throws on an unknown name. */
export function getCluster(env: Env, name: string | null): string {
  if (env === "live") {
    if (name !== null) throw new Error(`the live chain is mainnet-beta, not ${name}`);
    return "mainnet-beta";
  }
  const chosen = SOLANA_TEST_CHAINS.find((chain) => chain === (name ?? SOLANA_TEST_CHAINS[0]));
  if (chosen === undefined) throw new Error(`${name} is no test chain`);
  return chosen;
}
