import type { Env, NetworkData, UtxoChain, UtxoData } from "../network-data.ts";

/** The family's part of a network's data. Throws when it has none. */
export function getUtxoData({ code, utxo }: NetworkData): UtxoData {
  if (!utxo) throw new Error(`${code} is no UTXO network`);
  return utxo;
}

/** The chain whose block 0 has this hash, for messages. Null: not a chain of the network. */
export function findChainByGenesis({ live, test }: UtxoData, genesis: string): UtxoChain | null {
  return [live, ...test].find((chain) => chain.genesis === genesis) ?? null;
}

/** The chain of an environment. Live has one. Test is `name`, or the default. Throws on an unknown name. */
export function getUtxoChain({ live, test }: UtxoData, env: Env, name: string | null): UtxoChain {
  if (env === "live") {
    if (name !== null && name !== live.name) throw new Error(`the live chain is ${live.name}, not ${name}`);
    return live;
  }
  const chain = name === null ? test[0] : test.find((candidate) => candidate.name === name);
  if (!chain) throw new Error(`${name} is no test chain`);
  return chain;
}
