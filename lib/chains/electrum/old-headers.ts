import { NodeError } from "../network.ts";
import type { HeaderChain } from "./header-chain.ts";
import { type Header, parseHeaders } from "./headers.ts";

/** Headers in one answer (protocol: blockchain.block.headers). */
export const MOST_HEADERS = 2016;
/** Parts that are kept. A catch-up reads them upwards, several histories in any order. */
const KEPT_PARTS = 4;

/** Headers below the chain that is held. */
export interface OldHeaders {
  /** The header at a height below `chain.base`. Throws NodeError. */
  read(height: number, chain: HeaderChain): Promise<Header | null>;
}

/**
 * Reads old headers in parts of `MOST_HEADERS`, downwards from the lowest one that is held. Each header's hash is the
 * parent of the one above it, which proves it without its work, however old it is. Of parts that were left only the hash
 * of the next part's newest header is kept.
 */
export function createOldHeaders(
  name: string,
  fetch: (from: number, count: number) => Promise<Buffer>,
): OldHeaders {
  let lowest: Header | null = null;
  /** The hash of the newest header of each part that can be read. */
  let newest: string[] = [];
  let kept = new Map<number, readonly Header[]>();
  let turn: Promise<unknown> = Promise.resolve();

  async function readPart(part: number, base: number): Promise<readonly Header[]> {
    const known = kept.get(part);
    if (known !== undefined) return known;
    const above = base - part * MOST_HEADERS;
    const from = Math.max(0, above - MOST_HEADERS);
    const headers = parseHeaders(await fetch(from, above - from));
    let expected = newest[part];
    for (const { hash, parentHash } of headers.toReversed()) {
      if (hash !== expected) throw new NodeError("malformed", `${name} sent old headers of another chain`);
      expected = parentHash;
    }
    newest[part + 1] = expected ?? "";
    kept.set(part, headers);
    for (const one of kept.keys()) if (kept.size > KEPT_PARTS) kept.delete(one);
    return headers;
  }

  async function read(height: number, chain: HeaderChain): Promise<Header | null> {
    const first = chain.at(chain.base);
    if (first === null || height < 0 || height >= chain.base) return null;
    if (lowest?.hash !== first.hash) [lowest, newest, kept] = [first, [first.parentHash], new Map()];
    const wanted = Math.floor((chain.base - 1 - height) / MOST_HEADERS);
    for (let part = Math.min(wanted, newest.length - 1); part < wanted; part++)
      await readPart(part, chain.base);
    const above = chain.base - wanted * MOST_HEADERS;
    return (await readPart(wanted, chain.base))[height - Math.max(0, above - MOST_HEADERS)] ?? null;
  }
  return {
    read(height, chain) {
      const done = turn.then(() => read(height, chain));
      turn = done.catch(() => {});
      return done;
    },
  };
}
