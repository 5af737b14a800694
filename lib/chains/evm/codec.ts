import { keccak_256 } from "@noble/hashes/sha3.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { NodeError } from "../node-error.ts";
import { parseFields, throwMalformed } from "../parse-json.ts";
import { listHexAddresses, parseEach, type UnreadableEntry } from "../unreadable.ts";
import { areAllTransactions } from "./transactions-root.ts";

/** keccak256("Transfer(address,address,uint256)"). */
export const TRANSFER_TOPIC = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

export interface EvmBlockHeader {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly time: Date;
  /** The filter of its logs (bloom.ts). Null: not named. On TRON it says nothing. */
  readonly bloom: string | null;
  /** No transaction of it can have logs. */
  readonly hasNoCalls: boolean;
}

/** One transaction of a complete block. Addresses are 20 bytes of lower-case hex. */
export interface NativeTransaction {
  readonly hash: string;
  readonly sender: string;
  /** Null: it creates a contract. */
  readonly receiver: string | null;
  /** Wei. */
  readonly value: bigint;
}

export interface TransferLog {
  readonly contract: string;
  readonly sender: string;
  readonly address: string;
  /** In the token's units on this chain. */
  readonly amount: bigint;
  readonly txHash: string;
  readonly logIndex: number;
  readonly blockHeight: number;
  readonly blockHash: string;
}

/** A non-negative integer that a Number holds exactly. */
export function parseQuantity(what: string, value: unknown): number {
  if (typeof value !== "string" || !/^0x[0-9a-f]{1,14}$/i.test(value)) throwMalformed(what, value);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : throwMalformed(what, value);
}

/** A non-negative integer of up to 32 bytes. */
export function parseUint256(what: string, value: unknown): bigint {
  if (typeof value !== "string" || !/^0x[0-9a-f]{1,64}$/i.test(value)) throwMalformed(what, value);
  return BigInt(value);
}

/** 32 bytes, lower case. */
export function parseEvmHash(what: string, value: unknown): string {
  if (typeof value !== "string" || !/^0x[0-9a-f]{64}$/i.test(value)) throwMalformed(what, value);
  return value.toLowerCase();
}

/** The address in the low 20 bytes of a topic, whose upper 12 must be empty. */
function readTopicAddress(what: string, value: unknown): string {
  const word = parseEvmHash(what, value);
  if (!word.startsWith(`0x${"0".repeat(24)}`)) throwMalformed(what, value);
  return `0x${word.slice(26)}`;
}

/** The log topic of an address of 20 bytes in hex. */
export function toAddressTopic(hex: string): string {
  return `0x${"0".repeat(24)}${hex.slice(2)}`;
}

/** Null: the node does not know the block. */
export function parseEvmHeader(value: unknown): EvmBlockHeader | null {
  if (value === null) return null;
  const block = parseFields("a block", value);
  return {
    height: parseQuantity("a block's number", block.number),
    hash: parseEvmHash("a block's hash", block.hash),
    parentHash: parseEvmHash("a block's parent", block.parentHash),
    time: new Date(parseQuantity("a block's time", block.timestamp) * 1_000),
    bloom: parseBloom(block.logsBloom),
    hasNoCalls: isEmptyList(block.transactions) && NO_ROOTS.has(String(block.transactionsRoot)),
  };
}

