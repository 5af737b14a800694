import type { Logger } from "pino";
import { encodeFunctionData, parseAbi } from "viem";
import {
  type ChainReader,
  type ChainRecord,
  type Head,
  type NetworkAdapter,
  type NetworkConfig,
  NodeError,
  type TxVerdict,
} from "../network.ts";
import type { NetworkData } from "../network-data.ts";
import type { NodeLine } from "../node-line.ts";
import { openNodePool } from "../node-pool.ts";
import { openRpcClient, type RpcClient } from "../rpc-client.ts";
import { readHash, readHeader, readQuantity } from "./codec.ts";
import { deriveEvmAddresses } from "./derive-address.ts";
import { type Dialect, ETHEREUM } from "./dialect.ts";
import { type ListedToken, type ListedTokens, listTokens, toChainUnits } from "./listed-tokens.ts";
import { readNetworkFee } from "./network-fee.ts";
import { readExpired, readPayments } from "./read-payments.ts";
import { readHeaders } from "./scan-logs.ts";
import { scanForeign, scanTransfers } from "./scan-transfers.ts";

const TIMEOUT_MS = 10_000;
const DECIMALS_CALL = encodeFunctionData({ abi: parseAbi(["function decimals() view returns (uint8)"]) });

/**
 * An EVM network: ERC-20 tokens of its registry entry, by contract, and its own coin where the entry lists it. Throws on
 * an account key that is not a public one, and on an entry that lists nothing for the environment.
 */
export function openEvmAdapter(config: NetworkConfig, data: NetworkData, log?: Logger): NetworkAdapter {
  return openLogAdapter(config, data, ETHEREUM, log);
}

/** As openEvmAdapter, for any chain whose tokens log their transfers as ERC-20 does. */
export function openLogAdapter(
  config: NetworkConfig,
  data: NetworkData,
  dialect: Dialect,
  log?: Logger,
): NetworkAdapter {
  const { env, network, accountKey } = config;
  const chainId = data.chainId?.[env];
  if (chainId === undefined) throw new Error(`${network} has no chain id`);
  const tokens = listTokens(data, env, dialect);
  const pool = openNodePool({
    urls: config.rpcUrls.map(dialect.rpcUrl),
    read: (line) => readNode(line, { data, chainId, tokens, dialect }),
    timeoutMs: TIMEOUT_MS,
    perSecond: config.rpcBudget,
    blockSeconds: data.blockSeconds,
    log: log?.child({ env, network }),
  });
  const derive = deriveEvmAddresses(accountKey, data.accountPath);
  return {
    env,
    network,
    data,
    accountKey,
    deriveAddress(index) {
      const { address, path } = derive(index);
      return { address: dialect.fromHex(address), path };
    },
    canonicalAddress: dialect.canonicalAddress,
    displayAddress: dialect.displayAddress,
    paymentUri({ address, token, amount }) {
      const listed = tokens.contracts.find((entry) => entry.token === token);
      const coin = tokens.coin?.token === token ? tokens.coin : null;
      const asked = listed ?? coin;
      if (!asked) throw new Error(`${token} is not received on ${network}`);
      const contract = listed ? dialect.fromHex(listed.contract) : null;
      return dialect.paymentUri(address, toChainUnits(amount, asked), chainId, contract);
    },
    ...pool.reader,
    scanForeign: (range, addresses) => pool.use((node) => node.scanForeign(range, addresses)),
    lookUp: (txHash) => pool.use((node) => node.lookUp(txHash)),
    // TRON's fees are energy and bandwidth, no price of gas.
    ...(data.family === "evm" && { networkFee: () => pool.use((node) => node.networkFee()) }),
    payments: (txHash) => pool.use((node) => node.payments(txHash)),
    ...(dialect.expiryMs !== null && {
      expired: (since: Date, height: number) => pool.use((node) => node.expired(since, height)),
    }),
    onOneNode: pool.onOneNode,
    nodes: pool.nodes,
  };
}

