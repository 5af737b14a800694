import { join } from "node:path";
import { isAddress, parseUnits } from "viem";
import type { EvmNetwork } from "#lib/chains/evm/family.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { startAnvil } from "./anvil.ts";
import type { DevChain, PayRequest } from "./dev-chain.ts";
import { FAUCET } from "./payers/test-usdt.ts";
import { rpc } from "./rpc.ts";
import { deployUsdt, sendEvmUsdt } from "./usdt.ts";

/** Decimals of ether and similar coins. */
const COIN_DECIMALS = 18;

/** A real EVM node (anvil) with the chain id of the network's test chain, its coin, and its own test USDT. */
export async function startEvmChain(network: EvmNetwork, title: string, dataDir: string): Promise<DevChain> {
  const { chainId, tokens } = NETWORKS[network];
  const { decimals } = tokens.usdt;
  const statePath = join(dataDir, `${network}.json`);
  const anvil = await startAnvil({ chainId: chainId.test, automine: false, statePath });
  const { url } = anvil;
  const usdt = await deployUsdt(url, { decimals });
  const variable = `TEST_${network.toUpperCase()}`;
  return {
    network,
    title,
    env: { [`${variable}_RPC_URL`]: url, [`${variable}_USDT_CONTRACT`]: usdt },
    forScripts: { rpc_url: url, chain_id: chainId.test, usdt, faucet_private_key: FAUCET.privateKey },
    height: async () => Number(await rpc(url, "eth_blockNumber")),
    mine: async (blocks) => {
      await rpc(url, "anvil_mine", [blocks]);
    },
    readRequest: (text) => readRequest(text, chainId.test, decimals),
    send: (address, amount, { coin = false } = {}) =>
      coin
        ? sendCoin(url, address, parseUnits(amount, COIN_DECIMALS))
        : sendEvmUsdt(url, address, parseUnits(amount, decimals)),
    stop: () => anvil.stop(),
  };
}

async function sendCoin(url: string, to: string, wei: bigint): Promise<string> {
  const payment = { from: FAUCET.address, to, value: `0x${wei.toString(16)}` };
  return String(await rpc(url, "eth_sendTransaction", [payment]));
}

/** An EIP-681 request for this chain (token or coin), or an address. */
function readRequest(text: string, chainId: number, decimals: number): PayRequest | null {
  if (isAddress(text, { strict: false })) return { address: text, amount: null };
  const match = /^ethereum:(0x[0-9a-fA-F]{40})@([0-9]+)(\/transfer)?\?(.+)$/.exec(text);
  const [, target = "", chain, call, fields] = match ?? [];
  if (Number(chain) !== chainId) return null;
  const coin = call === undefined;
  const query = new URLSearchParams(fields);
  const address = coin ? target : (query.get("address") ?? "");
  const units = query.get(coin ? "value" : "uint256") ?? "";
  if (!isAddress(address, { strict: false }) || !/^\d{1,78}$/.test(units)) return null;
  return { address, amount: formatAmount(BigInt(units), coin ? COIN_DECIMALS : decimals), coin };
}
