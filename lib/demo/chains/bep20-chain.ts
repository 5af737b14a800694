import { join } from "node:path";
import { isAddress, parseUnits } from "viem";
import { formatAmount } from "#lib/money/amount.ts";
import { FAUCET } from "#lib/sandbox/faucet.ts";
import { startAnvil } from "../anvil.ts";
import { rpc } from "../rpc.ts";
import { deployUsdt, sendUsdt } from "../usdt.ts";
import type { DevChain } from "./dev-chain.ts";

const DECIMALS = 18;

/** BEP20: a real EVM node (anvil) with the chain id of the BNB Smart Chain test network and a USDT of its own. */
export async function startBep20(dataDir: string): Promise<DevChain> {
  const anvil = await startAnvil({ chainId: 97, automine: false, statePath: join(dataDir, "bep20.json") });
  const { url, chainId } = anvil;
  const usdt = await deployUsdt(url);
  return {
    network: "bep20",
    title: "USDT on BEP20 (anvil)",
    env: { TEST_BEP20_RPC_URL: url, TEST_BEP20_USDT_CONTRACT: usdt },
    forScripts: { rpc_url: url, chain_id: chainId, usdt, faucet_private_key: FAUCET.privateKey },
    height: async () => Number(await rpc(url, "eth_blockNumber")),
    mine: async (blocks) => {
      await rpc(url, "anvil_mine", [blocks]);
    },
    readRequest,
    send: (address, amount) => sendUsdt(url, address, parseUnits(amount, DECIMALS)),
    stop: () => anvil.stop(),
  };
}

/** EIP-681 with a token transfer in it, or a bare address. */
function readRequest(text: string) {
  if (isAddress(text, { strict: false })) return { address: text, amount: null };
  const match = /^ethereum:0x[0-9a-fA-F]{40}(?:@\d+)?\/transfer\?(.+)$/.exec(text);
  if (match === null) return null;
  const query = new URLSearchParams(match[1]);
  const address = query.get("address") ?? "";
  const units = query.get("uint256") ?? "";
  if (!isAddress(address, { strict: false }) || !/^\d{1,78}$/.test(units)) return null;
  return { address, amount: formatAmount(BigInt(units), DECIMALS) };
}
