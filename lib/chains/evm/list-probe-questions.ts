import type { NetworkData } from "../network-data.ts";
import { NodeError } from "../node-error.ts";
import { askBatchSize, describeAge, findLargest, type ProbeQuestion, readOnce } from "../node-probe.ts";
import { parseFields, parseList } from "../parse-json.ts";
import { findMissedLogs } from "./block-logs.ts";
import { type EvmBlockHeader, parseEvmHash, parseEvmHeader, TRANSFER_TOPIC } from "./codec.ts";
import type { EvmDialect } from "./dialect.ts";
import { fetchEvmHeaders, toHexHeight } from "./headers.ts";
import type { EvmTokens } from "./listed-tokens.ts";
import type { NativeNode } from "./native-reader.ts";
import { TRACER } from "./read-traces.ts";

const SPANS = [1, 10, 50, 100, 500, 1_000, 2_000, 5_000] as const;
const DAY_SECONDS = 86_400;
const TRACED_BACK = [1, 100, 1_000, 10_000, 100_000] as const;

export interface ProbedChain {
  readonly node: NativeNode;
  readonly data: NetworkData;
  readonly tokens: EvmTokens;
  readonly dialect: EvmDialect;
  readonly checkIdentity: () => Promise<void>;
}

/** Lists the questions to an EVM or TRON node, most important first. */
export function listEvmProbeQuestions(chain: ProbedChain): readonly ProbeQuestion[] {
  const { node, data, tokens, dialect, checkIdentity } = chain;
  const { client, line } = node;
  const readHead = readOnce(async () => {
    const head = parseEvmHeader(await client.call("eth_getBlockByNumber", ["latest", false]));
    if (head === null) throw new NodeError("malformed", "the node knows no latest block");
    return head;
  });
  const identity: ProbeQuestion = {
    what: "eth_chainId, eth_call",
    neededFor: "proof that this is the right chain, with the right tokens",
    required: true,
    async ask() {
      await checkIdentity();
      return ["the right chain", ...tokens.contracts.map(({ token }) => token)].join(", ");
    },
  };
  return [
    identity,
    {
      what: "eth_getBlockByNumber latest",
      neededFor: "new blocks",
      required: true,
      async ask() {
        const { height, time } = await readHead();
        return `block ${height}, ${describeAge(time)}`;
      },
    },
    ...(data.finality.kind === "finalized" ? [askFinalized(client, readHead)] : []),
    ...askLogs(chain, readHead),
    ...(tokens.coin === null ? [] : [askWholeBlock(chain, readHead)]),
    ...(tokens.coin === null || node.tracing === null ? [] : [askOldTraces(chain, readHead)]),
    ...(dialect.listProbeQuestions?.(line, async () => (await readHead()).height, tokens.coin !== null) ??
      []),
    askResults(node, async () => (await readHead()).height),
    ...(dialect.hasGasPrice
      ? [
          {
            what: "eth_gasPrice",
            neededFor: "the network fee (GET /v1/…/network-fee)",
            required: false,
            ask: async () => String(await client.call("eth_gasPrice")),
          },
        ]
      : []),
    {
      what: "eth_getBlockByNumber a day ago",
      neededFor: "payments of a day when this program was down",
      required: false,
      async ask() {
        const { height } = await readHead();
        const wanted = Math.max(0, height - Math.ceil(DAY_SECONDS / data.blockSeconds));
        const [header] = await fetchEvmHeaders(client, [wanted]);
        if (!header) throw new NodeError("refused", `the node does not have block ${wanted}`);
        return `block ${wanted}`;
      },
    },
    askBatchSize(line, { method: "eth_getBlockByNumber", params: ["latest", false] }),
  ];
}

function askFinalized(
  client: NativeNode["client"],
  readHead: () => Promise<{ height: number }>,
): ProbeQuestion {
  return {
    what: "eth_getBlockByNumber finalized",
    neededFor: "final payments",
    required: true,
    async ask() {
      const final = parseEvmHeader(await client.call("eth_getBlockByNumber", ["finalized", false]));
      if (final === null) throw new NodeError("refused", "the node reports no finalized block");
      const { height } = await readHead();
      return `block ${final.height}, ${Math.max(0, height - final.height)} below the newest, ${describeAge(final.time)}`;
    },
  };
}

