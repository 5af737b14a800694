import { NodeError } from "../node-error.ts";
import type { Header } from "./headers.ts";

/** The newest part of one server's chain of headers. Every header was checked (headers.ts). */
export interface HeaderChain {
  /** Height of the lowest header held. */
  readonly base: number;
  /** Height of the newest. Below `base`: nothing is held. */
  readonly height: number;
  at(height: number): Header | null;
}

/** Holds the headers from `base` on. */
export function createChain(base: number, headers: readonly Header[]): HeaderChain {
  return { base, height: base + headers.length - 1, at: (height) => headers[height - base] ?? null };
}

/** Returns the chain up to `below - 1`, followed by the headers from `below` on. */
export function replaceAbove(chain: HeaderChain, below: number, headers: readonly Header[]): HeaderChain {
  return createChain(chain.base, [...listHeaders(chain, chain.base, below - 1), ...headers]);
}

function listHeaders(chain: HeaderChain, from: number, to: number): Header[] {
  const headers: Header[] = [];
  for (let height = from; height <= to; height++) {
    const header = chain.at(height);
    if (header) headers.push(header);
  }
  return headers;
}

/** The newest header. */
export function tipOf(chain: HeaderChain): Header {
  const tip = chain.at(chain.height);
  if (!tip) throw new NodeError("unreachable", "the server has sent no headers yet");
  return tip;
}

/** The newest height at which both have the same block. One below the part that both hold: none of it. */
export function findCommonHeight(a: HeaderChain, b: HeaderChain): number {
  const lowest = Math.max(a.base, b.base);
  let height = Math.min(a.height, b.height);
  while (height >= lowest && a.at(height)?.hash !== b.at(height)?.hash) height -= 1;
  return height;
}

/** Positive: more work went into `a`, above what both share, than into `b`. 0: they end in the same block or in equal work. */
export function compareWork(a: HeaderChain, b: HeaderChain): number {
  const common = findCommonHeight(a, b);
  const work = (chain: HeaderChain) =>
    listHeaders(chain, common + 1, chain.height).reduce((sum, header) => sum + header.work, 0n);
  const difference = work(a) - work(b);
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

/** Blocks that are remembered as replaced. */
const MOST_REPLACED = 10_000;

/** Remembers which blocks a chain with more work has replaced: servers show no block that is not in their chain. */
export interface ReplacedBlocks {
  /** Notes the chain that is read now. */
  note(chain: HeaderChain): void;
  /** Whether this block was replaced, and is not in the chain that is read now. */
  has(block: { readonly height: number; readonly hash: string }, chain: HeaderChain): boolean;
}

export function createReplacedBlocks(): ReplacedBlocks {
  let heaviest: HeaderChain | null = null;
  const replaced = new Set<string>();
  return {
    note(chain) {
      const before = heaviest;
      const more = before === null ? 1 : compareWork(chain, before);
      if (more < 0) return;
      heaviest = chain;
      if (before === null || more === 0) return;
      const common = findCommonHeight(chain, before);
      for (const { hash } of listHeaders(before, common + 1, before.height)) replaced.add(hash);
      for (const hash of replaced) {
        if (replaced.size <= MOST_REPLACED) return;
        replaced.delete(hash);
      }
    },
    has: ({ height, hash }, chain) => replaced.has(hash) && chain.at(height)?.hash !== hash,
  };
}
