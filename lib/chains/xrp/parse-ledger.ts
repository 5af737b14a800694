import { NodeError } from "../node-error.ts";
import { isDestinationTag } from "./address.ts";
import type { RippledAnswer } from "./rippled-client.ts";

/** A validated ledger. It is final. */
export interface LedgerHeader {
  readonly height: number;
  /** 64 hex digits, upper case. */
  readonly hash: string;
  readonly parentHash: string;
  readonly time: Date;
}

/** The fields of a transaction in a validated ledger that are used here. */
export interface LedgerTransaction {
  readonly hash: string;
  readonly block: { readonly height: number; readonly hash: string; readonly time: Date };
  /** Index in the ledger. */
  readonly index: number;
  /** The result is tesSUCCESS. Ledgers also include failed transactions, for their fee. */
  readonly succeeded: boolean;
  /** Classic address. */
  readonly sender: string;
  readonly sourceTag: number | null;
  /** The number that only one transaction of the sender can use: its sequence, or its ticket. */
  readonly sequence: number;
  /** The XRP that it delivered, and the receiver. Null: none. */
  readonly delivery: XrpDelivery | null;
  /** It may have paid XRP in another way, for example by finishing an escrow or cashing a check. */
  readonly isInconclusive: boolean;
}

export interface XrpDelivery {
  /** Classic address. */
  readonly account: string;
  readonly tag: number | null;
  /** Above 0. */
  readonly drops: bigint;
}

/** Seconds from the Unix epoch to the ledger's epoch, the start of 2000 (xrpl.org, Basic Data Types). */
const LEDGER_EPOCH = 946_684_800;

/** Transactions whose metadata reports what they delivered to their `Destination`. */
const DELIVERING: ReadonlySet<unknown> = new Set(["Payment", "AccountDelete"]);

/** Pays nobody. It is used to cancel a waiting transaction (xrpl.org, Cancel or Skip a Transaction). */
const BRINGING_NOTHING = "AccountSet";

function malformed(what: string): NodeError {
  return new NodeError("malformed", `the node sent ${what}`);
}

export function readObject(what: string, value: unknown): RippledAnswer {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw malformed(`${what} that is no object`);
  return value as RippledAnswer;
}

export function readInteger(what: string, value: unknown): number {
  if (!Number.isSafeInteger(value) || Number(value) < 0) throw malformed(`${what} that is no number`);
  return Number(value);
}

/** A hash in upper case. Servers write zeros for a hash that they do not know. */
function readHash(what: string, value: unknown): string {
  if (typeof value !== "string" || !/^[0-9a-f]{64}$/i.test(value) || /^0+$/.test(value)) {
    throw malformed(`${what} that is no hash`);
  }
  return value.toUpperCase();
}

/** XRP is a text of drops. Any other currency is an object. */
export function readDrops(what: string, value: unknown): bigint {
  if (!isDrops(value)) throw malformed(`${what} that is no amount in drops`);
  return BigInt(value);
}

function isDrops(value: unknown): value is string {
  return typeof value === "string" && /^[0-9]{1,18}$/.test(value);
}

function readText(what: string, value: unknown): string {
  if (typeof value !== "string" || value === "") throw malformed(`${what} that is no text`);
  return value;
}

function readTag(what: string, value: unknown): number | null {
  if (value === undefined) return null;
  if (!isDestinationTag(value)) throw malformed(`${what} that is no tag`);
  return value;
}

const readTime = (what: string, value: unknown): Date =>
  new Date((readInteger(what, value) + LEDGER_EPOCH) * 1_000);

/** Parses the header in an answer to `ledger`. Null: the node has not validated that ledger. */
export function parseLedgerHeader(answer: RippledAnswer): LedgerHeader | null {
  if (answer.validated !== true) return null;
  const ledger = readObject("a ledger", answer.ledger);
  const height = readInteger("a ledger's index", answer.ledger_index);
  const hash = readHash("a ledger's hash", answer.ledger_hash);
  if (
    readInteger("a ledger's index", ledger.ledger_index) !== height ||
    ledger.ledger_hash !== answer.ledger_hash
  ) {
    throw malformed("a ledger with another one's header");
  }
  // The first ledger has no parent, only zeros.
  const parentHash =
    height === 1 ? String(ledger.parent_hash) : readHash("a ledger's parent", ledger.parent_hash);
  return { height, hash, parentHash, time: readTime("a ledger's time", ledger.close_time) };
}

