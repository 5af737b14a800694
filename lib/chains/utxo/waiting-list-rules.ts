import type { BlockChange, MempoolChange } from "./types.ts";

/** Changes that follow a list. */
export interface Followed {
  /** See MempoolChanges.run. */
  readonly run: number;
  /** The number of the next change. Core counts each transaction that comes or leaves. */
  readonly next: number;
  /** A change was the next one: none before the list can come any more. */
  readonly isAligned: boolean;
}

/** The transactions that were fetched, as the list needs them. */
export interface FetchedIds {
  has(txid: string): boolean;
  paysUs(txid: string): boolean;
  forget(txid: string): void;
  forgetAllBut(listed: ReadonlySet<string>): void;
}

/** The ids of all waiting transactions of a node, and which of them are to be fetched. */
export interface WaitingState {
  /** Null before the first list. */
  readonly node: string | null;
  /** Number of the list; it rises with each list and each change. */
  readonly number: number;
  readonly listed: Set<string>;
  /** The wanted transactions that the list does not name. */
  readonly gone: readonly string[];
  /** Both are taken from the end. */
  readonly arrivals: string[];
  readonly backlog: string[];
  /** The ids that are being fetched. */
  readonly asking: ReadonlySet<string>;
  /** The newest block that was read, and the node's summary of its mempool, before the list. Null: the list is not known to be true. */
  readonly summary: string | null;
  /** Null: a list is needed. */
  readonly followed: Followed | null;
  /** Transactions that paid us and left since the list was taken, or that the list did not name. */
  readonly left: Set<string>;
  /** The size that the node reported was not the list's, and no change explained it. */
  readonly isOff: boolean;
  /** The node sent a transaction wrong, which the next list asks for again. */
  readonly isSentWrong: boolean;
}

/** The state before the first list. */
export const createWaitingState = (): WaitingState => ({
  node: null,
  number: 0,
  listed: new Set(),
  gone: [],
  arrivals: [],
  backlog: [],
  asking: new Set(),
  summary: null,
  followed: null,
  left: new Set(),
  isOff: false,
  isSentWrong: false,
});

/** Something that happened to the list. */
export type WaitingEvent =
  /** The changes no longer follow the list, or an answer about them is under way, which may fail. */
  | { readonly kind: "unfollowed" }
  | ({ readonly kind: "listed" } & List)
  | ({ readonly kind: "changed"; readonly followed: Followed } & Changes)
  /** The node reported the size of a quiet mempool. */
  | { readonly kind: "sized"; readonly followed: Followed | null; readonly size: unknown }
  /** The next transactions are to be fetched: `asking`. */
  | { readonly kind: "asked"; readonly count: number }
  /** The fetch of `asking` ended. "malformed": the node sent a transaction wrong. */
  | { readonly kind: "answered"; readonly failure: "malformed" | "other" | null }
  /** Transactions must be fetched once more. */
  | { readonly kind: "retaken"; readonly txids: readonly string[] };

interface List {
  readonly node: string;
  readonly txids: readonly string[];
  /** The transactions whose deposits wait for a block. */
  readonly wanted: readonly string[];
  readonly summary: string | null;
  readonly followed: Followed | null;
}

interface Changes {
  /** The changes after the list (skipOld), oldest first. */
  readonly changes: readonly MempoolChange[];
  /** The transactions of each block in them that the node has. */
  readonly confirmed: ReadonlyMap<string, readonly string[]>;
  readonly wanted: readonly string[];
}

/**
 * Returns the state after an event. The state that is given must not be used again: a mempool has hundreds of thousands of ids, so its
 * sets and queues are changed in place. `fetched` forgets the transactions that left.
 */
export function step(state: WaitingState, event: WaitingEvent, fetched: FetchedIds): WaitingState {
  switch (event.kind) {
    case "unfollowed":
      return { ...state, followed: null };
    case "listed":
      return applyList(state, event, fetched);
    case "changed":
      return applyChanges(state, event, fetched);
    case "sized": {
      const isOff = event.size !== state.listed.size;
      // Once may be a change that is on its way.
      return { ...state, isOff, followed: isOff && state.isOff ? null : event.followed };
    }
    case "asked":
      return { ...state, asking: takeNext(state, event.count, fetched) };
    case "answered":
      return applyAnswer(state, event.failure, fetched);
    case "retaken":
      state.arrivals.push(...event.txids.filter((txid) => state.listed.has(txid)));
      return state;
  }
}

/** Returns the changes after the list, which follows those with a lower number and what was before them. */
export function skipOld(
  changes: readonly MempoolChange[],
  { next, isAligned }: Followed,
): readonly MempoolChange[] {
  if (isAligned) return changes;
  return changes.slice(changes.findLastIndex((change) => "number" in change && change.number < next) + 1);
}

