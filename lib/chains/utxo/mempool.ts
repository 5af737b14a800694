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
  /** All transfers to ours that wait in the node's mempool now. Fetches only transactions it has not seen before. */
  scan(node: CoreNode, ours: AddressFilter): Promise<readonly ChainTransfer[]>;
  /** Milliseconds that the last list took: a full mempool's is megabytes long, and there is no shorter way to ask. */
  listMs(): number;
}

/** Remembers what each waiting transaction holds for us, for as long as it waits. */
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
      // One that left between the list and the fetch is in neither map, and is asked for again if it comes back.
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

/** Ids of all waiting transactions. A node that has just started and not read its mempool back yet is refused. */
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
    collectCandidates(reader, raw, transaction, null, candidates);
    found.set(txid, NONE);
  }
  const transfers = await matchCandidates(reader, candidates, ours);
  for (const [txid, own] of Map.groupBy(transfers, ({ txHash }) => txHash)) found.set(txid, own);
  return found;
}
