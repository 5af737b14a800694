import type { Logger } from "pino";
import { encodeFunctionData, parseAbi } from "viem";
import { rescale } from "#lib/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/money/tokens.ts";
import {
  type AddressFilter,
  type ChainReader,
  type ChainRecord,
  type ChainTransfer,
  type ForeignTransfer,
  type Head,
  type NetworkAdapter,
  type NetworkConfig,
  NodeError,
  type ScanResult,
  type TxVerdict,
} from "../network.ts";
import type { NetworkData } from "../network-data.ts";
import type { NodeLine } from "../node-line.ts";
import { openNodePool } from "../node-pool.ts";
import { type Header, readHash, readHeader, readQuantity, type TransferLog } from "./codec.ts";
import { deriveEvmAddresses } from "./derive-address.ts";
import { type Dialect, ETHEREUM } from "./dialect.ts";
import { readNetworkFee } from "./network-fee.ts";
import { readExpired, readPayments } from "./read-payments.ts";
import { openRpcClient, type RpcClient } from "./rpc-client.ts";
import { readHeaders, scanForeignLogs, scanLogs } from "./scan-logs.ts";

const TIMEOUT_MS = 10_000;
const DECIMALS_CALL = encodeFunctionData({ abi: parseAbi(["function decimals() view returns (uint8)"]) });

export interface ListedToken {
  readonly token: TokenCode;
  /** 20 bytes of lower-case hex, as logs carry it. */
  readonly contract: string;
  readonly decimals: number;
}

/**
 * An EVM network: ERC-20 tokens of its registry entry, by contract. Throws on an account key that is not a public
 * one, and on an entry that lists a native coin, which this adapter does not watch.
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
  const tokens = listTokens(data, config, dialect);
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
      const listed = tokens.find((entry) => entry.token === token);
      if (!listed) throw new Error(`${token} is not received on ${network}`);
      return dialect.paymentUri(
        address,
        toChainUnits(amount, listed),
        chainId,
        dialect.fromHex(listed.contract),
      );
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
    readonly tokens: readonly ListedToken[];
    readonly dialect: Dialect;
  },
) {
  const { data, chainId, tokens, dialect } = chain;
  const client = openRpcClient(line);
  return {
    checkIdentity: () => checkIdentity(client, chainId, tokens),
    head: () => readHead(client, data.finality.kind === "finalized"),
    blockHash: async (height) => (await readHeaders(client, [height]))[0]?.hash ?? null,
    scan: (range, ours) => scan(client, tokens, dialect, range, ours),
    scanForeign: (range, addresses) => scanForeign(client, tokens, dialect, range, addresses),
    scanMempool: async () => [],
    verdict: (txHash) => readVerdict(client, dialect.toRpcHash(txHash)),
    payments: (txHash) => readPayments(client, tokens, dialect, txHash),
    expired: (since, height) => readExpired(client, dialect.expiryMs, data.blockSeconds, since, height),
    lookUp: (txHash) => dialect.lookUp?.(line, txHash) ?? readReceipt(client, dialect.toRpcHash(txHash)),
    networkFee: () => readNetworkFee(client, data.coin),
  } satisfies ChainReader;
}

function listTokens(
  data: NetworkData,
  { env, network }: NetworkConfig,
  dialect: Dialect,
): readonly ListedToken[] {
  return Object.entries(data.tokens).map(([code, { contract, decimals }]) => {
    const token = code as TokenCode;
    const address = contract?.[env];
    const canonical = address ? dialect.canonicalAddress(address) : null;
    if (canonical === null) throw new Error(`${network} has no valid contract of ${token}`);
    return { token, contract: dialect.toHex(canonical), decimals };
  });
}

/** Ledger units to the chain's, rounded up: a request never asks for less than is due. */
function toChainUnits(amount: bigint, { token, decimals }: ListedToken): bigint {
  const step = 10n ** BigInt(TOKENS[token].ledgerDecimals - decimals);
  return (amount + step - 1n) / step;
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

async function scan(
  client: RpcClient,
  tokens: readonly ListedToken[],
  dialect: Dialect,
  range: { readonly from: number; readonly to: number },
  ours: AddressFilter,
): Promise<ScanResult> {
  const contracts = tokens.map(({ contract }) => contract);
  const { logs, tip, parentHash, headers } = await scanLogs(client, contracts, range);
  const receivers = new Map(logs.map(({ address }) => [address, dialect.fromHex(address)]));
  const known = receivers.size === 0 ? new Set<string>() : await ours([...receivers.values()]);
  const mine = logs.filter(({ address }) => known.has(receivers.get(address) ?? ""));
  const blocks = await blocksOf(client, mine, headers);
  const transfers = mine.map((log): ChainTransfer => {
    const listed = tokens.find(({ contract }) => contract === log.contract);
    const block = blocks.get(log.blockHeight);
    if (!listed || block?.hash !== log.blockHash) {
      throw new NodeError("inconsistent", `the block of ${log.txHash} is not the chain's`);
    }
    return {
      txHash: dialect.fromRpcHash(log.txHash),
      position: log.logIndex,
      token: listed.token,
      address: dialect.fromHex(log.address),
      sender: dialect.fromHex(log.sender),
      amount: rescale(log.amount, listed.decimals, TOKENS[listed.token].ledgerDecimals),
      block: { height: block.height, hash: block.hash, time: block.time },
      spends: [],
      unmatchedReason: null,
    };
  });
  return { transfers, tipHash: tip.hash, parentHash };
}

async function scanForeign(
  client: RpcClient,
  tokens: readonly ListedToken[],
  dialect: Dialect,
  range: { readonly from: number; readonly to: number },
  addresses: readonly string[],
): Promise<readonly ForeignTransfer[]> {
  const listed = tokens.map(({ contract }) => contract);
  const logs = await scanForeignLogs(client, listed, addresses.map(dialect.toHex), range);
  return logs.map(({ txHash, logIndex, contract, address, sender, amount, blockHeight, blockHash }) => ({
    txHash: dialect.fromRpcHash(txHash),
    position: logIndex,
    contract: dialect.fromHex(contract),
    address: dialect.fromHex(address),
    sender: dialect.fromHex(sender),
    rawAmount: amount,
    block: { height: blockHeight, hash: blockHash },
  }));
}

/** Headers of the blocks that hold these logs: only those, because only a payment of ours needs its block's time. */
async function blocksOf(
  client: RpcClient,
  logs: readonly TransferLog[],
  read: ReadonlyMap<number, Header>,
): Promise<ReadonlyMap<number, Header>> {
  const missing = [...new Set(logs.map(({ blockHeight }) => blockHeight))].filter((h) => !read.has(h));
  const blocks = new Map(read);
  for (let i = 0; i < missing.length; i += 16) {
    for (const header of await readHeaders(client, missing.slice(i, i + 16))) {
      if (header) blocks.set(header.height, header);
    }
  }
  return blocks;
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
