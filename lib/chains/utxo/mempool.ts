import type { MempoolStep, MempoolView } from "../mempool-reader.ts";
import { type AddressFilter, type ChainTransfer, NodeError } from "../network.ts";
import { parseFields } from "../parse-json.ts";
import { parseUtxoTransaction } from "./block.ts";
import { type CoreAnswer, type CoreNode, getResult, METHOD_NOT_FOUND, NOT_FOUND } from "./core-client.ts";
import {
  collectCandidates,
  matchCandidates,
  type OutputCandidate,
  type OutputReader,
} from "./match-outputs.ts";
import { parseHashes, parseHex } from "./parse-json.ts";

/** Transactions fetched in one request, at most. */
const REQUEST_TRANSACTIONS = 500;
/** The list of a full mempool is megabytes long: lists take at most this part of the time. */
const LIST_SHARE = 1 / 10;
/** A list counts as unchanged for at most this long, whatever the mempool's summary says. */
const TRUST_SUMMARY_MS = 5_000;
/** Transactions that paid none of our addresses are asked about again: an address may become ours after they came. */
const ASK_AGAIN_MS = 10_000;
const ASKED_AGAIN = 5_000;

export interface Mempool {
  /** See MempoolReader. `name` is the node's. */
  readStep(node: CoreNode, name: string, step: MempoolStep): Promise<MempoolView>;
}

/**
 * Remembers the transfers of each waiting transaction, for as long as a node lists it. The ids are a list of
 * one node. What was fetched is true of all nodes.
 */
export function openMempool(reader: OutputReader, now = () => performance.now()): Mempool {
  const fetched = openFetched(reader, now);
  const list = new WaitingList(fetched, now);
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

/** What the list must know of the transactions that were fetched. */
interface Fetched {
  has(txid: string): boolean;
  forgetAllBut(listed: ReadonlySet<string>): void;
}

/** The ids of all waiting transactions of a node, and which of them are to be fetched. */
class WaitingList {
  #node: string | null = null;
  #number = 0;
  #listed: ReadonlySet<string> = new Set();
  #gone: readonly string[] = [];
  /** Both are taken from the end. */
  #arrivals: string[] = [];
  #backlog: string[] = [];
  #summary: string | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #listedAt = Number.NEGATIVE_INFINITY;
  #listMs = 0;
  readonly #fetched: Fetched;
  readonly #now: () => number;

  constructor(fetched: Fetched, now: () => number) {
    this.#fetched = fetched;
    this.#now = now;
  }

  view() {
    const [arrivals, backlog] = [this.#arrivals.length, this.#backlog.length];
    return { list: this.#number, gone: this.#gone, arrivals, backlog };
  }

  /** Takes a new list if the mempool may have changed. Returns whether the list is true now. */
  async look(line: CoreNode, name: string, step: MempoolStep): Promise<boolean> {
    const at = this.#now();
    const isSame = name === this.#node;
    const isSoon = at - this.#lookedAt < step.lookEveryMs || at - this.#listedAt < this.#listMs / LIST_SHARE;
    if (isSame && isSoon) return false;
    const summary = await fetchSummary(line);
    const isTrusted = isSame && this.#gone.length === 0 && at - this.#listedAt < TRUST_SUMMARY_MS;
    if (!isTrusted || summary === null || summary !== this.#summary) {
      const wanted = await step.wanted();
      const started = this.#now();
      const txids = parseHashes("its mempool", await line.call("getrawmempool"));
      this.#listedAt = this.#now();
      this.#listMs = this.#listedAt - started;
      this.#apply(txids, wanted);
      this.#summary = summary;
      this.#node = name;
    }
    this.#lookedAt = at;
    return true;
  }

  #apply(txids: readonly string[], wanted: readonly string[]): void {
    const current = new Set(txids);
    const isDue = (txid: string) => current.has(txid) && !this.#fetched.has(txid);
    const fresh = txids.filter((txid) => !this.#fetched.has(txid) && !this.#listed.has(txid));
    if (this.#number === 0) this.#backlog = fresh;
    else {
      // One that left when it was fetched and is back, or that was sent wrong, is in neither queue.
      const queued = new Set([...this.#arrivals, ...this.#backlog]);
      const again = txids.filter((txid) => this.#listed.has(txid) && !queued.has(txid) && isDue(txid));
      this.#backlog = this.#backlog.filter(isDue);
      this.#arrivals = [...again, ...this.#arrivals.filter(isDue), ...fresh];
    }
    this.#arrivals.push(...wanted.filter(isDue));
    this.#gone = wanted.filter((txid) => !current.has(txid));
    this.#listed = current;
    this.#number += 1;
    this.#fetched.forgetAllBut(current);
  }

  /**
   * Fetches some ids. After a failure, which is returned, they wait behind the other arrivals. What the node
   * sent wrong waits for the next list.
   */
  async take(
    count: number,
    fetch: (txids: readonly string[]) => Promise<NodeError | null>,
  ): Promise<NodeError | null> {
    const txids = new Set<string>();
    while (txids.size < count) {
      const txid = this.#arrivals.pop() ?? this.#backlog.pop();
      if (txid === undefined) break;
      if (!this.#fetched.has(txid)) txids.add(txid);
    }
    if (txids.size === 0) return null;
    let failure: unknown = null;
    try {
      failure = await fetch([...txids]);
    } catch (error) {
      failure = error;
    }
    const isSentWrong = failure instanceof NodeError && failure.kind === "malformed";
    if (failure !== null && !isSentWrong)
      this.#arrivals.unshift(...[...txids].filter((txid) => !this.#fetched.has(txid)));
    if (failure === null || failure instanceof NodeError) return failure;
    throw failure;
  }

  /** Fetches them once more. */
  retake(txids: readonly string[]): void {
    this.#arrivals.push(...txids.filter((txid) => this.#listed.has(txid)));
  }
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
    for (const txid of strangers.keys()) {
      if (strangers.size <= ASKED_AGAIN) break;
      strangers.delete(txid);
    }
  }

  return {
    has: (txid: string) => known.has(txid),
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

/**
 * Fetches what changes whenever the mempool does: number, size and fees of its transactions. Null where the
 * node does not tell. Throws NodeError when the node is still loading its mempool after a start.
 */
async function fetchSummary(node: CoreNode): Promise<string | null> {
  const [answer] = await node.batch([{ method: "getmempoolinfo", params: [] }]);
  if (!answer?.ok) return null;
  const info = parseFields("its mempool's state", answer.result);
  if (info.loaded === false) throw new NodeError("unreachable", "the node is still loading its mempool");
  return JSON.stringify(info);
}
