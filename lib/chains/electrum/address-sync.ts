import { hash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { AddressBook } from "../address-book.ts";
import type { NodeNews } from "../mempool-reader.ts";
import { NodeError } from "../node-error.ts";
import { parseFields, parseList } from "../parse-json.ts";
import { parseHash, parseInteger } from "../utxo/parse-json.ts";
import {
  busy,
  createProver,
  type HistoryEntry,
  isBusy,
  type ProverOptions,
  type WaitingTransaction,
} from "./prove-transaction.ts";
import type { ElectrumSession } from "./session.ts";

/** Histories and subscriptions under way at once. A server holds each answer back for up to a second. */
const IN_FLIGHT = 50;
const RETRY_MS = 500;
/** Times that a history may fail before the connection is given up. */
const MAX_FAILURES = 5;
const BUSY_PAUSE_MS = 2_000;
/** Times that a history is read again that is not what the server reported: its node may be a few seconds ahead of its reports. */
const MOST_DOUBTS = 20;

/** The state that outlives a connection. */
export interface SyncMemory {
  /** The status of each script hash up to which its history was read. */
  readonly statuses: Map<string, string | null>;
  /** The highest block that the history of each script hash named. */
  readonly highest: Map<string, number>;
  /** Script hashes whose history this server does not send. */
  readonly tooLong: Set<string>;
}

export interface SyncOptions extends ProverOptions {
  /** Hashes of the blocks that deposits are recorded in. Payments in them need no second proof. */
  readonly findRecordedBlocks: AddressBook["findRecordedBlocks"];
  readonly memory: SyncMemory;
  readonly onNews: (news: NodeNews) => void;
  readonly onTooLong: (scriptHash: string) => void;
}

/** Reads what one server knows of our addresses, over one connection. */
export interface AddressSync {
  /** Subscribes to these script hashes, unless that is done, and reads their histories where they changed. */
  watch(scriptHashes: Iterable<string>): void;
  /** Reads these histories again: their status changed, or blocks that held them were replaced. */
  touch(scriptHashes: Iterable<string>): void;
  /** Reads these histories, and proves what they name only where they changed since. */
  glance(scriptHashes: Iterable<string>): void;
  /** Resolves when nothing is left to read. Throws when the connection ended. */
  idle(): Promise<void>;
  waiting(): readonly WaitingTransaction[];
  /** Reads the histories again that named a block above this height. */
  touchAbove(height: number): void;
  /** The server reported that this history changed. */
  notify(scriptHash: string, status: unknown): void;
  /** Reads the histories again that were not what the server had reported, or whose old entries are not proven yet. */
  touchUnfinished(): void;
  /** Proves a transaction at a height, unless that was done. Throws NodeError. */
  prove(entry: HistoryEntry): Promise<boolean>;
}

export function createAddressSync(session: ElectrumSession, options: SyncOptions): AddressSync {
  const { memory, onNews } = options;
  const subscribed = new Set<string>();
  const waiting = new Map<string, readonly WaitingTransaction[]>();
  const reports = createReports(session.name);
  /** The script hashes with old entries that are not proven yet. The one that was read last is the last. */
  const unproven = new Set<string>();
  const reader = createHistoryReader(session, options);

  async function readHistory(scriptHash: string, isGlance: boolean): Promise<void> {
    const known = isGlance && isSteady(scriptHash) ? memory.statuses.get(scriptHash) : null;
    const read = await reader.read(scriptHash, known ?? null);
    if (read === "unchanged") return;
    if (read !== null) reports.compare(scriptHash, read.status);
    if (read === null) {
      if (!memory.tooLong.has(scriptHash)) options.onTooLong(scriptHash);
      memory.tooLong.add(scriptHash);
    } else {
      memory.tooLong.delete(scriptHash);
      unproven.delete(scriptHash);
      if (!read.isProven) unproven.add(scriptHash);
      // The connection's end forgets waiting transactions, so that they are read again.
      if (read.waiting.length > 0 || !read.isProven) memory.statuses.delete(scriptHash);
      else memory.statuses.set(scriptHash, read.status);
    }
    if (read !== null && read.waiting.length > 0) waiting.set(scriptHash, read.waiting);
    else waiting.delete(scriptHash);
    onNews("transaction");
  }
  /** A block that was replaced while there was no connection can leave the status of a history that is not subscribed to. */
  function isSteady(scriptHash: string): boolean {
    return subscribed.has(scriptHash) || (memory.highest.get(scriptHash) ?? 0) < session.chain().base;
  }
  /** Returns whether the history must be read. */
  async function subscribe(scriptHash: string): Promise<boolean> {
    const answer = await session.ask("blockchain.scripthash.subscribe", [scriptHash]);
    if (!answer.ok && isBusy(answer.code)) throw busy(session.name, answer.message);
    subscribed.add(scriptHash);
    if (answer.ok) reports.add(scriptHash, answer.result);
    // An error: its history is too long for this server.
    if (!answer.ok || answer.result !== (memory.statuses.get(scriptHash) ?? null)) return true;
    // While there was no connection, a block may have been replaced by one with the same transaction: an equal status.
    const highest = memory.highest.get(scriptHash);
    return highest !== undefined && highest >= session.chain().base;
  }
  const queue = createQueue(session, { readHistory, subscribe });
  return {
    watch: (scriptHashes) => queue.subscribe([...scriptHashes].filter((one) => !subscribed.has(one))),
    touch: queue.read,
    glance: queue.glance,
    notify(scriptHash, status) {
      reports.add(scriptHash, status);
      queue.read([scriptHash]);
    },
    touchUnfinished() {
      queue.read(reports.listDoubtful());
      // One for each part that may be asked for: its history costs the server something, too.
      if (!options.budget.isSpent()) queue.read([...unproven].slice(0, 1));
    },
    touchAbove: (height) =>
      queue.read([...memory.highest].filter(([, highest]) => highest > height).map(([one]) => one)),
    idle: queue.idle,
    waiting: () => [...waiting.values()].flat(),
    prove: (entry) => reader.prove(entry, null),
  };
}

/** Compares each history with the status that the server reported of it. */
function createReports(name: string) {
  const reported = new Map<string, unknown>();
  /** How often histories were read that had another status. */
  const doubtful = new Map<string, number>();
  return {
    add(scriptHash: string, status: unknown) {
      reported.set(scriptHash, status);
      doubtful.delete(scriptHash);
    },
    /** A history may change between report and answer. A history that is empty by fault would hide a payment. */
    compare(scriptHash: string, status: string | null) {
      const expected = reported.get(scriptHash) ?? null;
      const times = (doubtful.get(scriptHash) ?? 0) + 1;
      if (!reported.has(scriptHash) || expected === status || times > MOST_DOUBTS)
        doubtful.delete(scriptHash);
      else doubtful.set(scriptHash, times);
      if (expected === null || status !== null) return;
      throw new NodeError("inconsistent", `${name} sent no history of an address that it reported as used`);
    },
    listDoubtful: () => [...doubtful.keys()],
  };
}

interface QueueWork {
  /** `isGlance`: one that did not change needs no proof. */
  readHistory(scriptHash: string, isGlance: boolean): Promise<void>;
  subscribe(scriptHash: string): Promise<boolean>;
}

/** Does the work for many script hashes at once, histories and subscriptions in turns, and again after a failure. */
function createQueue(session: ElectrumSession, { readHistory, subscribe }: QueueWork) {
  const requests = createRequests();
  const { toSubscribe, toRead } = requests;
  /** The script hashes of `toRead` that are glances. */
  const glanced = new Set<string>();
  const attempt = createAttempts((scriptHash) => glanced.delete(scriptHash));
  let workers = 0;
  let failure: unknown = null;

  const readOne = (entry: Entry) =>
    attempt(entry, toRead, () => readHistory(entry[0], glanced.delete(entry[0])));
  const subscribeOne = (entry: Entry) =>
    attempt(entry, toSubscribe, async () => {
      const [scriptHash, request] = entry;
      if (!(await subscribe(scriptHash))) return;
      glanced.delete(scriptHash);
      put(toRead, scriptHash, request);
    });
  async function work(): Promise<void> {
    try {
      for (let turn = 0; ; turn++) {
        // In turns: histories may be asked for all the time, and an address that is not subscribed to may be paid.
        let known = turn % 2 === 0 ? requests.take(toRead) : undefined;
        const fresh = known === undefined ? requests.take(toSubscribe) : undefined;
        if (fresh === undefined) known ??= requests.take(toRead);
        if (known !== undefined) await requests.during(known, () => readOne(known));
        else if (fresh === undefined) return;
        else await requests.during(fresh, () => subscribeOne(fresh));
      }
    } catch (error) {
      failure ??= error;
      session.close(toNodeError(error));
    } finally {
      // In the turn that finds nothing left: what comes later starts another worker.
      workers -= 1;
      requests.wake();
    }
  }
  function add(scriptHashes: Iterable<string>, to: Map<string, number>): void {
    requests.add(scriptHashes, to);
    // Also while others work: a history may take long.
    const missing = Math.min(IN_FLIGHT - workers, toRead.size + toSubscribe.size);
    for (let nth = 0; nth < missing; nth++) {
      workers += 1;
      void work();
    }
  }
  return {
    subscribe: (scriptHashes: Iterable<string>) => add(scriptHashes, toSubscribe),
    read(scriptHashes: Iterable<string>) {
      const all = [...scriptHashes];
      for (const one of all) glanced.delete(one);
      add(all, toRead);
    },
    glance(scriptHashes: Iterable<string>) {
      const others = [...scriptHashes].filter((one) => !toRead.has(one));
      for (const one of others) glanced.add(one);
      add(others, toRead);
    },
    async idle() {
      await requests.ended(() => workers > 0 && failure === null);
      if (failure !== null) throw failure;
    },
  };
}

/** Puts back what a server's fault has failed, up to some times. */
function createAttempts(onFault: (scriptHash: string) => void) {
  const failures = new Map<string, number>();
  return async ([scriptHash, request]: Entry, again: Map<string, number>, work: () => Promise<void>) => {
    try {
      await work();
      failures.delete(scriptHash);
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      put(again, scriptHash, request);
      onFault(scriptHash);
      const count = (failures.get(scriptHash) ?? 0) + 1;
      if (error.kind === "rate_limited") return delay(BUSY_PAUSE_MS);
      if (error.kind === "unreachable" || count >= MAX_FAILURES) throw error;
      failures.set(scriptHash, count);
      await delay(RETRY_MS);
    }
  };
}

/** A script hash, with the number of the oldest request that waits for it. */
type Entry = readonly [scriptHash: string, request: number];

/** Numbers the requests, so that one can wait for those of before. */
function createRequests() {
  const toSubscribe = new Map<string, number>();
  const toRead = new Map<string, number>();
  const inFlight = new Map<string, number>();
  const wakes: (() => void)[] = [];
  let newest = 0;
  const wake = () => {
    for (const one of wakes.splice(0)) one();
  };
  return {
    toSubscribe,
    toRead,
    wake,
    add(scriptHashes: Iterable<string>, to: Map<string, number>) {
      for (const one of scriptHashes) put(to, one, ++newest);
    },
    /** The first that is not under way: of two answers the older one may come last. The worker that ends the work under way takes it then. */
    take(from: Map<string, number>): Entry | undefined {
      for (const entry of from) {
        if (inFlight.has(entry[0])) continue;
        from.delete(entry[0]);
        return entry;
      }
      return undefined;
    },
    /** Until a failed one's pause is over, too. */
    async during([scriptHash, request]: Entry, work: () => Promise<void>) {
      inFlight.set(scriptHash, request);
      try {
        await work();
      } finally {
        inFlight.delete(scriptHash);
        wake();
      }
    },
    /** Waits for what was asked for before. More is asked for all the time, so that a slow server may never be idle. */
    async ended(isRunning: () => boolean) {
      const last = newest;
      const isOpen = () => [toRead, toSubscribe, inFlight].some((all) => hasUpTo(all, last));
      while (isRunning() && isOpen()) await new Promise<void>((resolve) => wakes.push(resolve));
    },
  };
}

function put(to: Map<string, number>, scriptHash: string, request: number): void {
  to.set(scriptHash, Math.min(request, to.get(scriptHash) ?? request));
}

function hasUpTo(entries: Iterable<Entry>, last: number): boolean {
  for (const [, request] of entries) if (request <= last) return true;
  return false;
}

const toNodeError = (error: unknown) =>
  error instanceof NodeError ? error : new NodeError("malformed", String(error));

function createHistoryReader(session: ElectrumSession, options: SyncOptions) {
  const { name } = session;
  const { fetchTransaction, isSettled, prove } = createProver(session, options);

  /** Null: the server does not send so long a history. `settled`: the status of a history that needs no proof. Null: each does. */
  async function read(scriptHash: string, settled: string | null) {
    const answer = await session.ask("blockchain.scripthash.get_history", [scriptHash]);
    if (!answer.ok) {
      if (isBusy(answer.code)) throw busy(name, answer.message);
      if (/too (large|long|big)|history/i.test(answer.message)) return null;
      throw new NodeError("refused", `${name} refused a history: ${answer.message} (${answer.code})`);
    }
    const entries = parseHistory(answer.result);
    if (settled !== null && computeStatus(entries) === settled) return "unchanged";
    const mined = entries.filter(({ height }) => height > 0);
    // Before anything is compared: a fork meanwhile reads it again.
    const highest = mined.reduce((most, { height }) => Math.max(most, height), -1);
    options.memory.highest.set(scriptHash, highest);
    await session.caughtUp();
    const recorded = await options.findRecordedBlocks(mined.map(({ txid }) => txid));
    const proofs = await Promise.all(
      mined.map(
        async (entry) =>
          (await isSettled(entry, recorded.get(entry.txid))) || (await prove(entry, scriptHash)),
      ),
    );
    const waiting = entries.filter(({ height }) => height <= 0);
    return {
      isProven: proofs.every((one) => one),
      status: computeStatus(entries),
      waiting: await Promise.all(waiting.map(({ txid }) => fetchTransaction(txid))),
    };
  }
  return { prove, read };
}

function parseHistory(answer: unknown): HistoryEntry[] {
  return parseList("a history", answer).map((entry) => {
    const { tx_hash, height } = parseFields("an entry of a history", entry);
    return { txid: parseHash("a transaction's hash", tx_hash), height: parseInteger("a height", height) };
  });
}

/** The protocol's digest of a history. Null: it is empty. */
function computeStatus(entries: readonly HistoryEntry[]): string | null {
  if (entries.length === 0) return null;
  return hash("sha256", entries.map(({ txid, height }) => `${txid}:${height}:`).join(""));
}
