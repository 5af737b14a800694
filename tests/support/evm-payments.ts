import {
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  type LocalAccount,
  parseAbi,
  zeroAddress,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { TEST_USDT_ABI, TEST_USDT_BYTECODE } from "#lib/dev-chains/payers/test-usdt.ts";
import { FAUCET, mine, rpc, transferData } from "./anvil.ts";

/** How the compiler wrote the symbol: shifted right by two bits. */
const SYMBOL = "1554d115";
/** CALL with all the gas and the received value, to the address in the first word of the data. */
const FORWARDING = "6000600060006000346000355af100";
/** REVERT without data. */
const REVERTING = "60006000fd";
const GAS = "0x186a0";

/** Deploys a token with the symbol `symbol` (four letters), in its own block, and sends some of it. */
export async function sendToken(
  url: string,
  to: string,
  symbol: string,
  from: string = FAUCET.address,
): Promise<void> {
  const bits = (Buffer.from(symbol).readUInt32BE() >>> 2).toString(16).padStart(8, "0");
  // The last two bits are in the next byte.
  const bytecode = TEST_USDT_BYTECODE.replaceAll(SYMBOL, bits) as Hex;
  const data = encodeDeployData({ abi: TEST_USDT_ABI, bytecode, args: [18, 10n ** 27n] });
  const hash = await rpc(url, "eth_sendTransaction", [{ from, data }]);
  await mine(url);
  const { contractAddress } = (await rpc(url, "eth_getTransactionReceipt", [hash])) as {
    contractAddress: Hex;
  };
  const abi = parseAbi(["function symbol() view returns (string)"]);
  const call = { to: contractAddress, data: encodeFunctionData({ abi }) };
  const named = decodeFunctionResult({ abi, data: (await rpc(url, "eth_call", [call, "latest"])) as Hex });
  if (named !== symbol) throw new Error(`the token calls itself ${named}, not ${symbol}`);
  const payment = { from, to: contractAddress, data: transferData(to, 10n ** 18n) };
  await rpc(url, "eth_sendTransaction", [payment]);
}

/** Makes a contract pay wei to an address: an internal transfer. Resolves to the hash, not mined. */
export async function forwardCoin(
  url: string,
  to: string,
  wei: bigint,
  from: string = FAUCET.address,
): Promise<Hex> {
  const forwarder = await deployCode(url, FORWARDING, from);
  const data = `0x${to.slice(2).toLowerCase().padStart(64, "0")}`;
  const value = `0x${wei.toString(16)}`;
  const call = { from, to: forwarder, value, data, gas: GAS };
  return (await rpc(url, "eth_sendTransaction", [call])) as Hex;
}

/**
 * Makes an account refuse payments until what `send` broadcasts is mined: its code reverts (EIP-7702). Mines.
 */
export async function refusingCoin(
  url: string,
  account: LocalAccount,
  send: () => Promise<Hex>,
  payer: LocalAccount = privateKeyToAccount(FAUCET.privateKey),
): Promise<Hex> {
  const reverting = await deployCode(url, REVERTING, payer.address);
  await mine(url);
  await delegate(url, account, reverting, payer);
  const hash = await send();
  await mine(url);
  await delegate(url, account, zeroAddress, payer);
  return hash;
}

/** Broadcasts a contract of this code, at most 32 bytes. Resolves to the address that it will have. */
async function deployCode(url: string, code: string, from: string): Promise<Hex> {
  const size = code.length / 2;
  const byte = (value: number) => value.toString(16).padStart(2, "0");
  // PUSH the code, MSTORE it at 0, RETURN its bytes: they are at the word's end.
  const data = `0x${byte(0x5f + size)}${code}600052${`60${byte(size)}60${byte(32 - size)}`}f3`;
  const nonce = await countOf(url, from);
  await rpc(url, "eth_sendTransaction", [{ from, data, gas: GAS }]);
  return getContractAddress({ from: from as Hex, nonce: BigInt(nonce) });
}

/** Gives an account the code of a contract, or takes it away with the zero address. Mines. */
async function delegate(
  url: string,
  account: LocalAccount,
  contractAddress: Hex,
  payer: LocalAccount,
): Promise<void> {
  const chainId = Number(await rpc(url, "eth_chainId"));
  const gasPrice = BigInt(String(await rpc(url, "eth_gasPrice")));
  const raw = await payer.signTransaction({
    type: "eip7702",
    chainId,
    nonce: await countOf(url, payer.address),
    gas: 100_000n,
    maxFeePerGas: 2n * gasPrice,
    maxPriorityFeePerGas: gasPrice,
    to: payer.address,
    authorizationList: [
      await account.signAuthorization!({
        contractAddress,
        chainId,
        nonce: await countOf(url, account.address),
      }),
    ],
  });
  await rpc(url, "eth_sendRawTransaction", [raw]);
  await mine(url);
}

async function countOf(url: string, address: string): Promise<number> {
  return Number(await rpc(url, "eth_getTransactionCount", [address, "pending"]));
}
