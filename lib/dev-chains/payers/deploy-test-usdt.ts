import { encodeDeployData, encodeFunctionData, getContractAddress, type Hex } from "viem";
import { openNodeClient } from "#lib/chains/node-client.ts";
import { openRpcClient } from "#lib/chains/rpc-client.ts";
import { isOurs } from "./development-node.ts";
import { FAUCET, TEST_USDT_ABI, TEST_USDT_BYTECODE } from "./test-usdt.ts";

const TIMEOUT_MS = 30_000;
/** Only deploys the test token, so that the token has the same address on every development chain. */
const DEPLOYER = "0xa0ee7a142d267c1f36714e4a8f75612f20a79720";

/** The address of the token that deployUsdt deploys, canonical lower case. */
export const USDT_ADDRESS = getContractAddress({ from: DEPLOYER, nonce: 0n }).toLowerCase() as Hex;

const openNode = (url: string) => openRpcClient(openNodeClient(url, { timeoutMs: TIMEOUT_MS, perSecond: 0 }));

/** The chain id of a development node (anvil). Null: it is another node. Throws NodeError if it does not answer. */
export async function findDevelopmentChain(url: string): Promise<number | null> {
  const node = openNode(url);
  const isAnvil = await isOurs([node], (one) => one.call("anvil_nodeInfo"));
  return isAnvil ? Number(await node.call("eth_chainId")) : null;
}

/**
 * Deploys the test USDT unless the chain has it, and gives the faucet a billion of it. Mines the blocks that
 * this needs if the node does not mine by itself. Returns its address, the same everywhere.
 */
export async function deployUsdt(url: string, options: { decimals?: number } = {}): Promise<Hex> {
  const node = openNode(url);
  const hasCode = async () => (await node.call("eth_getCode", [USDT_ADDRESS, "latest"])) !== "0x";
  if (await hasCode()) return USDT_ADDRESS;
  const decimals = options.decimals ?? 18;
  const data = encodeDeployData({
    abi: TEST_USDT_ABI,
    bytecode: TEST_USDT_BYTECODE,
    args: [decimals, 0n],
  });
  await node.call("eth_sendTransaction", [{ from: DEPLOYER, data }]);
  await node.call("evm_mine");
  const mint = encodeFunctionData({
    abi: TEST_USDT_ABI,
    functionName: "mint",
    args: [FAUCET.address, 10n ** BigInt(9 + decimals)],
  });
  await node.call("eth_sendTransaction", [{ from: FAUCET.address, to: USDT_ADDRESS, data: mint }]);
  await node.call("evm_mine");
  if (await hasCode()) return USDT_ADDRESS;
  throw new Error("the test USDT is not at its address: account 9 of this chain was used before");
}
