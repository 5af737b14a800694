import { getFamily } from "./families.ts";
import type { NetworkConfig } from "./network.ts";
import type { Explorer, NetworkData } from "./network-data.ts";

/**
 * The explorer of the configured chain. Null for a chain that no public explorer shows: a development chain, or a test
 * chain other than the default that has no explorer of its own.
 */
export function chooseExplorer(
  data: NetworkData,
  { env, chain, chainId, contracts }: Pick<NetworkConfig, "env" | "chain" | "chainId" | "contracts">,
): Explorer | null {
  const { live, test } = data.explorer;
  if (env === "live") return live;
  const [standard] = getFamily(data).listTestChains(data);
  if (standard === undefined) {
    const isReplaced = chainId !== null && chainId !== data.chainId?.test;
    return isReplaced || Object.keys(contracts).length > 0 ? null : test;
  }
  if (!chain || chain === standard) return test;
  return data.utxo?.test.find(({ name }) => name === chain)?.explorer ?? null;
}
