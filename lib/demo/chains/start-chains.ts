import { findBitcoind } from "../find-bitcoind.ts";
import { startBep20 } from "./bep20-chain.ts";
import { startBitcoin } from "./bitcoin-chain.ts";
import type { DevChain } from "./dev-chain.ts";
import { startSolana } from "./solana-chain.ts";
import { startTrc20 } from "./trc20-chain.ts";

/** Every development chain this machine can have; says in one line what it cannot, and how to add it. */
export async function startChains(dataDir: string, say: (line: string) => void): Promise<DevChain[]> {
  say("starting the development chains: BEP20 (anvil), TRC20 (a TRON emulator), Solana (LiteSVM) …");
  const starting = [startBep20(dataDir), startTrc20(dataDir), startSolana(dataDir)];
  const bitcoind = await findBitcoind(process.env, say);
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
