import { checkNamed, parseFields, parseList, parseUint } from "../parse-json.ts";
import type { RpcClient } from "../rpc-client.ts";
import type {
  TransactionCost,
  TransactionPayments,
  TransactionRecord,
  TransactionStatus,
} from "../transactions.ts";
import { FINALIZED, fetchBlockHeader, NEWEST_VERSION } from "./fetch-blocks.ts";
import { listGains, listTokenAccountGains, type SolanaToken } from "./match-balances.ts";
import { readJsonForm, type TransactionBalances } from "./parse-block.ts";

/** Error code for text that cannot be a signature: the node knows no such transaction. */
const NO_SIGNATURE: ReadonlyMap<unknown, unknown> = new Map([[-32_602, null]]);

type Fields = Readonly<Record<string, unknown>>;

type FoundTransaction =
  | { readonly kind: "unknown" | "pending"; readonly transaction: null }
  | { readonly kind: "final"; readonly transaction: Fields };

/** Fetches a transaction once the node says that it is final. */
async function findFinal(client: RpcClient, signature: string): Promise<FoundTransaction> {
  const [answer] = await client.batch([
    {
      method: "getSignatureStatuses",
      params: [[signature], { searchTransactionHistory: true }],
      resultsByErrorCode: NO_SIGNATURE,
    },
  ]);
  if (answer === null) return { kind: "unknown", transaction: null };
  const [entry] = parseList("transactions' status", parseFields("transactions' status", answer).value);
  if (entry === null) return { kind: "unknown", transaction: null };
  const { confirmationStatus } = parseFields("a transaction's status", entry);
  if (confirmationStatus !== "finalized") return { kind: "pending", transaction: null };
  // A status does not name its transaction.
  const transaction = await getTransaction(client, signature);
  return transaction === null ? { kind: "pending", transaction } : { kind: "final", transaction };
}

/** Fetches the final block of a transaction. Null: the node does not have it yet. */
async function fetchBlockOf(
  client: RpcClient,
  { slot }: Fields,
): Promise<{ readonly height: number; readonly hash: string } | null> {
  const height = parseUint("a transaction's slot", slot);
  const header = await fetchBlockHeader(client, height);
  return header === null || header === "skipped" ? null : { height, hash: header.hash };
}

/** See Transactions.fetchStatus. A transaction is confirmed or failed only in a final block. */
export async function fetchSolanaTransactionStatus(
  client: RpcClient,
  signature: string,
): Promise<TransactionStatus> {
  const found = await findFinal(client, signature);
  if (found.kind !== "final") return { kind: found.kind };
  if (readJsonForm(found.transaction, new Set()).failed) return { kind: "failed" };
  const block = await fetchBlockOf(client, found.transaction);
  if (block === null) return { kind: "pending" };
  return { kind: "confirmed", blockHeight: block.height, blockHash: block.hash };
}

/** See Transactions.fetchPayments. Only its block reports the gains. */
export async function fetchSolanaPayments(
  client: RpcClient,
  tokens: readonly SolanaToken[],
  signature: string,
): Promise<TransactionPayments | null> {
  const { kind, transaction } = await findFinal(client, signature);
  if (kind === "unknown") return null;
  const block = transaction && (await fetchBlockOf(client, transaction));
  if (transaction === null || block === null)
    return { block: null, failed: false, payments: null, inconclusiveToken: null, spends: [] };
  const balances = readJsonForm(transaction, new Set(tokens.flatMap(({ mint }) => mint ?? [])));
  const payments = [...listGains(balances, tokens), ...listTokenAccountGains(balances, tokens)].map(
    ({ position, token, address, amount }) => ({ position, token, address, amount: amount() }),
  );
  // Programs move coins only between the accounts of a transaction, and the balances of all of them are
  // known.
  return { block, failed: balances.failed, payments, inconclusiveToken: null, spends: [] };
}

/** See Transactions.fetchCost. The fee, and the rent of token accounts that it created, less that of those that it closed. */
export async function fetchSolanaCost(
  client: RpcClient,
  tokens: readonly SolanaToken[],
  signature: string,
): Promise<TransactionCost | null> {
  const { kind, transaction } = await findFinal(client, signature);
  if (kind === "unknown") return null;
  const block = transaction && (await fetchBlockOf(client, transaction));
  if (transaction === null || block === null) return { block: null, fee: null, spends: [] };
  const { meta } = transaction;
  const balances = readJsonForm(transaction, new Set(tokens.flatMap(({ mint }) => mint ?? [])));
  const fee = parseUint("a transaction's fee", parseFields("a transaction's outcome", meta).fee);
  return { block, fee: BigInt(fee) + sumRent(balances), spends: [] };
}

/** Lamports of token accounts that a transaction created, less those of token accounts that it closed. */
function sumRent({ before, after, tokensBefore, tokensAfter }: TransactionBalances): bigint {
  const accounts = new Set([...tokensBefore, ...tokensAfter].map(({ accountIndex }) => accountIndex));
  let rent = 0n;
  for (const index of accounts) {
    const [was, is] = [before[index] ?? 0, after[index] ?? 0];
    if (was === 0 || is === 0) rent += BigInt(is) - BigInt(was);
  }
  return rent;
}

/** Fetches the node's record of a transaction in a final block. */
export async function fetchSolanaTransactionRecord(
  client: RpcClient,
  signature: string,
): Promise<TransactionRecord | null> {
  const transaction = await getTransaction(client, signature, { exact: true });
  return transaction === null ? null : { json: JSON.stringify(transaction), shownAs: "object" };
}

async function getTransaction(
  client: RpcClient,
  signature: string,
  { exact = false } = {},
): Promise<Fields | null> {
  const options = { encoding: "json", maxSupportedTransactionVersion: NEWEST_VERSION, ...FINALIZED };
  const [transaction] = await client.batch([
    { method: "getTransaction", params: [signature, options], resultsByErrorCode: NO_SIGNATURE, exact },
  ]);
  if (transaction === null) return null;
  const fields = parseFields("a transaction", transaction);
  const { signatures } = parseFields("a transaction", fields.transaction);
  checkNamed("the transaction", parseList("a transaction's signatures", signatures)[0], signature);
  return fields;
}
