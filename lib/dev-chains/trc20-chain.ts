import { join } from "node:path";
import { parseUnits } from "viem";
import { canonicalizeTronAddress } from "#lib/chains/tron/address.ts";
import type { DevChain } from "./dev-chain.ts";
import { sendTronCoin, sendTronUsdt } from "./payers/send-tron-usdt.ts";
import { rpc } from "./rpc.ts";
import { startTronEmulator } from "./tron-emulator/start-tron-emulator.ts";

const DECIMALS = 6;
/** The main network's 18 blocks would make the first visitor wait for no reason. */
const SOLIDIFIED_LAG = 2;

/** TRC20: our TRON emulator, since no TRON node is available. A stock tronweb pays through it. */
export async function startTrc20(dataDir: string): Promise<DevChain> {
  const emulator = await startTronEmulator({
    automine: false,
    solidifiedLag: SOLIDIFIED_LAG,
    resources: true,
    statePath: join(dataDir, "trc20.json"),
  });
  const { url, usdt, faucet } = emulator;
  return {
    network: "trc20",
    title: "USDT on TRC20 (TRON emulator)",
    env: { TEST_TRC20_RPC_URL: url, TEST_TRC20_USDT_CONTRACT: usdt },
    forScripts: { rpc_url: url, usdt, faucet_private_key: faucet.privateKey },
    height: async () => Number(await rpc(`${url}/jsonrpc`, "eth_blockNumber")),
    mine: (blocks) => emulator.mine(blocks),
    readRequest: (text) =>
      text.startsWith("T") && canonicalizeTronAddress(text) !== null ? { address: text, amount: null } : null,
    send: (address, amount, { coin = false } = {}) =>
      (coin ? sendTronCoin : sendTronUsdt)(
        { url, usdt, privateKey: faucet.privateKey },
        address,
        parseUnits(amount, DECIMALS),
      ),
    stop: () => emulator.stop(),
  };
}
