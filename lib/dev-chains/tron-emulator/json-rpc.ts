import { transactionRoot } from "./block-id.ts";
import type { EvmLog, EvmReceipt, TronBlock, TronChain } from "./chain.ts";
import { EngineError } from "./engine.ts";
import { quantity } from "./evm-blocks.ts";
import { ENERGY_PRICE, executionResult } from "./execution-result.ts";
import { record } from "./fields.ts";
import {
  type LogLimits,
  parseHashParameter,
  parseHeightParameter,
  parseLogFilter,
  refuseWith,
  TronRpcError,
} from "./log-filter.ts";
import { receiverOf, type SignedTronTransaction } from "./transaction.ts";

interface Context {
  readonly chain: TronChain;
  readonly limits: LogLimits;
}

interface Method {
  /** Another number of parameters is refused. */
  readonly params: number;
  answer(params: readonly unknown[], context: Context): Promise<unknown>;
}

const NO_BLOOM = `0x${"0".repeat(512)}`;
const NO_HASH = `0x${"0".repeat(64)}`;
const WITNESS = "b2f713d57dbcec679d93a8849fa0cd0e4db594ba";

const constant = (answer: unknown): Method => ({ params: 0, answer: async () => answer });
/** Declared by java-tron, and refused. */
const refused = (name: string, params: number): Method => ({
  params,
  answer: async () => {
    throw new TronRpcError(-32601, `the method ${name} does not exist/is not available`);
  },
});

const METHODS: Readonly<Record<string, Method>> = {
  web3_clientVersion: constant("TRON emulator/v4.8.0"),
  net_listening: constant(false),
  net_peerCount: constant("0x0"),
  eth_protocolVersion: constant("0x20"),
  eth_coinbase: constant(`0x41${WITNESS}`),
  eth_mining: constant(true),
  eth_syncing: constant(false),
  eth_accounts: constant([]),
  eth_gasPrice: constant(quantity(ENERGY_PRICE)),
  eth_sendRawTransaction: refused("eth_sendRawTransaction", 1),
  eth_getTransactionCount: refused("eth_getTransactionCount", 2),
  eth_chainId: { params: 0, answer: async (_, { chain }) => quantity(chain.chainId) },
  net_version: { params: 0, answer: async (_, { chain }) => quantity(chain.chainId) },
  eth_blockNumber: { params: 0, answer: async (_, { chain }) => quantity((await chain.heights()).head) },
  eth_getBlockByNumber: {
    params: 2,
    answer: async ([tag, whole], { chain }) => {
      const { head, solid } = await chain.heights();
      const height = parseHeightParameter(tag, head, solid);
      const block = height > head ? null : await chain.block(height);
      return block && blockResult(chain, block, whole === true);
    },
  },
  eth_getBlockByHash: {
    params: 2,
    answer: async ([hash, whole], { chain }) => {
      const block = await chain.blockById(parseHashParameter(hash));
      return block && blockResult(chain, block, whole === true);
    },
  },
  eth_getLogs: { params: 1, answer: ([filter], context) => getLogs(filter, context) },
  eth_call: {
    params: 2,
    answer: ([call, tag], { chain }) => {
      checkLatest(tag);
      return callContract(chain, record(call));
    },
  },
  eth_getBalance: {
    params: 2,
    answer: async ([address, tag], { chain }) => {
      checkLatest(tag);
      return quantity(await chain.balance(String(address)));
    },
  },
  eth_getCode: {
    params: 2,
    answer: async ([address, tag], { chain }) => {
      checkLatest(tag);
      return chain.engine.call("eth_getCode", [address, "latest"]);
    },
  },
  eth_getTransactionReceipt: {
    params: 1,
    answer: async ([hash], { chain }) => {
      const found = await chain.find(parseHashParameter(hash));
      return found && receiptResult(chain, found.signed, found.receipt);
    },
  },
  eth_getTransactionByHash: {
    params: 1,
    answer: async ([hash], { chain }) => {
      const txId = parseHashParameter(hash);
      const found = await chain.find(txId);
      if (found) return transactionResult(chain, found.signed, found.receipt);
      const waiting = chain.findWaiting(txId);
      return waiting && transactionFields(waiting, WAITING);
    },
  },
};

