import { openBep20Driver } from "./bep20.ts";
import { openBitcoinDriver } from "./bitcoin.ts";
import type { ContractDriver, Inability } from "./driver.ts";
import { openSolanaSolDriver, openSolanaUsdtDriver, SOLANA_UNABLE } from "./solana.ts";
import { openTrc20Driver } from "./trc20.ts";

/** Every network on a node of its own, by what the tables of runs call it. A network's line of tests stands here. */
export const DRIVERS: Readonly<Record<string, () => Promise<ContractDriver>>> = {
  bitcoin: openBitcoinDriver,
  trc20: openTrc20Driver,
  bep20: openBep20Driver,
  "solana usdt": openSolanaUsdtDriver,
  "solana sol": openSolanaSolDriver,
};

/** What a network cannot do: the cases that need it are left out, and not counted. */
export const UNABLE: Readonly<Record<string, readonly Inability[]>> = {
  "solana usdt": SOLANA_UNABLE,
  "solana sol": SOLANA_UNABLE,
};
