import { NodeError } from "../node-error.ts";
import type { HeaderChain } from "./header-chain.ts";
import { type Header, parseHeaders } from "./headers.ts";

/** Headers in one answer (protocol: blockchain.block.headers). Part n has the headers from block n × this number on. */
export const MOST_HEADERS = 2016;
/** Parts that are kept. A catch-up reads them upwards, several histories in any order. */
const KEPT_PARTS = 4;

/** The memory of old headers that all connections of a network share. */
export interface OldHeaderMemory {
  /** The hash of the newest header of each part, without a gap. They come from the connection that has read the deepest. */
  newest: ReadonlyMap<number, string>;
}

/** Headers below the chain that is held. */
export interface OldHeaders {
  /** The header at a height below `chain.base`. Throws NodeError. */
  read(height: number, chain: HeaderChain): Promise<Header | null>;
  /** The same, within what the budget allows. "later": it is spent, and what was read is not lost. */
  readWithin(budget: HeaderBudget, height: number, chain: HeaderChain): Promise<Header | null | "later">;
}

/**
 * Reads old headers in parts, downwards from the lowest one that is held. Each header's hash is the parent of the one above
 * it, which proves it without its work, however old it is. When it leaves a part, only the hash of the next part's newest
 * header is kept, also for later connections: a server may close one that reads very many.
 */
export function createOldHeaders(
  name: string,
  fetch: (from: number, count: number) => Promise<Buffer>,
  memory: OldHeaderMemory = { newest: new Map() },
): OldHeaders {
  let lowest: Header | null = null;
  /** The lowest part that can be read, whose newest header is proven. */
  let reached = 0;
  let newest = new Map<number, string>();
  let kept = new Map<number, readonly Header[]>();
  let turn: Promise<unknown> = Promise.resolve();

  /** Begins at the lowest header that is held. */
  function begin(first: Header, base: number): void {
    if (lowest?.hash === first.hash) return;
    reached = partOf(base - 1);
    [lowest, newest, kept] = [first, new Map([[reached, first.parentHash]]), new Map()];
  }
  async function readPart(part: number, base: number): Promise<readonly Header[]> {
    const known = kept.get(part);
    if (known !== undefined) return known;
    const from = part * MOST_HEADERS;
    const headers = parseHeaders(await fetch(from, Math.min(base - from, MOST_HEADERS)));
    let expected = newest.get(part);
    for (const { hash, parentHash } of headers.toReversed()) {
      if (hash !== expected) throw new NodeError("malformed", `${name} sent old headers of another chain`);
      expected = parentHash;
    }
    kept.set(part, headers);
    for (const one of kept.keys()) if (kept.size > KEPT_PARTS) kept.delete(one);
    if (part === reached && part > 0) reach(part - 1, expected ?? "");
    return headers;
  }
  /** Continues from where another connection has been, if that was the same chain. */
  function reach(part: number, hash: string): void {
    newest.set(part, hash);
    const isSame = memory.newest.get(part) === hash;
    for (const [one, its] of isSame ? memory.newest : []) if (one < part) newest.set(one, its);
    reached = Math.min(...newest.keys());
    if (reached < Math.min(...memory.newest.keys())) memory.newest = newest;
  }
  async function read(
    height: number,
    chain: HeaderChain,
    mayAsk: () => boolean,
  ): Promise<Header | null | "later"> {
    const first = chain.at(chain.base);
    if (first === null || height < 0 || height >= chain.base) return null;
    begin(first, chain.base);
    const wanted = partOf(height);
    for (;;) {
      const part = Math.max(reached, wanted);
      if (!kept.has(part) && !mayAsk()) return "later";
      const headers = await readPart(part, chain.base);
      if (part === wanted) return headers[height - part * MOST_HEADERS] ?? null;
    }
  }
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work);
    turn = done.catch(() => {});
    return done;
  }
  return {
    read: (height, chain) => inTurn(() => read(height, chain, () => true)) as Promise<Header | null>,
    readWithin: (budget, height, chain) => inTurn(() => read(height, chain, budget.take)),
  };
}

const partOf = (height: number) => Math.floor(height / MOST_HEADERS);

/** How many parts with old headers a server is asked for. */
export interface HeaderLimits {
  readonly atOnce: number;
  /** Milliseconds after which it may be asked for one more. */
  readonly everyMs: number;
}

/**
 * A part costs about 106 units of e-x, which allows 1,000 units at once before it answers more slowly, closes a connection
 * after 10,000 and forgives one each second.
 */
const HEADER_LIMITS: HeaderLimits = { atOnce: 8, everyMs: 120_000 };

export interface HeaderBudget {
  /** Whether one more part may be asked for. It is then counted. */
  take(): boolean;
  isSpent(): boolean;
}

export function createHeaderBudget({ atOnce, everyMs } = HEADER_LIMITS): HeaderBudget {
  let left = atOnce;
  let since = performance.now();
  const refill = () => {
    const more = Math.floor((performance.now() - since) / everyMs);
    since += more * everyMs;
    left = Math.min(atOnce, left + more);
  };
  return {
    take() {
      refill();
      if (left === 0) return false;
      left -= 1;
      return true;
    },
    isSpent() {
      refill();
      return left === 0;
    },
  };
}
