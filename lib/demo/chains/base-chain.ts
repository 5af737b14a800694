import type { DevChain } from "./dev-chain.ts";
import { startEvmChain } from "./evm-chain.ts";

/** Base: the chain id of Base Sepolia. */
export function startBase(dataDir: string): Promise<DevChain> {
  return startEvmChain("base", "USDT and ETH on Base (anvil)", dataDir);
}
