import type { MempoolStep } from "../mempool-reader.ts";
import { NodeError } from "../node-error.ts";
import { parseFields, parseList, parseUint } from "../parse-json.ts";
import type { CoreNode } from "./core-client.ts";
import type { MempoolChanges } from "./mempool-changes.ts";
import { parseHashes } from "./parse-json.ts";
import {
  createWaitingState,
  type FetchedIds,
  skipOld,
  step,
  type WaitingEvent,
  type WaitingState,
} from "./waiting-list-rules.ts";

/** The list of a full mempool is megabytes long: lists take at most this part of the time. */
const LIST_SHARE = 1 / 10;
/** The longest pause for that: one list may have been slow by chance, and payments are not seen meanwhile. */
const LONGEST_LIST_PAUSE_MS = 30_000;
/** A list counts as true for at most this long before its size is asked for, or another one is taken. */
const TRUST_MS = 5_000;
/**
 * The same where the mempool's summary has the sum of the fees: another mempool has another sum. Without a block since: a small one
 * that lost a payment to it and has another of the same size and fee has the same sum.
 */
const TRUST_FEES_MS = 60_000;
/** A list with a smaller part of what the node says to have is wrong. A busy mempool changes by less while it is listed. */
const LEAST_PART = 1 / 2;
/** Changes with more blocks than this cost more than a list. */
const MAX_BLOCKS = 10;

/** The knowledge about the list. "unchecked": nothing else, but the node may not have published all. */
type Knowledge = "true" | "unchecked" | "unknown";

/** Asks a node for what the rules of waiting-list-rules.ts need, and remembers their state. */
export class WaitingList {
  #state = createWaitingState();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #listedAt = Number.NEGATIVE_INFINITY;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #listMs = 0;
  /** The last run of changes that was asked for, and whether the node publishes them. */
  #asked: { readonly run: number; readonly publishes: boolean } | null = null;
  readonly #fetched: FetchedIds;
  readonly #changes: (name: string) => MempoolChanges | null;
  readonly #now: () => number;

  /** `changes` returns those of the node with this name. Null: it has none. */
  constructor(fetched: FetchedIds, changes: (name: string) => MempoolChanges | null, now: () => number) {
    this.#fetched = fetched;
    this.#changes = changes;
    this.#now = now;
  }

  view() {
    const { number: list, gone, arrivals, backlog } = this.#state;
    return { list, gone, arrivals: arrivals.length, backlog: backlog.length };
  }

