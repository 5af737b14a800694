import { keccak_256 } from "@noble/hashes/sha3.js";
import { hexToBytes } from "@noble/hashes/utils.js";
import { NodeError } from "../node-error.ts";
import { parseFields, parseList, throwMalformed } from "../parse-json.ts";
import type { RpcClient } from "../rpc-client.ts";
import { type EvmBlockHeader, parseEvmAddress, parseEvmHash, TRANSFER_TOPIC } from "./codec.ts";
import { readReceipt } from "./fetch-receipt.ts";

const REQUEST_RECEIPTS = 50;
/** Blocks whose own logs are asked for at once. */
const AT_ONCE = 4;

/** The contracts whose logs were asked for. */
export interface AskedLogs {
  readonly contracts: readonly string[];
  /** A block's header has the filter of its logs. False on TRON, whose headers say nothing about logs. */
  readonly hasBlooms: boolean;
}

/** A block whose own logs have more than the node's answer to the filter. */
export interface MissedLogs {
  readonly height: number;
  /** As the node sends them. */
  readonly logs: readonly unknown[];
}

/**
 * Returns the blocks for which a node answered no logs of these contracts, although they have some, with those logs. An
 * index of logs may be off, begin late, have a gap or lag behind the block. The headers show which blocks certainly have
 * none. The others are read whole, without the index. Throws NodeError("inconsistent") where the header disagrees with that, too.
 */
export async function findMissedLogs(
  client: RpcClient,
  { contracts, hasBlooms }: AskedLogs,
  silent: readonly EvmBlockHeader[],
): Promise<readonly MissedLogs[]> {
  const doubted = silent.filter((header) =>
    contracts.some((contract) => mayHaveTransfers(header, hasBlooms, contract)),
  );
  const missed: MissedLogs[] = [];
  for (let i = 0; i < doubted.length; i += AT_ONCE) {
    const read = await Promise.all(
      doubted.slice(i, i + AT_ONCE).map(async (header) => {
        const whole = await fetchBlockLogs(client, header, hasBlooms);
        const logs = whole.filter((log) => isTransferOf(log, contracts));
        return { height: header.height, logs };
      }),
    );
    missed.push(...read.filter(({ logs }) => logs.length > 0));
  }
  return missed;
}

/** Returns whether a block may have transfers, of one contract or of any, by its header. False is certain. */
export function mayHaveTransfers(
  { bloom, hasNoCalls }: EvmBlockHeader,
  hasBlooms: boolean,
  contract?: string,
): boolean {
  if (!hasBlooms || bloom === null) return !hasNoCalls;
  return mayHold(bloom, contract === undefined ? [TRANSFER_TOPIC] : [contract, TRANSFER_TOPIC]);
}

/** Returns whether a log is of a transfer, of these contracts or of any. */
export function isTransferOf(log: unknown, contracts?: readonly string[]): boolean {
  const { address, topics } = Object(log) as { address?: unknown; topics?: unknown[] };
  if (contracts && !contracts.includes(String(address).toLowerCase())) return false;
  return Array.isArray(topics) && topics[0] === TRANSFER_TOPIC;
}

type Source = (client: RpcClient, header: EvmBlockHeader) => Promise<readonly unknown[]>;

/** Nodes report a block's logs without an index in these ways. The cheapest is first. Not every node has each. */
const SOURCES: readonly Source[] = [askWithoutFilter, askReceipts, askEachReceipt];

/** Fetches all logs of a block. A filter in its header proves that they are complete. */
export async function fetchBlockLogs(
  client: RpcClient,
  header: EvmBlockHeader,
  hasBlooms: boolean,
): Promise<readonly unknown[]> {
  const { height } = header;
  const bloom = hasBlooms ? header.bloom : null;
  let last = "";
  for (const source of SOURCES) {
    try {
      const logs = await source(client, header);
      const isProven =
        bloom === null ? logs.length > 0 || source === askEachReceipt : bloomOf(logs.map(readLog)) === bloom;
      if (isProven) return logs;
      last = "its logs are not those of the block's header";
    } catch (error) {
      if (!(error instanceof NodeError) || !isAnswer(error)) throw error;
      last = error.message;
    }
  }
  throw new NodeError("inconsistent", `the node does not show all logs of block ${height}: ${last}`);
}

