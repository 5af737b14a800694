import { decodeFunctionResult, encodeDeployData, encodeFunctionData, type Hex, parseAbi } from "viem";
import { TEST_USDT_ABI, TEST_USDT_BYTECODE } from "#lib/domain/sandbox/test-usdt.ts";
import { FAUCET, mine, rpc, transferData } from "./anvil.ts";

/** How the compiler wrote the symbol: shifted right by two bits. */
const SYMBOL = "1554d115";
/** CALL with all the gas and the received value, to the address in the first word of the data. */
const FORWARDING = "0x6000600060006000346000355af100";
const FORWARDER = `0x${"f0".repeat(20)}`;
/** REVERT without data. */
const REVERTING = "0x60006000fd";

/** Deploys a token with the symbol `symbol` (four letters), in its own block, and sends some of it. */
export async function sendToken(url: string, to: string, symbol: string): Promise<void> {
  const bits = (Buffer.from(symbol).readUInt32BE() >>> 2).toString(16).padStart(8, "0");
  // The last two bits are in the next byte.
  const bytecode = TEST_USDT_BYTECODE.replaceAll(SYMBOL, bits) as Hex;
  const data = encodeDeployData({ abi: TEST_USDT_ABI, bytecode, args: [18, 10n ** 27n] });
  const hash = await rpc(url, "eth_sendTransaction", [{ from: FAUCET.address, data }]);
  await mine(url);
  const { contractAddress } = (await rpc(url, "eth_getTransactionReceipt", [hash])) as {
    contractAddress: Hex;
  };
  const abi = parseAbi(["function symbol() view returns (string)"]);
  const call = { to: contractAddress, data: encodeFunctionData({ abi }) };
  const named = decodeFunctionResult({ abi, data: (await rpc(url, "eth_call", [call, "latest"])) as Hex });
  if (named !== symbol) throw new Error(`the token calls itself ${named}, not ${symbol}`);
  const payment = { from: FAUCET.address, to: contractAddress, data: transferData(to, 10n ** 18n) };
  await rpc(url, "eth_sendTransaction", [payment]);
}

/** Makes a contract pay wei to an address: an internal transfer. Resolves to the hash, not mined. */
export async function forwardCoin(url: string, to: string, wei: bigint): Promise<Hex> {
  await rpc(url, "anvil_setCode", [FORWARDER, FORWARDING]);
  const data = `0x${to.slice(2).toLowerCase().padStart(64, "0")}`;
  const value = `0x${wei.toString(16)}`;
  return (await rpc(url, "eth_sendTransaction", [
    { from: FAUCET.address, to: FORWARDER, value, data },
  ])) as Hex;
}

/** Makes an address refuse payments until what `send` broadcasts is mined. Mines. */
export async function refusingCoin(url: string, address: string, send: () => Promise<Hex>): Promise<Hex> {
  await rpc(url, "anvil_setCode", [address, REVERTING]);
  const hash = await send();
  await mine(url);
  await rpc(url, "anvil_setCode", [address, "0x"]);
  return hash;
}
