import type { MempoolStep } from "../mempool-reader.ts";
import { NodeError } from "../node-error.ts";
import { parseFields, parseList, parseUint } from "../parse-json.ts";
import type { CoreNode } from "./core-client.ts";
import type { BlockChange, MempoolChange, MempoolChanges } from "./mempool-changes.ts";
import { parseHashes } from "./parse-json.ts";

/** The list of a full mempool is megabytes long: lists take at most this part of the time. */
const LIST_SHARE = 1 / 10;
/** The longest pause for that: one list may have been slow by chance, and payments are not seen meanwhile. */
const LONGEST_LIST_PAUSE_MS = 30_000;
/** A list counts as true for at most this long before its size is asked for, or another one is taken. */
const TRUST_MS = 5_000;
/** The same where the mempool's summary has the sum of the fees: another mempool has another sum. */
const TRUST_FEES_MS = 60_000;
/** A list with a smaller part of what the node says to have is wrong. A busy mempool changes by less while it is listed. */
const LEAST_PART = 1 / 2;
/** Changes with more blocks than this cost more than a list. */
const MAX_BLOCKS = 10;

/** The transactions that were fetched, as the list needs them. */
export interface FetchedIds {
  has(txid: string): boolean;
  paysUs(txid: string): boolean;
  forget(txid: string): void;
  forgetAllBut(listed: ReadonlySet<string>): void;
}

/** Changes that follow a list. */
interface Followed {
  /** See MempoolChanges.run. */
  readonly run: number;
  /** The number of the next change. Core counts each transaction that comes or leaves. */
  next: number;
  /** A change was the next one: none before the list can come any more. */
  isAligned: boolean;
}

/** The knowledge about the list. "unchecked": nothing else, but the node may not have published all. */
type Knowledge = "true" | "unchecked" | "unknown";