/** Answers a body that is not JSON. */
export const NO_JSON = {
  jsonrpc: "2.0",
  id: "null",
  error: { code: -32700, message: "JSON parse error" },
};

/** Answers the body of a POST to /jsonrpc: one call or a list of calls. A call without an id has no answer. */
export async function answerTronRpc(body: unknown, context: Context): Promise<unknown> {
  if (!Array.isArray(body)) return (await answerOne(record(body), context)) ?? "";
  const answers = await Promise.all(body.map((call) => answerOne(record(call), context)));
  return answers.filter((answer) => answer !== null);
}

async function answerOne(call: Readonly<Record<string, unknown>>, context: Context): Promise<unknown> {
  const { id, method, params } = call;
  if (id === undefined) return null;
  const reply = { jsonrpc: "2.0", id };
  try {
    const known = typeof method === "string" && Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
    if (!known) throw new TronRpcError(-32601, "method not found", null);
    const given: readonly unknown[] = Array.isArray(params) ? params : [];
    if (given.length !== known.params) throw new TronRpcError(-32602, "method parameters invalid", null);
    return { ...reply, result: await known.answer(given, context) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!(error instanceof TronRpcError)) return { ...reply, error: { code: -32000, message, data: "{}" } };
    const { code, data } = error;
    return { ...reply, error: { code, message, ...(data !== null && { data }) } };
  }
}

function checkLatest(tag: unknown): void {
  if (tag === "latest") return;
  const isTag = tag === "earliest" || tag === "pending" || tag === "finalized";
  if (isTag) throw new TronRpcError(-32602, "TAG [earliest | pending | finalized] not supported");
  const isNumber = typeof tag === "string" && /^(0x[0-9a-fA-F]+|[0-9]+)$/.test(tag);
  const said = isNumber ? "QUANTITY not supported, just support TAG as latest" : "invalid block number";
  throw new TronRpcError(-32602, said);
}

async function callContract(chain: TronChain, call: Readonly<Record<string, unknown>>): Promise<string> {
  const { from, to, data, input, value } = call;
  if ((await chain.engine.call("eth_getCode", [to, "latest"])) === "0x") {
    throw new TronRpcError(-32600, "Smart contract is not exist.");
  }
  try {
    return await chain.call({ from, to, data: input ?? data, ...(value !== undefined && { value }) });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new TronRpcError(-32000, "REVERT opcode executed");
  }
}

async function getLogs(request: unknown, { chain, limits }: Context): Promise<unknown> {
  if (request === null) {
    const asked = "org.tron.core.services.jsonrpc.TronJsonRpc$FilterRequest.getAddress()";
    refuseWith("java.lang.NullPointerException", `Cannot invoke "${asked}" because "<parameter1>" is null`);
  }
  const { head, solid } = await chain.heights();
  const filter = parseLogFilter(record(request), head, solid, limits);
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
    miner: `0x${WITNESS}`,
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
  return { from: action.owner, to: receiverOf(action) };
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

/** The place of a transaction without a block. */
const WAITING = { blockHash: "0x", blockNumber: "0x", transactionIndex: "0x", gas: "0x0", gasPrice: "0x" };

async function transactionResult(
  chain: TronChain,
  signed: SignedTronTransaction,
  receipt: EvmReceipt,
): Promise<unknown> {
  const { energy } = executionResult(signed, receipt);
  const gas = { gas: quantity(energy), gasPrice: quantity(ENERGY_PRICE) };
  return transactionFields(signed, { ...(await placeOf(chain, receipt)), ...gas });
}

function transactionFields(signed: SignedTronTransaction, place: Readonly<Record<string, string>>) {
  const { action } = signed.raw;
  const signature = (signed.signatures[0] ?? "").replace(/^0x/, "");
  return {
    hash: `0x${signed.txId}`,
    ...place,
    ...partiesOf(signed),
    // As java-tron does, also for a TRC-10 token, whose amount is not TRX.
    value: quantity("to" in action ? action.amount : "callValue" in action ? action.callValue : 0n),
    input: action.type === "TriggerSmartContract" ? `0x${action.data}` : "0x",
    type: "0x0",
    nonce: "0x0000000000000000",
    v: `0x${signature.slice(128)}`,
    r: `0x${signature.slice(0, 64)}`,
    s: `0x${signature.slice(64, 128)}`,
  };
}
