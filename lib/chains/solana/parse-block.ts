import { parseFields, parseList, parseUint, throwMalformed } from "../parse-json.ts";

/** A block without its transactions. */
export interface SolanaBlockHeader {
  readonly slot: number;
  /** Number of blocks below it, without skipped slots. Null where the node does not know it. */
  readonly height: number | null;
  readonly hash: string;
  /** Hash of the previous block. Slots between the two were skipped. */
  readonly parentHash: string;
  readonly parentSlot: number;
  /** Null where the node does not know it. */
  readonly time: Date | null;
}

/** Tokens of one mint in a token account, before or after a transaction. */
export interface TokenBalance {
  /** Index of the token account in the transaction's accounts. */
  readonly accountIndex: number;
  readonly mint: string;
  /** The owner, who can spend them. */
  readonly owner: string;
  /** In the token's units on this chain. */
  readonly amount: bigint;
}

/** The balances of a transaction's accounts before and after it. */
export interface TransactionBalances {
  /** Signature of its first signer. It identifies the transaction. */
  readonly signature: string;
  readonly failed: boolean;
  /** All accounts, including those from lookup tables, in the order that indexes refer to. */
  readonly accounts: readonly string[];
  /** Lamports of each account as the node wrote them. Exact only if Number.isSafeInteger is true. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** The token balances, of the listed mints only. */
  readonly tokensBefore: readonly TokenBalance[];
  readonly tokensAfter: readonly TokenBalance[];
}

/** An address, a mint or a block's hash. */
export function readKey(what: string, value: unknown): string {
  if (typeof value !== "string" || !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(value)) throwMalformed(what, value);
  return value;
}

/** Base58 of 64 bytes. */
export function readSignature(value: unknown): string {
  if (typeof value !== "string" || !/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(value)) {
    throwMalformed("a transaction's signature", value);
  }
  return value;
}

/** Slots that have a block, ascending, all within from..to. */
export function parseSlots(value: unknown, from: number, to: number): readonly number[] {
  const slots = parseList("its blocks' slots", value).map((slot) => parseUint("a slot", slot));
  for (const [i, slot] of slots.entries()) {
    const least = i === 0 ? from : (slots[i - 1] ?? 0) + 1;
    if (slot < least || slot > to) throwMalformed(`the slots from ${from} to ${to}`, slots.slice(0, 10));
  }
  return slots;
}

export function parseSolanaHeader(slot: number, value: unknown): SolanaBlockHeader {
  const block = parseFields("a block", value);
  const seconds = block.blockTime;
  const parentSlot = parseUint("a block's parent", block.parentSlot);
  if (slot > 0 && parentSlot >= slot) throwMalformed(`the parent of block ${slot}`, parentSlot);
  return {
    slot,
    height: typeof block.blockHeight === "number" ? block.blockHeight : null,
    hash: readKey("a block's hash", block.blockhash),
    parentHash: readKey("a block's parent", block.previousBlockhash),
    parentSlot,
    time: seconds === null ? null : new Date(parseUint("a block's time", seconds) * 1_000),
  };
}

/**
 * Parses a transaction of a block that was requested with transactionDetails "accounts". Keeps tokens of
 * these mints.
 */
export function readAccountsForm(value: unknown, mints: ReadonlySet<string>): TransactionBalances {
  const { transaction, meta } = parseFields("a transaction", value);
  const { accountKeys, signatures } = parseFields("a transaction", transaction);
  const accounts = parseList("a transaction's accounts", accountKeys).map((account) =>
    readName((account as { pubkey?: unknown } | null)?.pubkey),
  );
  return readBalances(accounts, signatures, meta, mints);
}

/**
 * Every account and every owner of tokens that a transaction of a block names, if it cannot be parsed. Null: its accounts
 * are not known.
 */
export function listAccounts(value: unknown): readonly string[] | null {
  const { transaction, meta } = Object(value) as Record<string, unknown>;
  const { accountKeys } = Object(transaction) as { accountKeys?: unknown };
  const { preTokenBalances, postTokenBalances } = Object(meta) as Record<string, unknown>;
  if (!Array.isArray(accountKeys) || accountKeys.length === 0) return null;
  if (!Array.isArray(preTokenBalances) || !Array.isArray(postTokenBalances)) return null;
  const names = [
    ...accountKeys.map((account) => Object(account).pubkey),
    ...[...preTokenBalances, ...postTokenBalances].map((balance) => Object(balance).owner),
  ];
  return names.every((name) => typeof name === "string") ? names : null;
}

/**
 * Parses the answer of getTransaction with encoding "json". Accounts from lookup tables are in a separate
 * list.
 */
export function readJsonForm(value: unknown, mints: ReadonlySet<string>): TransactionBalances {
  const { transaction, meta } = parseFields("a transaction", value);
  const { message, signatures } = parseFields("a transaction", transaction);
  const { accountKeys } = parseFields("a message", message);
  const { loadedAddresses } = parseFields("a transaction's outcome", meta);
  const { writable = [], readonly = [] } = (loadedAddresses ?? {}) as Record<string, unknown>;
  const accounts = [accountKeys, writable, readonly].flatMap((part) =>
    parseList("a transaction's accounts", part).map(readName),
  );
  return readBalances(accounts, signatures, meta, mints);
}

/** One of the tens of thousands of accounts in a block. Compared with our addresses, never decoded. */
function readName(value: unknown): string {
  return typeof value === "string" ? value : throwMalformed("an account", value);
}

function readBalances(
  accounts: readonly string[],
  signatures: unknown,
  outcome: unknown,
  mints: ReadonlySet<string>,
): TransactionBalances {
  const meta = parseFields("a transaction's outcome", outcome);
  if (meta.err === undefined) throwMalformed("a transaction's outcome", meta);
  return {
    signature: readSignature(parseList("a transaction's signatures", signatures)[0]),
    failed: meta.err !== null,
    accounts,
    before: readLamports("balances before", meta.preBalances, accounts.length),
    after: readLamports("balances after", meta.postBalances, accounts.length),
    tokensBefore: readTokens(meta.preTokenBalances, mints, accounts.length),
    tokensAfter: readTokens(meta.postTokenBalances, mints, accounts.length),
  };
}

function readLamports(what: string, value: unknown, accounts: number): readonly number[] {
  const list = parseList(what, value);
  if (list.length !== accounts) throwMalformed(`${what} of ${accounts} accounts`, list);
  for (const amount of list) if (typeof amount !== "number" || !(amount >= 0)) throwMalformed(what, amount);
  return list as readonly number[];
}

function readTokens(value: unknown, mints: ReadonlySet<string>, accounts: number): readonly TokenBalance[] {
  const found: TokenBalance[] = [];
  for (const entry of parseList("token balances", value)) {
    const { mint, accountIndex, owner, uiTokenAmount } = parseFields("a token balance", entry);
    if (typeof mint !== "string") throwMalformed("a mint", mint);
    if (!mints.has(mint)) continue;
    const index = parseUint("a token account", accountIndex);
    const { amount } = parseFields("a token's amount", uiTokenAmount);
    if (index >= accounts) throwMalformed("a token account", accountIndex);
    if (typeof amount !== "string" || !/^[0-9]{1,20}$/.test(amount))
      throwMalformed("a token's amount", amount);
    found.push({
      accountIndex: index,
      mint,
      owner: readKey("a token's owner", owner),
      amount: BigInt(amount),
    });
  }
  return found;
}
