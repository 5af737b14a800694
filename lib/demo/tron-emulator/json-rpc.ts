import { transactionRoot } from "./block-id.ts";
import { type EvmLog, type EvmReceipt, quantity, type TronBlock, type TronChain } from "./chain.ts";
import { EngineError } from "./engine.ts";
import { ENERGY_PRICE, executionResult } from "./execution-result.ts";
import {
  type LogLimits,
  parseHashParameter,
  parseHeightParameter,
  parseLogFilter,
  TronRpcError,
} from "./log-filter.ts";
import { record, type SignedTronTransaction, targetOf } from "./transaction.ts";

interface Context {
  readonly chain: TronChain;
  readonly limits: LogLimits;
}

type Method = (params: readonly unknown[], context: Context) => Promise<unknown>;

const NO_BLOOM = `0x${"0".repeat(512)}`;
const NO_HASH = `0x${"0".repeat(64)}`;

const METHODS: Readonly<Record<string, Method>> = {
  web3_clientVersion: async () => "TRON emulator/v4.8.0",
  eth_chainId: async (_, { chain }) => quantity(chain.chainId),
  net_version: async (_, { chain }) => quantity(chain.chainId),
  net_listening: async () => true,
  eth_syncing: async () => false,
  eth_accounts: async () => [],
  eth_gasPrice: async () => quantity(ENERGY_PRICE),
  eth_blockNumber: async (_, { chain }) => quantity((await chain.heights()).head),
  eth_getBlockByNumber: async ([tag, whole], { chain }) => {
    const { head, solid } = await chain.heights();
    const block = await chain.block(parseHeightParameter(tag, head, solid));
    return block && blockResult(chain, block, whole === true);
  },
  eth_getBlockByHash: async ([hash, whole], { chain }) => {
    const block = await chain.blockById(parseHashParameter(hash));
    return block && blockResult(chain, block, whole === true);
  },
  eth_getLogs: ([filter], context) => getLogs(record(filter), context),
  eth_call: async ([call, tag], { chain }) => {
    if (tag !== "latest") refuseTag(tag);
    const { from, to, data, input, value } = record(call);
    try {
      const request = { from, to, data: input ?? data, ...(value !== undefined && { value }) };
      return await chain.engine.call("eth_call", [request, "latest"]);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      throw new TronRpcError(-32000, "REVERT opcode executed", String(error.data ?? "0x"));
    }
  },
  eth_getBalance: async ([address, tag], { chain }) => {
    if (tag !== "latest") refuseTag(tag);
    return chain.engine.call("eth_getBalance", [address, "latest"]);
  },
  eth_getCode: async ([address, tag], { chain }) => {
    if (tag !== "latest") refuseTag(tag);
    return chain.engine.call("eth_getCode", [address, "latest"]);
  },
  eth_getTransactionReceipt: async ([hash], { chain }) => {
    const found = await chain.find(parseHashParameter(hash));
    return found && receiptResult(chain, found.signed, found.receipt);
  },
  eth_getTransactionByHash: async ([hash], { chain }) => {
    const found = await chain.find(parseHashParameter(hash));
    return found && transactionResult(chain, found.signed, found.receipt);
  },
};

/** Answers the body of a POST to /jsonrpc: one call or a list of calls. */
export async function answerTronRpc(body: unknown, context: Context): Promise<unknown> {
  if (!Array.isArray(body)) return answerOne(record(body), context);
  return Promise.all(body.map((call) => answerOne(record(call), context)));
}

