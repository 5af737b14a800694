/** A size after a refusal: calls of one method in a batch, or blocks in one request for logs. */
interface LearnedSize {
  readonly size: number;
  /** When it was learned, in milliseconds of one clock. */
  readonly since: number;
}

/** Blocks in one request for logs, among the sizes that a node refused. */
export const LOG_SPAN = "blocks of eth_getLogs";

const GROW_EVERY_MS = 300_000;
const GROW_BY = 1.5;

/** The size to try now. It grows by a half every five minutes up to `largest`, because limits can be raised. */
function growSize({ size, since }: LearnedSize, largest: number, now: number): number {
  const steps = Math.max(0, Math.floor((now - since) / GROW_EVERY_MS));
  return Math.min(largest, Math.ceil(size * GROW_BY ** steps));
}

/** The sizes that one node refused as too large, by method. They are kept as long as the process runs. */
export interface LearnedSizes {
  /** The largest size to ask for. */
  get(key: string, largest: number): number;
  /** Remembers that not more than `size` is taken. */
  shrink(key: string, size: number): void;
}

export function openLearnedSizes(now: () => number = () => performance.now()): LearnedSizes {
  const learned = new Map<string, LearnedSize>();
  return {
    get(key, largest) {
      const known = learned.get(key);
      return known ? growSize(known, largest, now()) : largest;
    },
    shrink(key, size) {
      learned.set(key, { size: Math.max(1, Math.floor(size)), since: now() });
    },
  };
}
