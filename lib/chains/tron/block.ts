import type { EvmBlockHeader } from "../evm/codec.ts";
import { NodeError } from "../node-error.ts";
import { parseFields, throwMalformed } from "../parse-json.ts";
import { listHexAddresses, parseEach, type UnreadableEntry } from "../unreadable.ts";

/** A TRX transfer by a TransferContract. A transaction has at most one. */
export interface TrxTransfer {
  /** As the JSON-RPC writes it (0x…). */
  readonly txHash: string;
  /** 20 bytes of lower-case hex (0x…). */
  readonly sender: string;
  readonly address: string;
  /** Sun (10⁻⁶ TRX). Above 0. */
  readonly amount: bigint;
  /** The result in java-tron's terms ("SUCCESS"). Null: the block does not report it. */
  readonly result: string | null;
}

export interface FetchedTronBlock {
  /** Hashes as the JSON-RPC writes them (0x…). */
  readonly header: EvmBlockHeader;
  /** The hash of every transaction. */
  readonly txHashes: readonly string[];
  readonly transfers: readonly TrxTransfer[];
}

const NO_TRANSACTIONS = "0".repeat(64);

/**
 * Parses an answer of getblockbynum with addresses in hex (41…, `visible` false): the block with its TRX
 * transfers. Null: the node does not have the block. A TRC-10 transfer (TransferAssetContract) has another
 * type, whatever the token's name is. A transaction that cannot be parsed goes to `unreadable`. Throws NodeError("malformed"), also when all transactions are missing.
 */
export function parseTronBlock(
  answer: unknown,
  height: number,
  unreadable: UnreadableEntry[],
): FetchedTronBlock | null {
  const block = parseFields("a block", answer);
  if (Object.keys(block).length === 0) return null;
  const header = parseFields(
    "a block's header",
    parseFields("a block's header", block.block_header).raw_data,
  );
  const id = readId("a block's id", block.blockID);
  // Zeros are left out: the number of the first block is.
  const number = header.number ?? 0;
  if (number !== height || Number(`0x${id.slice(0, 16)}`) !== height) {
    throw new NodeError("malformed", `asked for block ${height}, the node sent ${String(number)}, ${id}`);
  }
  const { timestamp = 0 } = header;
  if (typeof timestamp !== "number" || !Number.isSafeInteger(timestamp))
    throwMalformed("a block's time", timestamp);
  const transactions = block.transactions ?? [];
  if (!Array.isArray(transactions)) throwMalformed("a block's transactions", transactions);
  const isEmpty = readId("a block's root", header.txTrieRoot) === NO_TRANSACTIONS;
  if (isEmpty !== (transactions.length === 0)) {
    throw new NodeError("malformed", `the transactions of block ${height} are not those of its header`);
  }
  return {
    header: {
      height,
      hash: `0x${id}`,
      parentHash: `0x${readId("a block's parent", header.parentHash)}`,
      time: new Date(timestamp),
      bloom: null,
      hasNoCalls: !transactions.some(runsCode),
    },
    txHashes: transactions.map((one) => `0x${String(Object(one).txID).toLowerCase()}`),
    transfers: parseEach(transactions, parseTrxTransfer, unreadable).filter((transfer) => transfer !== null),
  };
}

/** Returns whether a transaction runs code, which alone logs. An unreadable transaction may. */
function runsCode(transaction: unknown): boolean {
  const contracts: unknown = Object(Object(transaction).raw_data).contract;
  const type: unknown = Array.isArray(contracts) ? Object(contracts[0]).type : undefined;
  return typeof type !== "string" || type === "TriggerSmartContract" || type === "CreateSmartContract";
}

/** Hex digits of a sender and a receiver. */
const TWO_ADDRESSES = 84;