/** A filter in another form says nothing. */
function parseBloom(value: unknown): string | null {
  return typeof value === "string" && /^0x[0-9a-f]{512}$/i.test(value) ? value.toLowerCase() : null;
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** keccak256(rlp("")): the transactions root of a block without transactions. */
const NO_TRANSACTIONS = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";
/** The same, and java-tron's. */
const NO_ROOTS: ReadonlySet<string> = new Set([NO_TRANSACTIONS, `0x${"0".repeat(64)}`]);

/**
 * Parses a block with its transactions. Null: the node does not know the block. Throws on a transaction of
 * another block, on a gap between transactions, and on a list that does not have the block's root. A
 * transaction that cannot be parsed goes to `unreadable`.
 */
export function parseEvmBlock(
  value: unknown,
  unreadable: UnreadableEntry[],
): { readonly header: EvmBlockHeader; readonly transactions: readonly NativeTransaction[] } | null {
  const header = parseEvmHeader(value);
  if (header === null) return null;
  const { transactions, transactionsRoot } = parseFields("a block", value);
  if (!Array.isArray(transactions)) return throwMalformed("a block's transactions", transactions);
  const root = parseEvmHash("the root of a block's transactions", transactionsRoot);
  if ((transactions.length === 0) !== (root === NO_TRANSACTIONS))
    throwMalformed("a block's transactions", []);
  for (const [i, entry] of transactions.entries()) {
    const { blockHash, transactionIndex } = parseFields("a transaction", entry);
    if (parseEvmHash("a transaction's block hash", blockHash) !== header.hash) {
      throw new NodeError("inconsistent", `the node sent a transaction of another block in ${header.hash}`);
    }
    if (parseQuantity("a transaction's index", transactionIndex) !== i) {
      throwMalformed("a transaction's index", transactionIndex);
    }
  }
  if (areAllTransactions(transactions, root) === false)
    throw new NodeError("inconsistent", `the node did not send all transactions of block ${header.height}`);
  return { header, transactions: parseEach(transactions, parseNativeTransaction, unreadable) };
}

function parseNativeTransaction(entry: unknown): NativeTransaction {
  const { hash, from, to, value } = parseFields("a transaction", entry);
  return {
    hash: parseEvmHash("a transaction's hash", hash),
    sender: parseEvmAddress("a transaction's sender", from),
    receiver: to === null ? null : parseEvmAddress("a transaction's receiver", to),
    value: parseUint256("a transaction's value", value),
  };
}

/** The receiver of a transaction that cannot be parsed. Null: not known. Its value can go to nobody else. */
export function listReceiver(entry: unknown): readonly string[] | null {
  const { to } = Object(entry) as { to?: unknown };
  return typeof to === "string" && /^0x[0-9a-f]{40}$/i.test(to) ? [to.toLowerCase()] : null;
}

/**
 * Parses the token transfers of an eth_getLogs answer. Skips logs that the node marks as removed, and
 * transfers of 0. With `anyContract` it also skips logs without ERC-20's form: an unlisted contract may log
 * anything with the same topic (an ERC-721 logs four topics).
 */
export function parseTransferLogs(
  value: unknown,
  { anyContract = false, unreadable }: LogOptions = {},
): readonly TransferLog[] {
  if (!Array.isArray(value)) throwMalformed("logs", value);
  const parse = (entry: unknown): readonly TransferLog[] => {
    const log = parseFields("a log", entry);
    const topics = log.topics;
    if (log.removed === true || (anyContract && !looksLikeTransfer(log))) return [];
    if (!Array.isArray(topics) || topics.length !== 3 || topics[0] !== TRANSFER_TOPIC) {
      return throwMalformed("a transfer's topics", topics);
    }
    const amount = BigInt(parseEvmHash("a transfer's amount", log.data));
    if (amount === 0n) return [];
    return [
      {
        contract: parseEvmAddress("a log's address", log.address),
        sender: readTopicAddress("a transfer's sender", topics[1]),
        address: readTopicAddress("a transfer's receiver", topics[2]),
        amount,
        txHash: parseEvmHash("a log's transaction", log.transactionHash),
        logIndex: parseQuantity("a log's index", log.logIndex),
        blockHeight: parseQuantity("a log's block", log.blockNumber),
        blockHash: parseEvmHash("a log's block hash", log.blockHash),
      },
    ];
  };
  return unreadable ? parseEach(value, parse, unreadable).flat() : value.flatMap(parse);
}

interface LogOptions {
  readonly anyContract?: boolean;
  /** Takes the logs that cannot be parsed. Absent: such a log is an error. */
  readonly unreadable?: UnreadableEntry[];
}

/** A transfer names its sender, its receiver and its amount: 32 bytes each, in topics or in the data. */
const TRANSFER_WORDS = 3;

/**
 * Every address that a log which cannot be parsed could name as its receiver. Null: it has too little in it to be a whole
 * transfer, so that its receiver may be missing.
 */
export function listLogAddresses(entry: unknown): readonly string[] | null {
  const { topics, data } = Object(entry) as { topics?: unknown; data?: unknown };
  if (!Array.isArray(topics) || typeof data !== "string") return null;
  const named = [...topics.slice(1), data];
  const digits = named.reduce((sum, text) => sum + String(text).replace(/^0x/i, "").length, 0);
  return digits < TRANSFER_WORDS * 64 ? null : listHexAddresses(named);
}

function looksLikeTransfer({ topics, data }: Record<string, unknown>): boolean {
  const words = Array.isArray(topics) ? topics.slice(1) : [];
  return (
    words.length === 2 &&
    words.every((word) => /^0x0{24}[0-9a-f]{40}$/i.test(String(word))) &&
    /^0x[0-9a-f]{64}$/i.test(String(data))
  );
}

export function parseEvmAddress(what: string, value: unknown): string {
  if (typeof value !== "string" || !/^0x[0-9a-f]{40}$/i.test(value)) throwMalformed(what, value);
  return value.toLowerCase();
}

/** Lower-case form. Null: not an address, or mixed case with a wrong EIP-55 checksum. */
export function canonicalizeEvmAddress(text: string): string | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return null;
  const lower = text.toLowerCase();
  const digits = text.slice(2);
  const plain = digits === lower.slice(2) || digits === digits.toUpperCase();
  return plain || toChecksumAddress(lower) === text ? lower : null;
}

/** EIP-55: a letter is a capital where the hash of the lower-case digits has 8 or more. Accepts any case. */
export function toChecksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = Buffer.from(keccak_256(utf8ToBytes(digits))).toString("hex");
  return `0x${digits.replace(/[a-f]/g, (letter, i: number) => ((hash[i] ?? "") >= "8" ? letter.toUpperCase() : letter))}`;
}

/** EIP-681. `amount` in the chain's units. `contract` is null for the network's own coin. */
export function buildEvmPaymentUri(
  to: string,
  amount: bigint,
  chainId: number,
  contract: string | null,
): string {
  const target = toChecksumAddress(to);
  return contract === null
    ? `ethereum:${target}@${chainId}?value=${amount}`
    : `ethereum:${toChecksumAddress(contract)}@${chainId}/transfer?address=${target}&uint256=${amount}`;
}
