import { NodeError } from "../network.ts";
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

export function listHeaders(chain: HeaderChain, from: number, to: number): Header[] {
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