/** The node was reached, and another question may be answered. */
const isAnswer = ({ kind }: NodeError) =>
  kind === "refused" || kind === "inconsistent" || kind === "malformed";

function readLog(log: unknown) {
  const { address, topics } = parseFields("a log", log);
  return {
    address: parseEvmAddress("a log's address", address),
    topics: parseList("a log's topics", topics).map((topic) => parseEvmHash("a log's topic", topic)),
  };
}

/** Without a filter java-tron reads the block's results, and others its receipts. */
async function askWithoutFilter(client: RpcClient, { hash }: EvmBlockHeader): Promise<readonly unknown[]> {
  return parseList("logs", await client.call("eth_getLogs", [{ blockHash: hash }]));
}

async function askReceipts(client: RpcClient, header: EvmBlockHeader): Promise<readonly unknown[]> {
  const receipts = await client.call("eth_getBlockReceipts", [toHex(header.height)]);
  return parseList("receipts", receipts).flatMap((receipt) => readReceiptLogs(receipt, header));
}

async function askEachReceipt(client: RpcClient, header: EvmBlockHeader): Promise<readonly unknown[]> {
  const block = parseFields(
    "a block",
    await client.call("eth_getBlockByNumber", [toHex(header.height), false]),
  );
  if (parseEvmHash("a block's hash", block.hash) !== header.hash)
    throwMalformed("a block's hash", block.hash);
  const hashes = parseList("a block's transactions", block.transactions);
  const logs: unknown[] = [];
  for (let i = 0; i < hashes.length; i += REQUEST_RECEIPTS) {
    const part = hashes.slice(i, i + REQUEST_RECEIPTS);
    const receipts = await client.batch(
      part.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] })),
    );
    for (const [at, receipt] of receipts.entries()) {
      logs.push(...readReceiptLogs(readReceipt(receipt, String(part[at])), header));
    }
  }
  return logs;
}

function readReceiptLogs(receipt: unknown, { height, hash }: EvmBlockHeader): readonly unknown[] {
  const { blockHash, logs } = parseFields("a receipt", receipt);
  if (parseEvmHash("a receipt's block hash", blockHash) === hash) return parseList("a receipt's logs", logs);
  throw new NodeError("inconsistent", `the node sent a receipt of another block than ${height}`);
}

const toHex = (height: number) => `0x${height.toString(16)}`;

/** A block's filter has 2,048 bits. Each address and topic of its logs sets three (Ethereum yellow paper, 4.3.1). */
const BYTES = 256;
const BITS_OF_ITEM = [0, 2, 4] as const;

/** A log adds this to the filter: 0x and hex, of any case. */
export interface FilteredLog {
  readonly address: string;
  readonly topics: readonly string[];
}

/** Returns whether a block with this filter may have a log that names all of these. False is certain. */
export function mayHold(bloom: string, items: readonly string[]): boolean {
  const bytes = hexToBytes(bloom.slice(2));
  return items.every((item) => placesOf(item).every(({ at, bit }) => ((bytes[at] ?? 0) & bit) !== 0));
}

/** The filter of a block with these logs and no others. */
export function bloomOf(logs: readonly FilteredLog[]): string {
  const bytes = new Uint8Array(BYTES);
  const items = new Set(logs.flatMap(({ address, topics }) => [address, ...topics]));
  for (const item of items) for (const { at, bit } of placesOf(item)) bytes[at] = (bytes[at] ?? 0) | bit;
  return `0x${Buffer.from(bytes).toString("hex")}`;
}

function placesOf(item: string) {
  const hash = keccak_256(hexToBytes(item.slice(2)));
  return BITS_OF_ITEM.map((pair) => {
    const place = (((hash[pair] ?? 0) << 8) | (hash[pair + 1] ?? 0)) % (BYTES * 8);
    return { at: BYTES - 1 - (place >> 3), bit: 1 << (place & 7) };
  });
}
