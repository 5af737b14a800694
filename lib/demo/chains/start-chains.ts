import { BITCOIND } from "../core-programs.ts";
import { findCoreNode } from "../find-core-node.ts";
import { startBase } from "./base-chain.ts";
import { startBep20 } from "./bep20-chain.ts";
import { startBitcoin } from "./bitcoin-chain.ts";
import type { DevChain } from "./dev-chain.ts";
import { startErc20 } from "./erc20-chain.ts";
import { startTrc20 } from "./trc20-chain.ts";

/** Every development chain this machine can have; says in one line what it cannot, and how to add it. */
export async function startChains(dataDir: string, say: (line: string) => void): Promise<DevChain[]> {
  say("starting the development chains: BEP20, ERC20 and Base (anvil), TRC20 (a TRON emulator) …");
  const starting = [startBep20(dataDir), startErc20(dataDir), startBase(dataDir), startTrc20(dataDir)];
  const bitcoind = await findCoreNode(BITCOIND, process.env, say);
  if (bitcoind.ok) {
    say("starting bitcoind (regtest) …");
    starting.push(startBitcoin(dataDir));
  } else say(`without bitcoin: ${bitcoind.problem}`);
  const started = await Promise.allSettled(starting);
  const chains = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = started.find((one) => one.status === "rejected");
  if (failed === undefined) return chains;
  for (const chain of chains) await chain.stop();
  throw failed.reason;
}
