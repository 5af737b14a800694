import { BITCOIND, LITECOIND } from "../core-programs.ts";
import { findCoreNode } from "../find-core-node.ts";
import { startBase } from "./base-chain.ts";
import { startBep20 } from "./bep20-chain.ts";
import { startBitcoin } from "./bitcoin-chain.ts";
import type { DevChain } from "./dev-chain.ts";
import { startErc20 } from "./erc20-chain.ts";
import { startLitecoin } from "./litecoin-chain.ts";
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
  say("  Solana (LiteSVM behind a front of ours), the XRP Ledger (a fake) …");
  const starting = [
    startBep20(dataDir),
    startErc20(dataDir),
    startBase(dataDir),
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