  #step(event: WaitingEvent): WaitingState {
    this.#state = step(this.#state, event, this.#fetched);
    return this.#state;
  }

  /** Follows the node's changes, or takes a new list if the mempool may have changed. Returns whether the list is true now. */
  async look(line: CoreNode, name: string, step: MempoolStep): Promise<boolean> {
    const at = this.#now();
    const isSame = name === this.#state.node;
    if (isSame && at - this.#lookedAt < step.lookEveryMs) return false;
    const changes = this.#changes(name);
    const isWrong = this.#state.isSentWrong && at - this.#listedAt >= TRUST_MS;
    if (!isSame || isWrong || changes?.run() !== this.#state.followed?.run)
      this.#step({ kind: "unfollowed" });
    const known = changes === null ? "unknown" : await this.#follow(line, changes, step);
    if (known === "unknown" && !(await this.#list(line, name, step))) return false;
    this.#lookedAt = at;
    return known !== "unchecked";
  }

  /** Returns whether the list is true. */
  async #list(line: CoreNode, name: string, step: MempoolStep): Promise<boolean> {
    const at = this.#now();
    const isSame = name === this.#state.node;
    const pauseMs = Math.min(LONGEST_LIST_PAUSE_MS, this.#listMs / LIST_SHARE);
    if (isSame && at - this.#listedAt < pauseMs) return false;
    const { text, hasFees, size } = await fetchSummary(line);
    const summary = text === null ? null : `${step.block} ${text}`;
    const run = await this.#findRun(line, name);
    const { listed, gone, isSentWrong } = this.#state;
    const isRecent = at - this.#listedAt < (hasFees && !isSentWrong ? TRUST_FEES_MS : TRUST_MS);
    const isTrusted = run === null && isSame && gone.length === 0 && isRecent;
    const wanted = await step.wanted();
    // A payment may leave a block and be replaced in another one between two equal summaries: it is gone.
    const isWhole = wanted.every((txid) => listed.has(txid));
    if (isTrusted && isWhole && summary !== null && summary === this.#state.summary) return true;
    const started = this.#now();
    const { txids, next } = run === null ? await listIds(line) : await listNumberedIds(line);
    this.#listedAt = this.#now();
    this.#listMs = this.#listedAt - started;
    if (typeof size === "number" && txids.length < size * LEAST_PART)
      await refuseShortList(line, txids.length);
    const followed = run === null ? null : { run, next, isAligned: false };
    // A transaction that came or left between the two requests changed the list and not the summary.
    const isOfList = typeof size !== "number" || size === txids.length;
    this.#step({
      kind: "listed",
      node: name,
      txids,
      wanted,
      summary: isOfList ? summary : null,
      followed,
    });
    this.#checkedAt = this.#listedAt;
    return true;
  }

  /** Returns the run of changes that can follow a list. Null: the node publishes no changes. */
  async #findRun(line: CoreNode, name: string): Promise<number | null> {
    const run = this.#changes(name)?.run() ?? null;
    if (run === null) return null;
    if (this.#asked?.run !== run) this.#asked = { run, publishes: await publishesChanges(line) };
    return this.#asked.publishes ? run : null;
  }

  /** Applies what changed since. "unknown": that leaves open what the mempool is, and a list is needed. */
  async #follow(line: CoreNode, held: MempoolChanges, step: MempoolStep): Promise<Knowledge> {
    const { followed } = this.#state;
    if (followed === null) return "unknown";
    // Until the end: what fails in between leaves taken changes unapplied.
    this.#step({ kind: "unfollowed" });
    const wanted = await step.wanted();
    const changes = skipOld(held.take(), followed);
    const blocks = changes.flatMap((change) => (change.kind === "connected" ? [change.blockHash] : []));
    if (blocks.length > MAX_BLOCKS) return "unknown";
    const confirmed = await fetchBlockIds(line, [...new Set(blocks)]);
    const after = this.#step({ kind: "changed", followed, changes, confirmed, wanted });
    if (after.followed === null) return "unknown";
    return changes.length > 0 ? "true" : this.#checkSize(line);
  }

  /** Compares the size of a quiet mempool from time to time: a broken connection may report nothing of it. */
  async #checkSize(line: CoreNode): Promise<Knowledge> {
    const at = this.#now();
    const { followed, isOff } = this.#state;
    if (!isOff && at - this.#checkedAt < TRUST_MS) return "unchecked";
    this.#checkedAt = at;
    this.#step({ kind: "unfollowed" });
    const { size } = await fetchSummary(line);
    const after = this.#step({ kind: "sized", followed, size });
    if (after.followed === null) return "unknown";
    return after.isOff ? "unchecked" : "true";
  }

  /**
   * Fetches some ids. After a failure, which is returned, they wait behind the other arrivals. Transactions that the node
   * sent wrong wait for the next list.
   */
  async take(
    count: number,
    fetch: (txids: readonly string[]) => Promise<NodeError | null>,
  ): Promise<NodeError | null> {
    const { asking } = this.#step({ kind: "asked", count });
    if (asking.size === 0) return null;
    let failure: unknown = null;
    try {
      failure = await fetch([...asking]);
    } catch (error) {
      failure = error;
    }
    const isSentWrong = failure instanceof NodeError && failure.kind === "malformed";
    this.#step({ kind: "answered", failure: isSentWrong ? "malformed" : failure === null ? null : "other" });
    if (failure === null || failure instanceof NodeError) return failure;
    throw failure;
  }

  /** Fetches them once more. */
  retake(txids: readonly string[]): void {
    this.#step({ kind: "retaken", txids });
  }
}

async function listIds(node: CoreNode) {
  return { txids: parseHashes("its mempool", await node.call("getrawmempool")), next: 0 };
}

/**
 * Throws NodeError when a list is far shorter than the mempool, as the node says after it: a block may have emptied it. Ids that
 * such a list leaves out would count as gone.
 */
async function refuseShortList(node: CoreNode, length: number): Promise<void> {
  const { size } = await fetchSummary(node);
  if (typeof size !== "number" || length >= size * LEAST_PART) return;
  throw new NodeError("inconsistent", `the node listed ${length} of the ${size} transactions of its mempool`);
}

/** Returns the ids with the number of the change that follows them. Core 0.21 and later. */
async function listNumberedIds(node: CoreNode) {
  const list = parseFields("its mempool", await node.call("getrawmempool", [false, true]));
  const next = parseUint("its mempool's sequence", list.mempool_sequence);
  return { txids: parseHashes("its mempool", list.txids), next };
}

/** Returns the transactions of each block that the node has. */
async function fetchBlockIds(
  node: CoreNode,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const answers = await node.batch(hashes.map((hash) => ({ method: "getblock", params: [hash, 1] })));
  const ids = new Map<string, readonly string[]>();
  for (const [i, hash] of hashes.entries()) {
    const answer = answers[i];
    if (answer?.ok)
      ids.set(hash, parseHashes("a block's transactions", parseFields("a block", answer.result).tx));
  }
  return ids;
}

/** Whether the node publishes the topic `sequence`. A node that cannot say, or may not say it to us, does not. */
async function publishesChanges(node: CoreNode): Promise<boolean> {
  try {
    const topics = parseList("its notifications", await node.call("getzmqnotifications"));
    return topics.some((topic) => parseFields("a notification", topic).type === "pubsequence");
  } catch (error) {
    // Core answers 403 to what is not in the user's whitelist.
    if (error instanceof NodeError && error.kind !== "rate_limited") return false;
    throw error;
  }
}

/**
 * Fetches what changes whenever the mempool does: number, size and fees of its transactions. `text`
 * is null where the node does not report it. Throws NodeError when the node is still loading its mempool after a start.
 */
async function fetchSummary(node: CoreNode) {
  const [answer] = await node.batch([{ method: "getmempoolinfo", params: [] }]);
  if (!answer?.ok) return { text: null, size: null, hasFees: false };
  const info = parseFields("its mempool's state", answer.result);
  if (info.loaded === false) throw new NodeError("unreachable", "the node is still loading its mempool");
  return { text: JSON.stringify(info), size: info.size, hasFees: info.total_fee !== undefined };
}