/** Logs in the three ways in which they are read. */
function askLogs(
  { node: { client }, tokens, dialect: { hasBlooms } }: ProbedChain,
  readHead: () => Promise<EvmBlockHeader>,
): readonly ProbeQuestion[] {
  if (tokens.contracts.length === 0) return [];
  const filter = { address: tokens.contracts.map(({ contract }) => contract), topics: [TRANSFER_TOPIC] };
  const read = async (range: Readonly<Record<string, unknown>>) => {
    const logs = await client.call("eth_getLogs", [{ ...filter, ...range }]);
    if (!Array.isArray(logs)) throw new NodeError("malformed", "the node sent no list of logs");
    return logs.length;
  };
  const readSpan = async (span: number) => {
    const { height } = await readHead();
    return read({ fromBlock: toHexHeight(Math.max(0, height - span + 1)), toBlock: toHexHeight(height) });
  };
  return [
    {
      what: "eth_getLogs of one block by its hash",
      neededFor: "payments in tokens",
      required: true,
      ask: async () => `${await read({ blockHash: (await readHead()).hash })} transfers`,
    },
    {
      what: "eth_getLogs by height",
      neededFor: "payments in tokens, after a pause",
      required: true,
      ask: async () => `${await readSpan(10)} transfers in 10 blocks`,
    },
    {
      what: "an index of logs that has the newest block",
      neededFor: "fewer calls: without it each block is read whole",
      required: false,
      async ask() {
        const head = await readHead();
        if ((await read({ blockHash: head.hash })) > 0) return "has it";
        const asked = { contracts: filter.address, hasBlooms };
        const missed = await findMissedLogs(client, asked, [head]);
        if (missed.length === 0) return "not tried: the newest block has no transfers";
        const lacks = `the node's index of logs lacks block ${head.height}`;
        throw new NodeError("inconsistent", `${lacks}. java-tron: node.jsonrpc.httpFullNodeEnable = true`);
      },
    },
    ...(hasBlooms ? [askReceiptsOfBlock(client, readHead)] : []),
    {
      what: "eth_getLogs of any contract",
      neededFor: "tokens that are not listed (unmatched deposits)",
      required: false,
      async ask() {
        const { height } = await readHead();
        const at = toHexHeight(height);
        const receiver = `0x${"0".repeat(63)}1`;
        const logs = await client.call("eth_getLogs", [
          { topics: [TRANSFER_TOPIC, null, [receiver]], fromBlock: at, toBlock: at },
        ]);
        if (!Array.isArray(logs)) throw new NodeError("malformed", "the node sent no list of logs");
        return "answered";
      },
    },
    {
      what: "blocks in one eth_getLogs",
      neededFor: "fewer calls after a pause",
      required: false,
      ask: () => findLargest(SPANS, readSpan),
    },
  ];
}

function askReceiptsOfBlock(
  client: NativeNode["client"],
  readHead: () => Promise<EvmBlockHeader>,
): ProbeQuestion {
  return {
    what: "eth_getBlockReceipts",
    neededFor: "blocks whose logs the node leaves out, with fewer calls",
    required: false,
    async ask() {
      const { height } = await readHead();
      const receipts = await client.call("eth_getBlockReceipts", [toHexHeight(height)]);
      return `${parseList("receipts", receipts).length} receipts`;
    },
  };
}

/** The coin's own reader asks for whole blocks in its own way, so it is tried out on the newest block. */
function askWholeBlock(
  { node, tokens, data }: ProbedChain,
  readHead: () => Promise<{ height: number }>,
): ProbeQuestion {
  return {
    what: data.family === "tron" ? "/wallet/getblockbylimitnext" : "eth_getBlockByNumber with transactions",
    neededFor: `payments in ${data.coin}`,
    required: true,
    async ask() {
      const { height } = await readHead();
      await tokens.coin?.reader.scanNative(node, { from: height, to: height }, async () => new Set());
      return `block ${height} read whole`;
    },
  };
}

/** How many blocks below the newest the node still traces. A node that keeps no old states ends at about 128. */
function askOldTraces(
  { node: { client, tracing }, data }: ProbedChain,
  readHead: () => Promise<{ height: number }>,
): ProbeQuestion {
  return {
    what: "debug_traceBlockByHash of older blocks",
    neededFor: `${data.coin} that contracts send, after a pause`,
    required: false,
    ask: () =>
      findLargest(TRACED_BACK, async (back) => {
        const { height } = await readHead();
        const [header] = await fetchEvmHeaders(client, [Math.max(0, height - back)]);
        if (!header)
          throw new NodeError("refused", `the node does not have the block ${back} below its newest`);
        if (header.height > 0) await tracing?.call("debug_traceBlockByHash", [header.hash, TRACER]);
      }),
  };
}

function askResults(node: NativeNode, readHeight: () => Promise<number>): ProbeQuestion {
  return {
    what: "eth_getTransactionReceipt, eth_getTransactionByHash",
    neededFor: "results of payments, withdrawals",
    required: true,
    async ask() {
      const hash = await findTransaction(node, await readHeight());
      if (hash === null) return "not tried: the newest blocks are empty";
      const params = [hash];
      const [receipt] = await node.client.batch([
        { method: "eth_getTransactionReceipt", params },
        { method: "eth_getTransactionByHash", params },
      ]);
      if (receipt === null) throw new NodeError("inconsistent", `the node has no receipt of ${hash}`);
      return "answered";
    },
  };
}

/** The hash of a transaction in one of the newest blocks. Null: they are empty. */
async function findTransaction({ client }: NativeNode, height: number): Promise<string | null> {
  for (let below = 0; below < 5 && below <= height; below++) {
    const block = await client.call("eth_getBlockByNumber", [toHexHeight(height - below), false]);
    const { transactions } = parseFields("a block", block);
    if (Array.isArray(transactions) && transactions.length > 0)
      return parseEvmHash("a transaction's hash", transactions[0]);
  }
  return null;
}
