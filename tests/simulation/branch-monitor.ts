import type { Process } from "./scheduler.ts";

const MOVES_CURSOR = /^update "watch_cursors" set "height" = \$1, "hash" = \$2/;

/**
 * Finds a process that leaves the branch of one node for that of another which is not longer: it would revert what it has
 * credited, for nothing.
 */
export class BranchMonitor {
  readonly problems: string[];
  /** The nodes that showed a block to a process. */
  readonly #places = new Map<string, Set<number>>();

  constructor(problems: string[]) {
    this.problems = problems;
  }

  onShown({ name }: Process, place: number, hash: string): void {
    const key = `${name} ${hash}`;
    this.#places.set(key, new Set([...(this.#places.get(key) ?? []), place]));
  }

  onStatement({ name }: Process, text: string, values: readonly unknown[]): void {
    if (!MOVES_CURSOR.test(text)) return;
    const [height, hash] = values as [number, string];
    const [fromHeight, fromHash] = values.slice(-2) as [number, string];
    const before = this.#places.get(`${name} ${fromHash}`);
    const after = this.#places.get(`${name} ${hash}`);
    // A node may leave its own branch for another one.
    if (before === undefined || after === undefined || [...before].some((place) => after.has(place))) return;
    if (hash === fromHash || Number(height) > Number(fromHeight)) return;
    this.problems.push(
      `${name} left block ${fromHeight} of node ${[...before].join()} for block ${height} of node ${[...after].join()}, and no longer branch`,
    );
  }
}
