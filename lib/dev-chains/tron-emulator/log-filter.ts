/** java-tron's limits for one eth_getLogs call. */
export interface LogLimits {
  /** Largest distance between the first block and the last one. */
  readonly maxBlockRange: number;
  /** Longest list at one position of `topics`. */
  readonly maxSubTopics: number;
  readonly maxResults: number;
}

export const LOG_LIMITS: LogLimits = {
  maxBlockRange: 5_000,
  maxSubTopics: 1_000,
  maxResults: 10_000,
};

/** A JSON-RPC error answer. */
export class TronRpcError extends Error {
  readonly code: number;
  /** Null: the answer has none. */
  readonly data: unknown;
  constructor(code: number, message: string, data: unknown = "{}") {
    super(message);
    this.name = "RpcRefusal";
    this.code = code;
    this.data = data;
  }
}

export interface LogFilter {
  readonly blockHash: string | null;
  readonly from: number;
  readonly to: number;
  readonly address: readonly string[];
  readonly topics: readonly (string | readonly string[] | null)[];
}

function refuse(message: string): never {
  throw new TronRpcError(-32602, message);
}

/** Throws an error that java-tron did not expect, as it passes it on. */
export function refuseWith(exceptionTypeName: string, message: string): never {
  throw new TronRpcError(-32001, message, { exceptionTypeName, message });
}

/** Height of a tag or a number. `latest` is the head. Throws RpcRefusal with java-tron's message. */
export function parseHeightParameter(tag: unknown, head: number, solid: number): number {
  if (tag === "latest" || tag === "") return head;
  if (tag === "earliest") return 0;
  if (tag === "finalized") return solid;
  if (tag === "pending") refuse("TAG pending not supported");
  // java-tron reads decimal digits too.
  const text = typeof tag === "number" ? String(tag) : tag;
  if (typeof text !== "string" || !/^(0x[0-9a-fA-F]+|[0-9]+)$/.test(text))
    return refuse("invalid block number");
  return Number(text);
}

export function parseHashParameter(value: unknown): string {
  if (typeof value !== "string" || !/^(0x)?[0-9a-fA-F]{64}$/.test(value)) return refuse("invalid hash value");
  return value.replace(/^0x/, "").toLowerCase();
}

/** The filter of an eth_getLogs call. Throws RpcRefusal if it exceeds the limits. */
export function parseLogFilter(
  request: Readonly<Record<string, unknown>>,
  head: number,
  solid: number,
  limits: LogLimits,
): LogFilter {
  const address = readAddresses(request.address);
  const topics = readTopics(request.topics, limits);
  const { fromBlock, toBlock } = request;
  if (request.blockHash != null) {
    if (fromBlock != null || toBlock != null) {
      refuse("cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other");
    }
    return { blockHash: parseHashParameter(request.blockHash), from: 0, to: 0, address, topics };
  }
  const to = toBlock == null ? head : parseHeightParameter(toBlock, head, solid);
  const from = fromBlock == null ? Math.min(to, head) : parseHeightParameter(fromBlock, head, solid);
  if (from > to && toBlock !== "latest" && toBlock != null) refuse("please verify: fromBlock <= toBlock");
  if (Math.min(to, head) - from > limits.maxBlockRange)
    refuse(`exceed max block range: ${limits.maxBlockRange}`);
  return { blockHash: null, from, to: Math.min(to, head), address, topics };
}

function readAddresses(value: unknown): readonly string[] {
  if (value == null) return [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.map((entry, index) => {
    if (typeof entry === "string" && /^(0x)?[0-9a-fA-F]{40}$/.test(entry)) return `0x${entry.slice(-40)}`;
    if (typeof entry === "string" && !/^(0x)?[0-9a-fA-F]*$/.test(entry)) {
      refuseWith(
        "org.bouncycastle.util.encoders.DecoderException",
        "exception decoding Hex string: invalid characters encountered in Hex string",
      );
    }
    return refuse(
      Array.isArray(value) ? `invalid address at index ${index}: [${entry}]` : `invalid address: ${entry}`,
    );
  });
}

function readTopics(value: unknown, limits: LogLimits): LogFilter["topics"] {
  if (value == null) return [];
  if (!Array.isArray(value)) return refuse("invalid topic(s)");
  if (value.length > 4) refuse("topics size should be <= 4");
  const readTopic = (topic: unknown): string => {
    if (typeof topic === "string" && /^(0x)?[0-9a-fA-F]{64}$/.test(topic)) return `0x${topic.slice(-64)}`;
    return refuse(`invalid topic(s): ${String(topic)}`);
  };
  return value.map((place: unknown) => {
    if (place === null) return null;
    if (!Array.isArray(place)) return readTopic(place);
    if (place.length > limits.maxSubTopics) refuse(`exceed max topics: ${limits.maxSubTopics}`);
    return place.map(readTopic);
  });
}