/**
 * Parses a transaction of a validated ledger from `tx` or `account_tx` (API version 2). Throws on a
 * transaction that is not validated, so check `validated` first if it may be waiting.
 */
export function parseLedgerTransaction(entry: unknown): LedgerTransaction {
  const { validated, hash, ledger_index, ledger_hash, meta, tx_json } = readObject("a transaction", entry);
  if (validated !== true) throw malformed("a transaction that is not validated");
  const fields = readObject("a transaction's fields", tx_json);
  const outcome = readObject("a transaction's metadata", meta);
  const result = readText("a transaction's result", outcome.TransactionResult);
  const succeeded = result === "tesSUCCESS";
  return {
    hash: readHash("a transaction's hash", hash),
    block: {
      height: readInteger("a transaction's ledger", ledger_index),
      hash: readHash("a transaction's ledger", ledger_hash),
      time: readTime("a transaction's time", fields.date),
    },
    index: readInteger("a transaction's place", outcome.TransactionIndex),
    succeeded,
    sender: readText("a transaction's account", fields.Account),
    sourceTag: readTag("a source tag", fields.SourceTag),
    sequence: parseSequence(fields),
    delivery: succeeded ? readDelivery(fields, outcome) : null,
    isInconclusive: succeeded && !isFullyReported(fields, outcome),
  };
}

/** A payment delivered in another currency goes through offers, which are paid in XRP as well. */
function isFullyReported(
  { TransactionType }: RippledAnswer,
  { delivered_amount: delivered }: RippledAnswer,
): boolean {
  if (TransactionType === BRINGING_NOTHING) return true;
  return DELIVERING.has(TransactionType) && typeof delivered === "string" && delivered !== "unavailable";
}

/**
 * Returns whether a transaction of `account_tx` can pay the account XRP in a way that is read here. Others
 * are not parsed, because amendments of the ledger add types. Throws on a transaction that is not validated.
 */
export function mayDeliver(entry: unknown, account: string): boolean {
  const { validated, tx_json } = readObject("a transaction", entry);
  if (validated !== true) throw malformed("a transaction that is not validated");
  const { TransactionType, Destination } = readObject("a transaction's fields", tx_json);
  return DELIVERING.has(TransactionType) && Destination === account;
}

/** A ticket is a reserved sequence number. No other transaction has that number. */
export function parseSequence(fields: RippledAnswer): number {
  const { Sequence, TicketSequence } = fields;
  return readInteger("a transaction's sequence", TicketSequence ?? Sequence);
}

/**
 * The amount received is `delivered_amount`, never `Amount`: a partial payment delivers less (xrpl.org,
 * Partial Payments). "unavailable" (before 2014) counts as nothing.
 */
function readDelivery(fields: RippledAnswer, outcome: RippledAnswer): XrpDelivery | null {
  const { delivered_amount: delivered } = outcome;
  if (!DELIVERING.has(fields.TransactionType)) return null;
  if (delivered === undefined) throw malformed("a payment without what it delivered");
  if (delivered === "unavailable" || (typeof delivered === "object" && delivered !== null)) return null;
  const account = readText("a payment's destination", fields.Destination);
  if (!isDrops(delivered) && !hasGained(account, outcome)) return null;
  const drops = readDrops("a delivered amount", delivered);
  if (drops === 0n) return null;
  return {
    account,
    tag: readTag("a destination tag", fields.DestinationTag),
    drops,
  };
}

/**
 * Returns whether the ledger's own record of the account holds more XRP after the transaction (xrpl.org, Transaction
 * Metadata). True also where the record cannot be read. Public servers report "-1" as delivered where nothing was.
 */
function hasGained(account: string, { AffectedNodes }: RippledAnswer): boolean {
  if (!Array.isArray(AffectedNodes)) return true;
  for (const node of AffectedNodes) {
    const { ModifiedNode, CreatedNode, DeletedNode } = Object(node) as Record<string, unknown>;
    const change = Object(ModifiedNode ?? CreatedNode ?? DeletedNode) as Record<string, unknown>;
    if (change.LedgerEntryType !== "AccountRoot") continue;
    const after = Object(change.FinalFields ?? change.NewFields) as Record<string, unknown>;
    if (after.Account !== account) continue;
    const { Balance: before } = Object(change.PreviousFields) as Record<string, unknown>;
    // The balance did not change.
    if (before === undefined && CreatedNode === undefined) return false;
    return !isDrops(after.Balance) || !isDrops(before) || BigInt(after.Balance) > BigInt(before);
  }
  return false;
}
