import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { UtxoData } from "../network-data.ts";
import { NodeError } from "../node-error.ts";
import type { RecordedTransaction, TransactionCost } from "../transactions.ts";
import { toLedgerUnits } from "../units.ts";
import { parseUtxoTransaction, type UtxoTransaction } from "./block.ts";
import type { CoreNode } from "./core-client.ts";
import { fetchUtxoTransaction, fetchUtxoTransactionStatus } from "./fetch-transaction.ts";
import { parseHex } from "./parse-json.ts";

interface Coin {
  readonly token: TokenCode;
  readonly decimals: number;
  readonly blockExtra: UtxoData["blockExtra"];
}

/** See Transactions.fetchCost. Finds what fetchUtxoTransactionStatus finds. */
export async function fetchUtxoCost(
  node: CoreNode,
  coin: Coin,
  txid: string,
  { block: recordedBlock, spent }: RecordedTransaction,
): Promise<TransactionCost | null> {
  const status = await fetchUtxoTransactionStatus(node, txid, recordedBlock);
  if (status.kind !== "pending" && status.kind !== "confirmed") return null;
  const block = status.kind === "confirmed" ? { height: status.blockHeight, hash: status.blockHash } : null;
  const raw = await fetchUtxoTransaction(node, txid, block?.hash ?? null);
  const fetchSpent = (id: string) => fetchUtxoTransaction(node, id, null);
  return readUtxoCost({ coin, txid, block, spent }, raw, fetchSpent);
}

/**
 * Inputs less outputs. Amounts are read from the bytes, which the ids prove. `fetchDecoded`: a transaction whose output is spent and
 * that is not recorded.
 */
export async function readUtxoCost(
  {
    coin,
    txid,
    block,
    spent,
  }: {
    readonly coin: Coin;
    readonly txid: string;
    readonly block: TransactionCost["block"];
    readonly spent: RecordedTransaction["spent"];
  },
  decoded: Record<string, unknown>,
  fetchDecoded: (txid: string) => Promise<Record<string, unknown>>,
): Promise<TransactionCost> {
  const transaction = parseProven(txid, decoded, coin);
  const spends = transaction.spends();
  if (block === null) return { block, fee: null, spends };
  const earlier = new Map<string, UtxoTransaction>();
  let fee = -transaction.outputs.reduce((sum, { satoshis }) => sum + toLedgerUnits(satoshis, coin), 0n);
  for (const outpoint of spends) {
    const [id = "", position] = outpoint.split(":");
    const known = spent.get(outpoint);
    if (known === undefined && !earlier.has(id))
      earlier.set(id, parseProven(id, await fetchDecoded(id), coin));
    const output = earlier.get(id)?.outputs[Number(position)];
    if (known === undefined && output === undefined)
      throw new NodeError("malformed", `the node sent no output ${outpoint}`);
    fee += known ?? toLedgerUnits(output?.satoshis ?? 0n, coin);
  }
  return { block, fee, spends };
}

function parseProven(txid: string, { hex }: Record<string, unknown>, { blockExtra }: Coin): UtxoTransaction {
  const transaction = parseUtxoTransaction(parseHex("a transaction", hex), blockExtra);
  if (transaction.txid === txid) return transaction;
  throw new NodeError("malformed", `the node sent another transaction than ${txid}`);
}