function applyList(
  state: WaitingState,
  { kind, txids, wanted, ...list }: List & { kind: "listed" },
  fetched: FetchedIds,
): WaitingState {
  const listed = new Set(txids);
  const isDue = (txid: string) => listed.has(txid) && !fetched.has(txid);
  const fresh = txids.filter((txid) => !fetched.has(txid) && !state.listed.has(txid));
  let { arrivals, backlog } = state;
  if (state.number === 0) backlog = fresh;
  else {
    // A transaction that left when it was fetched and is back, or that was sent wrong, is in neither queue.
    const queued = new Set([...arrivals, ...backlog]);
    const again = txids.filter((txid) => state.listed.has(txid) && !queued.has(txid) && isDue(txid));
    backlog = backlog.filter(isDue);
    arrivals = [...again, ...arrivals.filter(isDue), ...fresh];
  }
  arrivals.push(...wanted.filter(isDue));
  const gone = wanted.filter((txid) => !listed.has(txid));
  fetched.forgetAllBut(listed);
  const known = { ...list, listed, arrivals, backlog, gone, left: new Set(gone) };
  return { ...state, ...known, number: state.number + 1, isOff: false, isSentWrong: false };
}

/** Applies what changed since. The changes follow no longer if that leaves open what the mempool is. */
function applyChanges(
  state: WaitingState,
  { followed, changes, confirmed, wanted }: Changes & { readonly followed: Followed },
  fetched: FetchedIds,
): WaitingState {
  // It is of the list before them.
  const summary = changes.length > 0 ? null : state.summary;
  const unknown = { ...state, summary, followed: null };
  let at: Followed | null = followed;
  for (const change of changes) {
    at = applyChange(state, { change, at, confirmed }, fetched);
    if (at === null) return unknown;
  }
  const gone = wanted.filter((txid) => !state.listed.has(txid));
  // A transaction that this list never named may be on its way back from a block.
  if (!gone.every((txid) => state.left.has(txid))) return { ...unknown, gone };
  const number = state.number + (changes.length > 0 || gone.length > 0 ? 1 : 0);
  return { ...state, number, gone, summary, isOff: state.isOff && changes.length === 0, followed: at };
}

/** Applies one change. Null when others are missing before it. */
function applyChange(
  state: WaitingState,
  {
    change,
    at,
    confirmed,
  }: { readonly change: MempoolChange; readonly at: Followed; readonly confirmed: Changes["confirmed"] },
  fetched: FetchedIds,
): Followed | null {
  if ("blockHash" in change) return applyBlock(state, { change, at, confirmed }, fetched);
  const { kind, txid, number } = change;
  if (number !== at.next) return null;
  if (kind === "removed") remove(state, txid, fetched);
  else {
    state.listed.add(txid);
    state.left.delete(txid);
    state.arrivals.push(txid);
  }
  return { ...at, next: at.next + 1, isAligned: true };
}

function applyBlock(
  state: WaitingState,
  {
    change: { kind, blockHash },
    at,
    confirmed,
  }: { readonly change: BlockChange; readonly at: Followed; readonly confirmed: Changes["confirmed"] },
  fetched: FetchedIds,
): Followed | null {
  if (kind === "disconnected") {
    // Its transactions wait again, or will soon. Only a list shows it.
    state.left.clear();
    return at;
  }
  const inBlock = confirmed.get(blockHash);
  if (inBlock === undefined) return null;
  const left = inBlock.filter((txid) => state.listed.has(txid));
  // The block may be older than a list that names what was in it.
  if (left.length > 0 && !at.isAligned) return null;
  for (const txid of left) remove(state, txid, fetched);
  return { ...at, next: at.next + left.length };
}

function remove({ listed, left }: WaitingState, txid: string, fetched: FetchedIds): void {
  listed.delete(txid);
  if (fetched.paysUs(txid)) left.add(txid);
  fetched.forget(txid);
}

/** Takes the newest arrivals out of their queue, then the backlog. */
function takeNext(
  { arrivals, backlog, listed }: WaitingState,
  count: number,
  fetched: FetchedIds,
): Set<string> {
  const txids = new Set<string>();
  while (txids.size < count) {
    const txid = arrivals.pop() ?? backlog.pop();
    if (txid === undefined) break;
    if (listed.has(txid) && !fetched.has(txid)) txids.add(txid);
  }
  return txids;
}

/**
 * After a failure the transactions that are missing wait behind the other arrivals. Those that the node sent wrong wait for the next
 * list.
 */
function applyAnswer(
  state: WaitingState,
  failure: "malformed" | "other" | null,
  fetched: FetchedIds,
): WaitingState {
  const missing = [...state.asking].filter((txid) => !fetched.has(txid));
  if (failure === "other") state.arrivals.unshift(...missing);
  const isSentWrong = state.isSentWrong || failure === "malformed";
  // It lists what it does not have: the list is old, or two nodes answered.
  const summary = failure === null && missing.length > 0 ? null : state.summary;
  return { ...state, asking: new Set(), isSentWrong, summary };
}
