import { NodeError } from "../node-error.ts";
import { checkNamed, parseFields, parseUint } from "../parse-json.ts";
import type { TransactionRecord, TransactionStatus } from "../transactions.ts";
import { type CoreAnswer, type CoreNode, getResult, NOT_FOUND } from "./core-client.ts";
import { parseHash, parseInteger } from "./parse-json.ts";

/** Outputs searched among the unspent ones. */
const OUTPUTS_TRIED = 16;

/**
 * Fetches the status of a transaction. A node with `txindex` knows all. A node without it finds a
 * transaction in its mempool, in the recorded block, or by an unspent output. Otherwise the status is
 * unknown.
 */
export async function fetchUtxoTransactionStatus(
  node: CoreNode,
  txid: string,
  recordedBlock: string | null = null,
): Promise<TransactionStatus> {
  if (!/^[0-9a-f]{64}$/.test(txid)) return { kind: "unknown" };
  const outputs = Array.from({ length: OUTPUTS_TRIED }, (_, n) => n);
  const [waiting, indexed, recorded, best, ...unspent] = await node.batch([
    { method: "getmempoolentry", params: [txid] },
    { method: "getrawtransaction", params: [txid, true] },
    {
      method: "getrawtransaction",
      params: recordedBlock === null ? [txid, true] : [txid, true, recordedBlock],
    },
    { method: "getblockchaininfo", params: [] },
    ...outputs.map((n) => ({ method: "gettxout", params: [txid, n, false] })),
  ]);
  if (found(waiting, "getmempoolentry") !== null) return { kind: "pending" };
  for (const transaction of [
    found(indexed, "getrawtransaction"),
    // If the node cannot read that block (pruned, for example), the search continues.
    recorded?.ok ? recorded.result : null,
  ]) {
    const blockHash = transaction === null ? undefined : readNamed(transaction, txid).blockhash;
    const block = blockHash === undefined ? null : await fetchCanonicalBlock(node, blockHash);
    if (block) return { kind: "confirmed", ...block };
  }
  for (const answer of unspent) {
    const output = found(answer, "gettxout");
    if (output !== null) return fetchUnspentOutputStatus(node, output, best);
  }
  return { kind: "unknown" };
}

/** Returns the result, or null when the node does not have it. */
function found(answer: CoreAnswer | undefined, method: string): unknown {
  return answer && !answer.ok && answer.code === NOT_FOUND ? null : getResult(answer, method);
}

/**
 * The index keeps transactions of reverted blocks. Only the block itself shows that it was reverted
 * (confirmations -1).
 */
async function fetchCanonicalBlock(
  node: CoreNode,
  hash: unknown,
): Promise<{ blockHeight: number; blockHash: string } | null> {
  const blockHash = parseHash("a transaction's block", hash);
  const header = parseFields("a block's header", await node.call("getblockheader", [blockHash]));
  if (parseInteger("a block's confirmations", header.confirmations) < 1) return null;
  return { blockHeight: parseUint("a block's height", header.height), blockHash };
}

async function fetchUnspentOutputStatus(
  node: CoreNode,
  output: unknown,
  best: CoreAnswer | undefined,
): Promise<TransactionStatus> {
  const { bestblock, confirmations } = parseFields("an output", output);
  const tip = parseFields("its state", getResult(best, "getblockchaininfo"));
  if (tip.bestblockhash !== bestblock)
    throw new NodeError("inconsistent", "the chain moved while it was read");
  const blockHeight =
    parseUint("its height", tip.blocks) - parseUint("an output's confirmations", confirmations) + 1;
  const blockHash = parseHash("a block's hash", await node.call("getblockhash", [blockHeight]));
  return { kind: "confirmed", blockHeight, blockHash };
}

/**
 * Fetches a transaction as the node decodes it. `blockHash` is its block, or null while it waits. dogecoind
 * accepts no block hash, so it is also asked without one. That works with an index, or while an output is
 * unspent. Throws NodeError("refused") otherwise.
 */
export async function fetchUtxoTransaction(
  node: CoreNode,
  txid: string,
  blockHash: string | null,
): Promise<Record<string, unknown>> {
  const method = "getrawtransaction";
  const calls = [
    ...(blockHash === null ? [] : [{ method, params: [txid, true, blockHash] }]),
    { method, params: [txid, true] },
  ];
  const answers = await node.batch(calls);
  const answer = answers.find(({ ok }) => ok) ?? answers[0];
  return readNamed(getResult(answer, method), txid);
}

function readNamed(answer: unknown, txid: string): Record<string, unknown> {
  const transaction = parseFields("a transaction", answer);
  checkNamed("the transaction", transaction.txid, txid);
  return transaction;
}

/**
 * Fetches a transaction in a block or in the mempool, decoded by the node. Null for a transaction that a
 * reorg removed, although an index may still have it.
 */
export async function fetchUtxoTransactionRecord(
  node: CoreNode,
  txid: string,
  recordedBlock: string | null = null,
): Promise<TransactionRecord | null> {
  const status = await fetchUtxoTransactionStatus(node, txid, recordedBlock);
  if (status.kind === "unknown") return null;
  const block = status.kind === "confirmed" ? status.blockHash : null;
  return { json: JSON.stringify(await fetchUtxoTransaction(node, txid, block)), shownAs: "object" };
}
