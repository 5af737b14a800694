import { NodeError } from "../node-error.ts";
import { checkNamed, parseFields, parseList, parseUint, throwMalformed } from "../parse-json.ts";
import type { RpcClient } from "../rpc-client.ts";
import { askAt, FINALIZED, NEWEST_VERSION } from "./fetch-blocks.ts";
import { readJsonForm, readKey, readSignature, type TransactionBalances } from "./parse-block.ts";

/** A transaction that names an account. */
export interface AccountSignature {
  readonly signature: string;
  readonly slot: number;
  readonly failed: boolean;
}

/** The most that one call returns. */
const PAGE = 1_000;
/** Pages of an account. Anybody can name one in many transactions, for a fee each, and a faulty node's list may never end. */
const MOST_PAGES = 20;

interface SignatureQuestion {
  readonly from: number;
  readonly at: number;
}

/**
 * The transactions that name this account, newest first: those in final slots of `from` or later, and those of the newest slot
 * below it that has any. From a node that is at slot `at` or further. Throws NodeError("refused") when they are too many.
 */
export async function fetchSignatures(
  client: RpcClient,
  account: string,
  question: SignatureQuestion,
): Promise<readonly AccountSignature[]> {
  const { found, next } = await fetchSignaturePages(client, account, { ...question, mostPages: MOST_PAGES });
  if (next !== null) throw new NodeError("refused", "an account has too many transactions to list");
  return found;
}

/**
 * The same of `mostPages` pages at most, from the one below the transaction `before` on. Absent: from the newest. `next`: where to continue. Null:
 * these are all.
 */
export async function fetchSignaturePages(
  client: RpcClient,
  account: string,
  {
    from,
    at,
    mostPages,
    before,
  }: SignatureQuestion & { readonly mostPages: number; readonly before?: string },
): Promise<{ readonly found: readonly AccountSignature[]; readonly next: string | null }> {
  const found: AccountSignature[] = [];
  const seen = new Set<string>();
  for (let pages = 0; ; pages++) {
    const next = found.at(-1)?.signature ?? before;
    if (pages >= mostPages) return { found, next: next ?? null };
    const options = { ...FINALIZED, minContextSlot: at, limit: PAGE };
    const params = [account, next === undefined ? options : { ...options, before: next }];
    const answer = await askAt(client, at, { method: "getSignaturesForAddress", params });
    const page = parseList("an account's signatures", answer).map(readEntry);
    const fresh = page.filter(({ signature }) => !seen.has(signature));
    // A node that shows the same page again would be asked for ever.
    if (page.length > 0 && fresh.length === 0) throwMalformed("an account's signatures", page.slice(0, 3));
    for (const entry of fresh) {
      const last = found.at(-1);
      if (last !== undefined && entry.slot > last.slot) throwMalformed("an account's signatures", entry);
      if (last !== undefined && last.slot < from && entry.slot < last.slot) return { found, next: null };
      seen.add(entry.signature);
      found.push(entry);
    }
    // A provider may send fewer than asked for: only an empty page is the last one.
    if (page.length === 0 || (found.at(-1)?.slot ?? 0) < from) return { found, next: null };
  }
}

function readEntry(entry: unknown): AccountSignature {
  const { signature, slot, err } = parseFields("an account's signature", entry);
  if (err === undefined) throwMalformed("an account's signature", entry);
  return {
    signature: readSignature(signature),
    slot: parseUint("a signature's slot", slot),
    failed: err !== null,
  };
}

/** Where a token account holds its amount: 8 bytes, little-endian. */
const AMOUNT = { offset: 64, length: 8 } as const;

/** The token accounts of an owner for a mint with their units, and the final slot at which that was so: `at` or later. */
export async function fetchTokenAccounts(
  client: RpcClient,
  { owner, mint, at }: { readonly owner: string; readonly mint: string; readonly at: number },
): Promise<{ readonly slot: number; readonly units: ReadonlyMap<string, bigint> }> {
  const options = { ...FINALIZED, minContextSlot: at, encoding: "base64", dataSlice: AMOUNT };
  const params = [owner, { mint }, options];
  const answer = await askAt(client, at, { method: "getTokenAccountsByOwner", params });
  const { context, value } = parseFields("an owner's token accounts", answer);
  const slot = parseUint("a context's slot", parseFields("a context", context).slot);
  if (slot < at) throw new NodeError("inconsistent", `the node is at slot ${slot}, not yet at ${at}`);
  const units = parseList("an owner's token accounts", value).map((entry) => {
    const { pubkey, account } = parseFields("a token account", entry);
    const [text] = parseList("an account's data", parseFields("an account", account).data);
    const bytes = Buffer.from(String(text), "base64");
    if (bytes.length !== AMOUNT.length) throwMalformed("a token account's amount", text);
    return [readKey("a token account", pubkey), bytes.readBigUInt64LE()] as const;
  });
  return { slot, units: new Map(units) };
}

/** Fetches the balances that a final transaction changed. Null: the node does not have it. */
export async function fetchTransactionBalances(
  client: RpcClient,
  signature: string,
  mints: ReadonlySet<string>,
): Promise<TransactionBalances | null> {
  const options = { encoding: "json", maxSupportedTransactionVersion: NEWEST_VERSION, ...FINALIZED };
  const transaction = await client.call("getTransaction", [signature, options]);
  if (transaction === null) return null;
  const balances = readJsonForm(transaction, mints);
  checkNamed("the transaction", balances.signature, signature);
  return balances;
}

/** The token accounts that an owner had before or after a transaction. */
export function listOwnTokenAccounts(
  { accounts, tokensBefore, tokensAfter }: TransactionBalances,
  owner: string,
): readonly string[] {
  return [...tokensBefore, ...tokensAfter]
    .filter((balance) => balance.owner === owner)
    .map(({ accountIndex }) => accounts[accountIndex] ?? "");
}
