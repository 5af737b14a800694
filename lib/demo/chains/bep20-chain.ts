import type { DevChain } from "./dev-chain.ts";
import { startEvmChain } from "./evm-chain.ts";

/** BEP20: the chain id of the BNB Smart Chain test network. */
export function startBep20(dataDir: string): Promise<DevChain> {
  return startEvmChain("bep20", "USDT and BNB on BEP20 (anvil)", dataDir);
}
