import type { Env } from "../network-data.ts";

/** Hash of the genesis block of each public cluster: what getGenesisHash of its nodes answers (docs.anza.xyz, clusters). */
const GENESIS: Readonly<Record<string, string>> = {
  "mainnet-beta": "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
  devnet: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
  testnet: "4uhcVJyU9pJkvQyUS88uRDiswHscSGQNcv3pQtzhyPvY",
};

/** What a test environment may be on, the default first. "development" is any chain but the public ones. */
export const SOLANA_TEST_CHAINS = ["devnet", "testnet", "development"] as const;

/** The cluster of this genesis, "development" for any that is not public. */
export function findCluster(genesis: string): string {
  return Object.keys(GENESIS).find((name) => GENESIS[name] === genesis) ?? "development";
}

/** The cluster of an environment: live has one; test is `name`, or its default. Throws on a name that is not known. */
export function getCluster(env: Env, name: string | null): string {
  if (env === "live") {
    if (name !== null) throw new Error(`the live chain is mainnet-beta, not ${name}`);
    return "mainnet-beta";
  }
  const chosen = SOLANA_TEST_CHAINS.find((chain) => chain === (name ?? SOLANA_TEST_CHAINS[0]));
  if (chosen === undefined) throw new Error(`${name} is no test chain`);
  return chosen;
}