/** One node, read. */
function readNode(
  line: NodeLine,
  chain: {
    readonly data: NetworkData;
    readonly chainId: number;
    readonly tokens: ListedTokens;
    readonly dialect: Dialect;
  },
) {
  const { data, chainId, tokens, dialect } = chain;
  const client = openRpcClient(line);
  const node = { line, client };
  return {
    checkIdentity: () => checkIdentity(client, chainId, tokens.contracts),
    head: () => readHead(client, data.finality.kind === "finalized"),
    blockHash: async (height) => (await readHeaders(client, [height]))[0]?.hash ?? null,
    scan: (range, ours) => scanTransfers(node, tokens, dialect, range, ours),
    scanForeign: (range, addresses) => scanForeign(client, tokens, dialect, range, addresses),
    scanMempool: async () => [],
    verdict: (txHash) => readVerdict(client, dialect.toRpcHash(txHash)),
    payments: (txHash) => readPayments(node, tokens, dialect, txHash),
    expired: (since, height) => readExpired(client, dialect.expiryMs, data.blockSeconds, since, height),
    lookUp: (txHash) => dialect.lookUp?.(line, txHash) ?? readReceipt(client, dialect.toRpcHash(txHash)),
    networkFee: () => readNetworkFee(client, data.coin),
  } satisfies ChainReader;
}

async function checkIdentity(
  client: RpcClient,
  chainId: number,
  tokens: readonly ListedToken[],
): Promise<void> {
  const [id, ...decimals] = await client.batch([
    { method: "eth_chainId", params: [] },
    ...tokens.map(({ contract }) => ({
      method: "eth_call",
      params: [{ to: contract, data: DECIMALS_CALL }, "latest"],
    })),
  ]);
  const actual = readQuantity("its chain id", id);
  if (actual !== chainId) {
    throw new NodeError("wrong_chain", `the node is of chain ${actual}, not of ${chainId}`);
  }
  for (const [i, { token, contract, decimals: expected }] of tokens.entries()) {
    const answer = decimals[i];
    if (answer === "0x") throw new NodeError("wrong_chain", `no ${token} contract at ${contract}`);
    const found = BigInt(readHash(`the decimals of ${token}`, answer));
    if (found !== BigInt(expected)) {
      throw new NodeError("wrong_chain", `${token} at ${contract} has ${found} decimals, not ${expected}`);
    }
  }
}

async function readHead(client: RpcClient, withFinalized: boolean): Promise<Head> {
  const tags = withFinalized ? ["latest", "finalized"] : ["latest"];
  const [latest, finalized] = (
    await client.batch(tags.map((tag) => ({ method: "eth_getBlockByNumber", params: [tag, false] })))
  ).map(readHeader);
  if (!latest) throw new NodeError("malformed", "the node knows no latest block");
  if (finalized && finalized.height > latest.height) {
    throw new NodeError("inconsistent", "the node's finalized block is above its head");
  }
  return { height: latest.height, hash: latest.hash, finalizedHeight: finalized?.height ?? null };
}

/** A transaction that waits for its block has none yet. */
async function readReceipt(client: RpcClient, txHash: string): Promise<ChainRecord | null> {
  const receipt = await client.call("eth_getTransactionReceipt", [txHash]);
  return receipt === null ? null : { json: JSON.stringify(receipt), shownAs: "text" };
}

async function readVerdict(client: RpcClient, txHash: string): Promise<TxVerdict> {
  const receipt = await client.call("eth_getTransactionReceipt", [txHash]);
  if (receipt === null) {
    const transaction = await client.call("eth_getTransactionByHash", [txHash]);
    return { kind: transaction === null ? "unknown" : "pending" };
  }
  const { status, blockNumber, blockHash } = receipt as Record<string, unknown>;
  const height = readQuantity("a receipt's block", blockNumber);
  const hash = readHash("a receipt's block hash", blockHash);
  const [header] = await readHeaders(client, [height]);
  if (header?.hash !== hash) return { kind: "pending" };
  if (readQuantity("a receipt's status", status) !== 1) return { kind: "failed" };
  return { kind: "confirmed", blockHeight: height, blockHash: hash };
}