/** The ids of all waiting transactions of a node, and which of them are to be fetched. */
export class WaitingList {
  #node: string | null = null;
  #number = 0;
  #listed = new Set<string>();
  #gone: readonly string[] = [];
  /** Both are taken from the end. */
  #arrivals: string[] = [];
  #backlog: string[] = [];
  #summary: string | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #listedAt = Number.NEGATIVE_INFINITY;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #listMs = 0;
  /** Null: a list is needed. */
  #followed: Followed | null = null;
  /** The last run of changes that was asked for, and whether the node publishes them. */
  #asked: { readonly run: number; readonly publishes: boolean } | null = null;
  /** Transactions that paid us and left since the list was taken, or that the list did not name. */
  #left = new Set<string>();
  /** The size that the node reported was not the list's, and no change explained it. */
  #isOff = false;
  /** The node sent a transaction wrong, which the next list asks for again. */
  #isSentWrong = false;
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
    const [arrivals, backlog] = [this.#arrivals.length, this.#backlog.length];
    return { list: this.#number, gone: this.#gone, arrivals, backlog };
  }

  /** Follows the node's changes, or takes a new list if the mempool may have changed. Returns whether the list is true now. */
  async look(line: CoreNode, name: string, step: MempoolStep): Promise<boolean> {
    const at = this.#now();
    const isSame = name === this.#node;
    if (isSame && at - this.#lookedAt < step.lookEveryMs) return false;
    const changes = this.#changes(name);
    const isWrong = this.#isSentWrong && at - this.#listedAt >= TRUST_MS;
    if (!isSame || isWrong || changes?.run() !== this.#followed?.run) this.#followed = null;
    const known = changes === null ? "unknown" : await this.#follow(line, changes, step);
    if (known === "unknown" && !(await this.#list(line, name, step))) return false;
    this.#lookedAt = at;
    return known !== "unchecked";
  }

  /** Returns whether the list is true. */
  async #list(line: CoreNode, name: string, step: MempoolStep): Promise<boolean> {
    const at = this.#now();
    const isSame = name === this.#node;
    const pauseMs = Math.min(LONGEST_LIST_PAUSE_MS, this.#listMs / LIST_SHARE);
    if (isSame && at - this.#listedAt < pauseMs) return false;
    const { text: summary, hasFees, size } = await fetchSummary(line);
    const run = await this.#findRun(line, name);
    const isRecent = at - this.#listedAt < (hasFees && !this.#isSentWrong ? TRUST_FEES_MS : TRUST_MS);
    const isTrusted = run === null && isSame && this.#gone.length === 0 && isRecent;
    const wanted = await step.wanted();
    // A payment may leave a block and be replaced in another one between two equal summaries: it is gone.
    const isWhole = wanted.every((txid) => this.#listed.has(txid));
    if (isTrusted && isWhole && summary !== null && summary === this.#summary) return true;
    const started = this.#now();
    const list = run === null ? await listIds(line) : await listNumberedIds(line);
    this.#listedAt = this.#now();
    this.#listMs = this.#listedAt - started;
    if (typeof size === "number" && list.txids.length < size * LEAST_PART)
      await refuseShortList(line, list.txids.length);
    this.#apply(list.txids, wanted);
    this.#followed = run === null ? null : { run, next: list.next, isAligned: false };
    this.#summary = summary;
    this.#node = name;
    return true;
  }

  /** Returns the run of changes that can follow a list. Null: the node publishes no changes. */
  async #findRun(line: CoreNode, name: string): Promise<number | null> {
    const run = this.#changes(name)?.run() ?? null;
    if (run === null) return null;
    if (this.#asked?.run !== run) this.#asked = { run, publishes: await publishesChanges(line) };
    return this.#asked.publishes ? run : null;
  }

  #apply(txids: readonly string[], wanted: readonly string[]): void {
    const current = new Set(txids);
    const isDue = (txid: string) => current.has(txid) && !this.#fetched.has(txid);
    const fresh = txids.filter((txid) => !this.#fetched.has(txid) && !this.#listed.has(txid));
    if (this.#number === 0) this.#backlog = fresh;
    else {
      // A transaction that left when it was fetched and is back, or that was sent wrong, is in neither queue.
      const queued = new Set([...this.#arrivals, ...this.#backlog]);
      const again = txids.filter((txid) => this.#listed.has(txid) && !queued.has(txid) && isDue(txid));
      this.#backlog = this.#backlog.filter(isDue);
      this.#arrivals = [...again, ...this.#arrivals.filter(isDue), ...fresh];
    }
    this.#arrivals.push(...wanted.filter(isDue));
    this.#gone = wanted.filter((txid) => !current.has(txid));
    this.#left = new Set(this.#gone);
    this.#listed = current;
    this.#number += 1;
    this.#isOff = false;
    this.#isSentWrong = false;
    this.#checkedAt = this.#listedAt;
    this.#fetched.forgetAllBut(current);
  }

  /** Applies what changed since. "unknown": that leaves open what the mempool is, and a list is needed. */
  async #follow(line: CoreNode, changes: MempoolChanges, step: MempoolStep): Promise<Knowledge> {
    const followed = this.#followed;
    if (followed === null) return "unknown";
    // Until the end: what fails in between leaves taken changes unapplied.
    this.#followed = null;
    const wanted = await step.wanted();
    const taken = skipOld(changes.take(), followed);
    const blocks = taken.flatMap((change) => (change.kind === "connected" ? [change.blockHash] : []));
    if (blocks.length > MAX_BLOCKS) return "unknown";
    const confirmed = await fetchBlockIds(line, [...new Set(blocks)]);
    if (!taken.every((change) => this.#change(change, followed, confirmed))) return "unknown";
    this.#gone = wanted.filter((txid) => !this.#listed.has(txid));
    // A transaction that this list never named may be on its way back from a block.
    if (!this.#gone.every((txid) => this.#left.has(txid))) return "unknown";
    if (taken.length > 0 || this.#gone.length > 0) this.#number += 1;
    if (taken.length > 0) this.#isOff = false;
    const known = taken.length > 0 ? "true" : await this.#checkSize(line);
    if (known !== "unknown") this.#followed = followed;
    return known;
  }

  /** Applies one change. Returns false when others are missing before it. */
  #change(
    change: MempoolChange,
    followed: Followed,
    confirmed: ReadonlyMap<string, readonly string[]>,
  ): boolean {
    if ("blockHash" in change) return this.#changeBlock(change, followed, confirmed);
    const { kind, txid, number } = change;
    if (number !== followed.next) return false;
    followed.next += 1;
    followed.isAligned = true;
    if (kind === "removed") this.#remove(txid);
    else {
      this.#listed.add(txid);
      this.#left.delete(txid);
      this.#arrivals.push(txid);
    }
    return true;
  }

  #changeBlock(
    { kind, blockHash }: BlockChange,
    followed: Followed,
    confirmed: ReadonlyMap<string, readonly string[]>,
  ): boolean {
    if (kind === "disconnected") {
      // Its transactions wait again, or will soon. Only a list shows it.
      this.#left.clear();
      return true;
    }
    const inBlock = confirmed.get(blockHash);
    if (inBlock === undefined) return false;
    const left = inBlock.filter((txid) => this.#listed.has(txid));
    // The block may be older than a list that names what was in it.
    if (left.length > 0 && !followed.isAligned) return false;
    for (const txid of left) this.#remove(txid);
    followed.next += left.length;
    return true;
  }

  #remove(txid: string): void {
    this.#listed.delete(txid);
    if (this.#fetched.paysUs(txid)) this.#left.add(txid);
    this.#fetched.forget(txid);
  }

  /** Compares the size of a quiet mempool from time to time: a broken connection may report nothing of it. */
  async #checkSize(line: CoreNode): Promise<Knowledge> {
    const at = this.#now();
    if (!this.#isOff && at - this.#checkedAt < TRUST_MS) return "unchecked";
    this.#checkedAt = at;
    const { size } = await fetchSummary(line);
    const wasOff = this.#isOff;
    this.#isOff = size !== this.#listed.size;
    if (!this.#isOff) return "true";
    // Once may be a change that is on its way.
    return wasOff ? "unknown" : "unchecked";
  }

  /**
   * Fetches some ids. After a failure, which is returned, they wait behind the other arrivals. Transactions that the node
   * sent wrong wait for the next list.
   */
  async take(
    count: number,
    fetch: (txids: readonly string[]) => Promise<NodeError | null>,
  ): Promise<NodeError | null> {
    const txids = new Set<string>();
    while (txids.size < count) {
      const txid = this.#arrivals.pop() ?? this.#backlog.pop();
      if (txid === undefined) break;
      if (this.#listed.has(txid) && !this.#fetched.has(txid)) txids.add(txid);
    }
    if (txids.size === 0) return null;
    let failure: unknown = null;
    try {
      failure = await fetch([...txids]);
    } catch (error) {
      failure = error;
    }
    const isSentWrong = failure instanceof NodeError && failure.kind === "malformed";
    if (isSentWrong) this.#isSentWrong = true;
    const missing = [...txids].filter((txid) => !this.#fetched.has(txid));
    if (failure !== null && !isSentWrong) this.#arrivals.unshift(...missing);
    // It lists what it does not have: the list is old, or two nodes answered.
    if (failure === null && missing.length > 0) this.#summary = null;
    if (failure === null || failure instanceof NodeError) return failure;
    throw failure;
  }

  /** Fetches them once more. */
  retake(txids: readonly string[]): void {
    this.#arrivals.push(...txids.filter((txid) => this.#listed.has(txid)));
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

/** Returns the changes after the list, which follows those with a lower number and what was before them. */
function skipOld(changes: readonly MempoolChange[], { next, isAligned }: Followed): readonly MempoolChange[] {
  if (isAligned) return changes;
  return changes.slice(changes.findLastIndex((change) => "number" in change && change.number < next) + 1);
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
