import { randomInt } from "node:crypto";
import {
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  type Hex,
  parseAbi,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { TEST_USDT_ABI, TEST_USDT_BYTECODE } from "#lib/sandbox/test-usdt.ts";
import {
  deployUsdt,
  FAUCET,
  mine,
  payUsdt,
  rawTransaction,
  reorg,
  rpc,
  sendUsdt,
  startAnvil,
  transferData,
  USDT_ADDRESS,
} from "../anvil.ts";
import { bep20 } from "../watched-chain.ts";
import { ADDRESSES, type ContractDriver, WORDS } from "./driver.ts";
import { LOG_CUT, LOG_LIES, logBlock, staleLogNode } from "./log-answers.ts";

/** Have coins for fees and none of the token. */
const POOR = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
const OTHER = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
/** Above what the node itself offers for a payment. */
const HIGH_FEE = { maxFeePerGas: "0x174876e800", maxPriorityFeePerGas: "0x174876e800" };

export async function openBep20Driver(): Promise<ContractDriver> {
  const { url, chainId, kill } = await startAnvil({ automine: false });
  await deployUsdt(url);
  const sent = new Map<string, { raw: Hex; nonce: string }>();
  const remember = async (hash: Hex): Promise<string> => {
    const { nonce } = (await rpc(url, "eth_getTransactionByHash", [hash])) as { nonce: string };
    sent.set(hash, { raw: await rawTransaction(url, hash), nonce });
    return hash;
  };
  const transfer = (to: string, amount: bigint, changes: Record<string, string> = {}) =>
    rpc(url, "eth_sendTransaction", [
      { from: FAUCET.address, to: USDT_ADDRESS, data: transferData(to, amount), ...changes },
    ]) as Promise<Hex>;

  return {
    network: "bep20",
    token: "usdt",
    node: String(await rpc(url, "web3_clientVersion")).replace("/v", " "),
    rpcUrl: url,
    contract: getAddress(USDT_ADDRESS),
    chainId,
    smallest: 1n,
    positioned: true,
    rates: "usdt/usd=1",
    addresses: {
      vectors: [ADDRESSES.bep20, "0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0"],
      walletAddress: (path) => mnemonicToAccount(WORDS, { path: path as `m/44'/60'/${string}` }).address,
      spellings: (shown) => [shown, shown.toLowerCase(), `0x${shown.slice(2).toUpperCase()}`],
      others: [ADDRESSES.bitcoin, ADDRESSES.trc20, ...ADDRESSES.none],
    },
    verdicts: { waiting: "pending", failed: "failed", takenBack: "unknown" },
    showsMempool: false,
    blocksToCredit: 3,
    open: bep20,
    readUri,
    tip: () => logBlock(url),
    block: (height) => logBlock(url, height),
    mine: (blocks) => mine(url, blocks),
    send: async (to, amount) => remember(await sendUsdt(url, to, amount)),
    sendMany: async (payments) =>
      remember(
        await payUsdt(
          url,
          payments.map(([to, amount]) => ({ to, amount })),
        ),
      ),
    async replace(hash, to, amount) {
      const { nonce = "" } = sent.get(hash) ?? {};
      return remember(await transfer(to, amount, { nonce, ...HIGH_FEE }));
    },
    async reorg(depth, { keep }) {
      const { height } = await logBlock(url);
      // What makes the branch another one, whatever the clock says: a block of the same contents has the same hash.
      const ahead = { from: OTHER, to: OTHER, value: `0x${randomInt(2 ** 40).toString(16)}` };
      const kept: (readonly [Hex | Record<string, unknown>, number])[] = [[ahead, 0]];
      for (let offset = 0; keep && offset < depth; offset++) {
        const tag = `0x${(height - depth + 1 + offset).toString(16)}`;
        const { transactions } = (await rpc(url, "eth_getBlockByNumber", [tag, false])) as {
          transactions: Hex[];
        };
        for (const hash of transactions) kept.push([await rawTransaction(url, hash), offset]);
      }
      await reorg(url, depth, kept);
    },
    async resend(hash) {
      await rpc(url, "eth_sendRawTransaction", [sent.get(hash)?.raw]);
    },
    sendFailing: (to) => transfer(to, 1n, { from: POOR, gas: "0x186a0" }),
    async sendOthers(to) {
      await rpc(url, "eth_sendTransaction", [{ from: FAUCET.address, to, value: "0xde0b6b3a7640000" }]);
      await sendToken(url, to, "TEST");
    },
    sendLookAlikes: (to) => sendToken(url, to, "USDT"),
    async sendNothing(to) {
      await transfer(to, 0n);
    },
    lies: LOG_LIES,
    cut: LOG_CUT,
    stale: (height) => staleLogNode(url, height),
    close: kill,
  };
}

/** EIP-681, by the platform's URL and viem's checksums. */
function readUri(uri: string) {
  const { protocol, pathname, searchParams } = new URL(uri);
  const [contract = "", chainId, call] = pathname.split(/[@/]/);
  if (protocol !== "ethereum:" || call !== "transfer") throw new Error(`${uri} asks for no token`);
  const [address, amount] = [searchParams.get("address") ?? "", searchParams.get("uint256") ?? ""];
  if (getAddress(contract) !== contract || getAddress(address) !== address)
    throw new Error("a wrong checksum");
  return { address, amount: BigInt(amount), contract, chainId: Number(chainId) };
}

/** How the compiler wrote the symbol down: shifted right by two bits. */
const SYMBOL = "1554d115";

/** Deploys a token that calls itself `symbol`, in a block of its own, and sends some of it. */
async function sendToken(url: string, to: string, symbol: string): Promise<void> {
  const bits = (Buffer.from(symbol).readUInt32BE() >>> 2).toString(16).padStart(8, "0");
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
