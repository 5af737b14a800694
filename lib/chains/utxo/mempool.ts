import type { AddressFilter } from "../blocks.ts";
import type { MempoolStep, MempoolView } from "../mempool-reader.ts";
import { NodeError } from "../node-error.ts";
import type { ChainTransfer } from "../transfers.ts";
import { parseUtxoTransaction } from "./block.ts";
import { type CoreAnswer, type CoreNode, getResult, METHOD_NOT_FOUND, NOT_FOUND } from "./core-client.ts";
import {
  collectCandidates,
  matchCandidates,
  type OutputCandidate,
  type OutputReader,
} from "./match-outputs.ts";
import type { MempoolChanges } from "./mempool-changes.ts";
import { parseHex } from "./parse-json.ts";
import { WaitingList } from "./waiting-list.ts";

/** Transactions fetched in one request, at most. */
const REQUEST_TRANSACTIONS = 500;
/** Transactions that paid none of our addresses are asked about again: an address may become ours after they came. */
const ASK_AGAIN_MS = 10_000;
const ASKED_AGAIN = 5_000;

export interface Mempool {
  /** See MempoolReader. `name` is the node's. */
  readStep(node: CoreNode, name: string, step: MempoolStep): Promise<MempoolView>;
}

/**
 * Remembers the transfers of each waiting transaction, for as long as a node lists it. The ids are a list of
 * one node. Fetched transfers are true of all nodes. `changes` returns those of the node with this name. Null: it has none.
 */
export function openMempool(
  reader: OutputReader,
  changes: (name: string) => MempoolChanges | null,
  now = () => performance.now(),
): Mempool {
  const fetched = openFetched(reader, now);
  const list = new WaitingList(fetched, changes, now);
  return {
    async readStep(node, name, step) {
      const looked = await list.look(node, name, step);
      list.retake(await fetched.askAgain(step.ours));
      const count = Math.min(REQUEST_TRANSACTIONS, node.batchSize());
      const failure = await list.take(count, (txids) => fetched.fetch(node, txids, step.ours));
      return { ...list.view(), node: name, looked, transfers: fetched.transfers(), failure };
    },
  };
}

/** The transactions that were fetched, and their transfers to us. */
function openFetched(reader: OutputReader, now: () => number) {
  const known = new Set<string>();
  const transfers = new Map<string, readonly ChainTransfer[]>();
  /** Addresses of the newest transactions that are not ours, as far as we know. */
  const strangers = new Map<string, readonly string[]>();
  let askedAt = now();

  async function match(candidates: readonly OutputCandidate[], ours: AddressFilter): Promise<void> {
    const own = await matchCandidates(reader, candidates, ours);
    for (const [txid, found] of Map.groupBy(own, ({ txHash }) => txHash)) transfers.set(txid, found);
    for (const [txid, outputs] of Map.groupBy(candidates, ({ transaction }) => transaction.txid)) {
      const paid = new Set(transfers.get(txid)?.map(({ address }) => address));
      const others = outputs.map(({ address }) => address).filter((address) => !paid.has(address));
      if (others.length > 0) strangers.set(txid, others);
    }
    keepNewest(strangers, ASKED_AGAIN);
  }

  return {
    has: (txid: string) => known.has(txid),
    paysUs: (txid: string) => transfers.has(txid),
    forget(txid: string): void {
      for (const part of [known, transfers, strangers]) part.delete(txid);
    },
    transfers: () => [...transfers.values()].flat(),
    /** Fetches and matches transactions. Keeps those that could be read, and returns why others could not. */
    async fetch(node: CoreNode, txids: readonly string[], ours: AddressFilter): Promise<NodeError | null> {
      const answers = await node.batch(
        txids.map((txid) => ({ method: "getrawtransaction", params: [txid] })),
      );
      const candidates: OutputCandidate[] = [];
      const done: string[] = [];
      let failure: NodeError | null = null;
      for (const [i, answer] of answers.entries()) {
        const txid = txids[i] ?? "";
        // It left between the list and the fetch.
        if (!answer.ok && answer.code === NOT_FOUND) continue;
        try {
          collectCandidates(reader, { ...readTransaction(reader, txid, answer), block: null }, candidates);
          done.push(txid);
        } catch (error) {
          if (!(error instanceof NodeError)) throw error;
          failure ??= error;
        }
      }
      await match(candidates, ours);
      for (const txid of done) known.add(txid);
      return failure;
    },
    /** Asks from time to time whether an address became ours, and forgets the transactions that pay it. */
    async askAgain(ours: AddressFilter): Promise<readonly string[]> {
      if (strangers.size === 0 || now() - askedAt < ASK_AGAIN_MS) return [];
      askedAt = now();
      const own = await ours([...new Set([...strangers.values()].flat())]);
      const again: string[] = [];
      for (const [txid, addresses] of strangers) {
        if (!addresses.some((address) => own.has(address))) continue;
        strangers.delete(txid);
        known.delete(txid);
        again.push(txid);
      }
      return again;
    },
    forgetAllBut(listed: ReadonlySet<string>): void {
      for (const part of [known, transfers, strangers]) {
        for (const txid of part.keys()) if (!listed.has(txid)) part.delete(txid);
      }
    },
  };
}

/** Throws NodeError when the node refused it, or sent another transaction. "refused": it refuses all of them. */
function readTransaction({ blockExtra }: OutputReader, txid: string, answer: CoreAnswer) {
  if (!answer.ok && answer.code !== METHOD_NOT_FOUND) {
    throw new NodeError(
      "inconsistent",
      `the node lists transaction ${txid} and refuses it: ${answer.message}`,
    );
  }
  const raw = parseHex("a transaction", getResult(answer, "getrawtransaction"));
  const transaction = parseUtxoTransaction(raw, blockExtra);
  if (transaction.txid !== txid && !transaction.hidden) {
    throw new NodeError("malformed", `asked for transaction ${txid}, the node sent ${transaction.txid}`);
  }
  return { raw, transaction };
}

/** Takes the oldest entries out of a map that has more than `most`. */
function keepNewest(entries: Map<string, unknown>, most: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= most) break;
    entries.delete(key);
  }
}
