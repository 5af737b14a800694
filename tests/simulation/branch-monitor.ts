const MOVES_CURSOR = /^update "watch_cursors" set "height" = \$1, "hash" = \$2/;

/** A node: its place among those of its network. */
interface ShownBy {
  readonly network: string;
  readonly place: number;
}

/**
 * Finds a cursor that leaves the branch of one node for that of another which is not longer: what is credited would be
 * reverted for nothing. Any process may have read what another one leaves.
 */
export class BranchMonitor {
  readonly problems: string[];
  /** The nodes that showed a block. */
  readonly #places = new Map<string, Set<number>>();
  /** The newest height that each node showed. */
  readonly #heights = new Map<string, number>();

  constructor(problems: string[]) {
    this.problems = problems;
  }

  onHead({ network, place }: ShownBy, height: number): void {
    this.#heights.set(`${network} ${place}`, height);
  }

  onShown({ network, place }: ShownBy, hash: string): void {
    const key = `${network} ${hash}`;
    this.#places.set(key, new Set([...(this.#places.get(key) ?? []), place]));
  }

  onStatement(process: string, text: string, values: readonly unknown[]): void {
    if (!MOVES_CURSOR.test(text)) return;
    const [height, hash] = values as [number, string];
    const [network, fromHeight, fromHash] = values.slice(-3) as [string, number, string];
    const before = this.#places.get(`${network} ${fromHash}`);
    const after = this.#places.get(`${network} ${hash}`);
    // A node may leave its own branch for another one.
    if (before === undefined || after === undefined || [...before].some((place) => after.has(place))) return;
    const isLonger = [...after].some(
      (place) => (this.#heights.get(`${network} ${place}`) ?? 0) > Number(fromHeight),
    );
    if (hash === fromHash || isLonger) return;
    this.problems.push(
      `${process} left block ${fromHeight} of node ${[...before].join()} for block ${height} of node ${[...after].join()}, and no longer branch`,
    );
  }
}