/** Every address that a transaction which cannot be parsed could pay. Null: the node did not send all its bytes. */
export function listTronAddresses(entry: unknown): readonly string[] | null {
  const { raw_data_hex: bytes } = Object(entry) as { raw_data_hex?: unknown };
  return typeof bytes === "string" && bytes.length >= TWO_ADDRESSES ? listHexAddresses([bytes]) : null;
}

/**
 * Parses the TRX that a transaction moves. The transaction is from a block or from gettransactionbyid. Null:
 * none. Throws NodeError("malformed").
 */
export function parseTrxTransfer(answer: unknown): TrxTransfer | null {
  const transaction = parseFields("a transaction", answer);
  const contract = readContract(transaction);
  if (contract.type !== "TransferContract") return null;
  const value = parseFields("a transfer", parseFields("a transfer", contract.parameter).value);
  const amount = readAmount(value.amount);
  return {
    txHash: `0x${readId("a transaction's id", transaction.txID)}`,
    sender: readAddress(value.owner_address),
    address: readAddress(value.to_address),
    amount,
    result: readResult(transaction.ret),
  };
}

/** The transaction's type in java-tron's terms ("TriggerSmartContract"). */
export function parseTransactionKind(answer: unknown): unknown {
  return readContract(parseFields("a transaction", answer)).type;
}

/** Every transaction has one contract. A node that leaves it out may leave out a transfer. */
function readContract(transaction: Record<string, unknown>): Record<string, unknown> {
  const contracts = parseFields("a transaction's data", transaction.raw_data).contract;
  if (!Array.isArray(contracts) || contracts.length === 0)
    throwMalformed("a transaction's contract", contracts);
  const contract = parseFields("a transaction's contract", contracts[0]);
  if (typeof contract.type !== "string") throwMalformed("a transaction's type", contract.type);
  if (contracts.length > 1 && contract.type === "TransferContract")
    throwMalformed("a transaction's contract", contracts);
  return contract;
}

/**
 * Parses an answer of gettransactioninfobyblocknum: the block's transactions by hash (0x…), and whether they
 * failed. Throws NodeError("inconsistent") for another block's answer.
 */
export function parseTransactionResults(
  answer: unknown,
  { height, time }: Pick<EvmBlockHeader, "height" | "time">,
): ReadonlyMap<string, "done" | "failed"> {
  // An empty object where the node does not have the block.
  if (!Array.isArray(answer)) return new Map();
  const outcomes = new Map<string, "done" | "failed">();
  for (const entry of answer) {
    // A result of 0 is left out. The spelling is java-tron's.
    const {
      id,
      blockNumber,
      blockTimeStamp,
      result = "SUCESS",
    } = parseFields("a transaction's outcome", entry);
    if (blockNumber !== height || blockTimeStamp !== time.getTime()) {
      throw new NodeError(
        "inconsistent",
        `asked for the outcomes of block ${height}, the node sent another's`,
      );
    }
    outcomes.set(`0x${readId("a transaction's id", id)}`, result === "SUCESS" ? "done" : "failed");
  }
  return outcomes;
}

function readResult(ret: unknown): string | null {
  const result =
    Array.isArray(ret) && ret.length > 0 ? parseFields("a result", ret[0]).contractRet : undefined;
  return typeof result === "string" ? result : null;
}

function readId(what: string, value: unknown): string {
  if (typeof value !== "string" || !/^[0-9a-f]{64}$/i.test(value)) throwMalformed(what, value);
  return value.toLowerCase();
}

function readAddress(value: unknown): string {
  if (typeof value !== "string" || !/^41[0-9a-f]{40}$/i.test(value)) throwMalformed("an address", value);
  return `0x${value.slice(2).toLowerCase()}`;
}

/** An int64 above 0 as the text of its digits. java-tron accepts no transfer of nothing (TransferActuator). */
function readAmount(value: unknown): bigint {
  if (typeof value !== "string" || !/^0*[1-9][0-9]{0,18}$/.test(value))
    throwMalformed("a transfer's amount", value);
  return BigInt(value);
}
