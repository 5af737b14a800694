import { startBitcoin, startLitecoin } from "./core-chain.ts";
import { BITCOIND, LITECOIND } from "./core-programs.ts";
import type { DevChain } from "./dev-chain.ts";
import { startEvmChain } from "./evm-chain.ts";
import { findCoreNode } from "./find-core-node.ts";
import { startSolana } from "./solana-chain.ts";
import { startTrc20 } from "./trc20-chain.ts";
import { startXrp } from "./xrp-chain.ts";

/** Chains whose node program the machine may not have. */
const CORE_CHAINS = [
  { network: "bitcoin", program: BITCOIND, start: startBitcoin },
  { network: "litecoin", program: LITECOIND, start: startLitecoin },
] as const;

/**
 * Starts every development chain that this machine can run. For the others it prints one line that says how
 * to add them. `xrpAccount`: the receiving account on the XRP Ledger, which must exist there.
 */
export async function startChains(
  dataDir: string,
  xrpAccount: string,
  say: (line: string) => void,
): Promise<DevChain[]> {
  say("starting the development chains: BEP20, ERC20 and Base (anvil), TRC20 (a TRON emulator),");
  say("  Solana (LiteSVM behind our own front), the XRP Ledger (a fake) …");
  const starting = [
    startEvmChain("bep20", "USDT and BNB on BEP20 (anvil)", dataDir),
    startEvmChain("erc20", "USDT and ETH on ERC20 (anvil)", dataDir),
    startEvmChain("base", "USDT and ETH on Base (anvil)", dataDir),
    startTrc20(dataDir),
    startSolana(dataDir),
    startXrp(dataDir, xrpAccount),
  ];
  for (const { network, program, start } of CORE_CHAINS) {
    const found = await findCoreNode(program, process.env, say);
    if (found.ok) {
      say(`starting ${program.name} (regtest) …`);
      starting.push(start(dataDir));
    } else say(`without ${network}: ${found.problem}`);
  }
  const started = await Promise.allSettled(starting);
  const chains = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = started.find((one) => one.status === "rejected");
  if (failed === undefined) return chains;
  for (const chain of chains) await chain.stop();
  throw failed.reason;
}
