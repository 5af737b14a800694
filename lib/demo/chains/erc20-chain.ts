import type { DevChain } from "./dev-chain.ts";
import { startEvmChain } from "./evm-chain.ts";

/** ERC20: the chain id of Sepolia. */
export function startErc20(dataDir: string): Promise<DevChain> {
  return startEvmChain("erc20", "USDT and ETH on ERC20 (anvil)", dataDir);
}
