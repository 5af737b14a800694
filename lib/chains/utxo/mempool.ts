import { type AddressFilter, type ChainTransfer, NodeError } from "../network.ts";
import { parseFields } from "../parse-json.ts";
import { parseUtxoTransaction } from "./block.ts";
import { type CoreNode, getResult, NOT_FOUND } from "./core-client.ts";
import {
  collectCandidates,
  matchCandidates,
  type OutputCandidate,
  type OutputReader,
} from "./match-outputs.ts";
import { parseHashes, parseHex } from "./parse-json.ts";

/** Transactions fetched in one request. */
const REQUEST_TRANSACTIONS = 500;
const NONE: readonly ChainTransfer[] = [];

export interface Mempool {
  /**
   * Lists all transfers to us in the node's mempool. Fetches only transactions that are new since the last
   * call.
   */
  scan(node: CoreNode, ours: AddressFilter): Promise<readonly ChainTransfer[]>;
  /** Milliseconds that the last list took. The list of a full mempool is megabytes long. */
  listMs(): number;
}

/** Remembers the transfers of each waiting transaction, for as long as it waits. */
export function openMempool(reader: OutputReader): Mempool {
  let seen = new Map<string, readonly ChainTransfer[]>();
  let listMs = 0;
  return {
    listMs: () => listMs,
    async scan(node, ours) {
      const started = performance.now();
      const listed = await listMempool(node);
      listMs = performance.now() - started;
      const fresh = listed.filter((txid) => !seen.has(txid));
      const fetched = new Map<string, readonly ChainTransfer[]>();
      for (let i = 0; i < fresh.length; i += REQUEST_TRANSACTIONS) {
        const part = fresh.slice(i, i + REQUEST_TRANSACTIONS);
        for (const [txid, transfers] of await fetchTransfers(node, reader, part, ours)) {
          fetched.set(txid, transfers);
        }
      }
      // A transaction that left between the list and the fetch is in neither map. It is fetched if it comes
      // back.
      const now = new Map<string, readonly ChainTransfer[]>();
      for (const txid of listed) {
        const transfers = seen.get(txid) ?? fetched.get(txid);
        if (transfers) now.set(txid, transfers);
      }
      seen = now;
      return [...now.values()].flat();
    },
  };
}

/**
 * Fetches the ids of all waiting transactions. Throws when the node is still loading its mempool after a
 * start.
 */
async function listMempool(node: CoreNode): Promise<readonly string[]> {
  const [info, list] = await node.batch([
    { method: "getmempoolinfo", params: [] },
    { method: "getrawmempool", params: [] },
  ]);
  if (parseFields("its mempool's state", getResult(info, "getmempoolinfo")).loaded === false) {
    throw new NodeError("unreachable", "the node is still loading its mempool");
  }
  return parseHashes("its mempool", getResult(list, "getrawmempool"));
}

async function fetchTransfers(
  node: CoreNode,
  reader: OutputReader,
  txids: readonly string[],
  ours: AddressFilter,
): Promise<ReadonlyMap<string, readonly ChainTransfer[]>> {
  const answers = await node.batch(txids.map((txid) => ({ method: "getrawtransaction", params: [txid] })));
  const candidates: OutputCandidate[] = [];
  const found = new Map<string, ChainTransfer[] | typeof NONE>();
  for (const [i, answer] of answers.entries()) {
    const txid = txids[i] ?? "";
    if (!answer.ok && answer.code === NOT_FOUND) continue;
    const raw = parseHex("a transaction", getResult(answer, "getrawtransaction"));
    const transaction = parseUtxoTransaction(raw, reader.blockExtra);
    if (transaction.txid !== txid && !transaction.hidden) {
      throw new NodeError("malformed", `asked for transaction ${txid}, the node sent ${transaction.txid}`);
    }
    collectCandidates(reader, { raw, transaction, block: null }, candidates);
    found.set(txid, NONE);
  }
  const transfers = await matchCandidates(reader, candidates, ours);
  for (const [txid, own] of Map.groupBy(transfers, ({ txHash }) => txHash)) found.set(txid, own);
  return found;
}