async function answerOne(call: Readonly<Record<string, unknown>>, context: Context): Promise<unknown> {
  const { id = null, method, params } = call;
  const reply = { jsonrpc: "2.0", id };
  try {
    const known = typeof method === "string" && Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
    if (!known)
      throw new TronRpcError(-32601, `the method ${String(method)} does not exist/is not available`);
    return { ...reply, result: await known(Array.isArray(params) ? params : [], context) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const code = error instanceof TronRpcError ? error.code : -32000;
    return { ...reply, error: { code, message, data: error instanceof TronRpcError ? error.data : "{}" } };
  }
}

function refuseTag(tag: unknown): never {
  const isNumber = typeof tag === "string" && tag.startsWith("0x");
  const message = isNumber
    ? "QUANTITY not supported, just support TAG as latest"
    : `TAG ${tag} not supported`;
  throw new TronRpcError(-32602, message);
}

async function getLogs(
  request: Readonly<Record<string, unknown>>,
  { chain, limits }: Context,
): Promise<unknown> {
  const { head, solid } = await chain.heights();
  const filter = parseLogFilter(request, head, solid, limits);
  let { from, to } = filter;
  if (filter.blockHash !== null) {
    const block = await chain.blockById(filter.blockHash);
    if (!block) throw new TronRpcError(-32602, "invalid blockHash");
    from = to = block.height;
  }
  if (from > to) return [];
  const { address, topics } = filter;
  const range = { fromBlock: quantity(from), toBlock: quantity(to) };
  const wanted = address.length > 0 ? { address, topics } : { topics };
  const logs = (await chain.engine.call("eth_getLogs", [{ ...range, ...wanted }])) as EvmLog[];
  if (logs.length > limits.maxResults) {
    throw new TronRpcError(-32005, `query returned more than ${limits.maxResults} results`);
  }
  return writeLogs(chain, logs);
}

async function writeLogs(chain: TronChain, logs: readonly EvmLog[]): Promise<unknown[]> {
  const ids = await chain.idsOf(logs.map(({ transactionHash }) => transactionHash));
  return logs.map((log) => ({
    logIndex: log.logIndex,
    transactionIndex: log.transactionIndex,
    transactionHash: `0x${ids.get(log.transactionHash)}`,
    blockHash: `0x${chain.blockId(Number(log.blockNumber), log.blockHash)}`,
    blockNumber: log.blockNumber,
    ...(log.blockTimestamp !== undefined && { blockTimestamp: log.blockTimestamp }),
    address: log.address,
    data: log.data,
    topics: log.topics,
    removed: false,
  }));
}

async function blockResult(chain: TronChain, block: TronBlock, whole: boolean): Promise<unknown> {
  const transactions: unknown[] = [];
  for (const { txId } of block.transactions) {
    const found = whole ? await chain.find(txId) : null;
    transactions.push(found ? await transactionResult(chain, found.signed, found.receipt) : `0x${txId}`);
  }
  return {
    number: quantity(block.height),
    hash: `0x${block.id}`,
    parentHash: `0x${block.parentId}`,
    miner: "0xb2f713d57dbcec679d93a8849fa0cd0e4db594ba",
    timestamp: quantity(block.timeMs / 1_000),
    size: "0x0",
    transactionsRoot: `0x${transactionRoot(block)}`,
    stateRoot: "0x",
    transactions,
    uncles: [],
    gasLimit: "0x0",
    gasUsed: "0x0",
    difficulty: "0x0",
    totalDifficulty: "0x0",
    extraData: "0x",
    logsBloom: NO_BLOOM,
    nonce: "0x0000000000000000",
    sha3Uncles: NO_HASH,
    receiptsRoot: NO_HASH,
    mixHash: NO_HASH,
    baseFeePerGas: "0x0",
  };
}

async function placeOf(chain: TronChain, receipt: EvmReceipt) {
  const block = await chain.block(Number(receipt.blockNumber));
  return {
    blockHash: `0x${block?.id}`,
    blockNumber: receipt.blockNumber,
    transactionIndex: receipt.transactionIndex,
  };
}

function partiesOf({ raw: { action } }: SignedTronTransaction) {
  return { from: action.owner, to: targetOf(action) };
}

async function receiptResult(
  chain: TronChain,
  signed: SignedTronTransaction,
  receipt: EvmReceipt,
): Promise<unknown> {
  const { result, energy } = executionResult(signed, receipt);
  return {
    ...(await placeOf(chain, receipt)),
    transactionHash: `0x${signed.txId}`,
    ...partiesOf(signed),
    cumulativeGasUsed: quantity(energy),
    gasUsed: quantity(energy),
    effectiveGasPrice: quantity(ENERGY_PRICE),
    contractAddress: null,
    logs: await writeLogs(chain, receipt.logs),
    logsBloom: NO_BLOOM,
    status: result === "SUCCESS" ? "0x1" : "0x0",
    type: "0x0",
  };
}

async function transactionResult(
  chain: TronChain,
  signed: SignedTronTransaction,
  receipt: EvmReceipt,
): Promise<unknown> {
  const { energy } = executionResult(signed, receipt);
  const { action } = signed.raw;
  const signature = (signed.signatures[0] ?? "").replace(/^0x/, "");
  return {
    hash: `0x${signed.txId}`,
    ...(await placeOf(chain, receipt)),
    ...partiesOf(signed),
    // As java-tron does, also for a TRC-10 token, whose amount is not TRX.
    value: quantity(action.type === "TriggerSmartContract" ? action.callValue : action.amount),
    gas: quantity(energy),
    gasPrice: quantity(ENERGY_PRICE),
    input: action.type === "TriggerSmartContract" ? `0x${action.data}` : "0x",
    type: "0x0",
    nonce: "0x0000000000000000",
    v: `0x${signature.slice(128)}`,
    r: `0x${signature.slice(0, 64)}`,
    s: `0x${signature.slice(64, 128)}`,
  };
}
