import type { ChainHead } from "../blocks.ts";
import { NodeError } from "../node-error.ts";
import type { RpcCall, RpcClient } from "../rpc-client.ts";
import { type EvmBlockHeader, parseEvmHash, parseEvmHeader, parseQuantity } from "./codec.ts";
import type { ListedContract } from "./listed-tokens.ts";

/** The first four bytes of keccak256("decimals()"). */
const DECIMALS_CALL = "0x313ce567";
/** java-tron's words for an address without a contract. Other nodes answer "0x". */
const NO_CONTRACT = /smart contract is not exist/i;
/** java-tron's words for a virtual machine that is not warm, in the first seconds after a start. */
const STARTING = /CPU timeout/i;

export const CHAIN_ID_CALL: RpcCall = { method: "eth_chainId", params: [] };

/** Throws NodeError("wrong_chain") where the answer to eth_chainId is another chain's. */
export function checkChainId(answer: unknown, chainId: number): void {
  const actual = parseQuantity("its chain id", answer);
  if (actual === chainId) return;
  throw new NodeError("wrong_chain", `the node is of chain ${actual}, not of ${chainId}`);
}

/** Checks the chain's id, and the decimals of each token with the contract itself. Throws NodeError. */
export async function checkEvmIdentity(
  client: RpcClient,
  chainId: number,
  tokens: readonly ListedContract[],
): Promise<void> {
  checkChainId(await client.call(CHAIN_ID_CALL.method), chainId);
  for (const { token, contract, decimals } of tokens) {
    const answer = await fetchDecimals(client, contract);
    if (answer === "0x") throw await explainMissingContract(client, token, contract);
    const found = BigInt(parseEvmHash(`the decimals of ${token}`, answer));
    if (found !== BigInt(decimals)) {
      throw new NodeError("wrong_chain", `${token} at ${contract} has ${found} decimals, not ${decimals}`);
    }
  }
}

/** "0x" where the node has no such contract. */
async function fetchDecimals(client: RpcClient, contract: string): Promise<unknown> {
  try {
    return await client.call("eth_call", [{ to: contract, data: DECIMALS_CALL }, "latest"]);
  } catch (error) {
    if (!(error instanceof NodeError) || error.kind !== "refused") throw error;
    if (NO_CONTRACT.test(error.message)) return "0x";
    if (STARTING.test(error.message))
      throw new NodeError("unreachable", `the node is starting: ${error.message}`, { cause: error });
    throw error;
  }
}

/** A node whose newest block is older is not synchronized. Only development chains get no block for so long. */
const FAR_BEHIND_MS = 86_400_000;

/** A node that is not synchronized may be below the block with the contract. */
async function explainMissingContract(
  client: RpcClient,
  token: string,
  contract: string,
): Promise<NodeError> {
  const latest = parseEvmHeader(await client.call("eth_getBlockByNumber", ["latest", false]));
  if (latest === null || latest.height === 0)
    return new NodeError("behind", "the node is at block 0: it is not synchronized", { height: 0 });
  const { height, time } = latest;
  const missing = `no ${token} contract at ${contract}`;
  if (Date.now() - time.getTime() <= FAR_BEHIND_MS) return new NodeError("wrong_chain", missing);
  const where = `the node is at block ${height} of ${time.toISOString()}: it is not synchronized`;
  return new NodeError("behind", `${missing} yet, ${where}`, { height });
}

/**
 * The error text of nodes while no block is final yet, as after a start of the chain. By its text: geth's code is also that of
 * other troubles. In turn: geth (-32000), Besu and Erigon (-39001), later versions of Erigon.
 */
const NOT_FINAL_YET = /finalized block not found|^unknown block$|block "?finalized"? not available/i;

/**
 * The newest block and, with `withFinalized`, the height of the newest final one. That is null while the node reports
 * none: with an error, with null, or BNB Smart Chain's node with block 0, and after a crash with a block above its head.
 */
export async function fetchEvmHead(
  client: RpcClient,
  withFinalized: boolean,
): Promise<ChainHead & { readonly header: EvmBlockHeader }> {
  const method = "eth_getBlockByNumber";
  const [newest, final = null] = await client.batch([
    { method, params: ["latest", false] },
    ...(withFinalized ? [{ method, params: ["finalized", false], nullByErrorText: NOT_FINAL_YET }] : []),
  ]);
  const latest = parseEvmHeader(newest);
  if (!latest) throw new NodeError("malformed", "the node knows no latest block");
  const { height, hash, time } = latest;
  const finalized = parseEvmHeader(final)?.height ?? 0;
  const isKnown = finalized > 0 && finalized <= height;
  return { height, hash, time, finalizedHeight: isKnown ? finalized : null, header: latest };
}
