import type { Random } from "./random.ts";

/** A transaction of the model. It pays one token. */
export interface ModelTransaction {
  readonly hash: string;
  /** The inputs that only one transaction of a chain can use: outpoints, or a sender's nonce. */
  readonly spends: readonly string[];
  readonly outputs: readonly { readonly address: string; readonly amount: bigint }[];
}

export interface ModelBlock {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly time: Date;
  readonly transactions: readonly ModelTransaction[];
}

/** The knowledge of a node: a chain and its waiting transactions. Never changed. */
export interface ChainState {
  /** The block of height n is at place n. */
  readonly blocks: readonly ModelBlock[];
  readonly waiting: readonly ModelTransaction[];
  readonly finalizedHeight: number;
}

const FIRST_BLOCKS = 8;
const BLOCK_SECONDS = 3;

export interface ChainKind {
  /** Blocks this far below the head are final, and no reorganization removes them. null: there is no finality. */
  readonly finalDepth: number | null;
  readonly deepestReorganization: number;
}

export const headOf = (state: ChainState): ModelBlock => state.blocks.at(-1) as ModelBlock;

/** The one chain of a history, as the whole network sees it. Nodes may lag behind it. */
export class ModelChain {
  readonly kind: ChainKind;
  state: ChainState;
  readonly #random: Random;
  readonly #now: () => number;
  /** When a transaction came into the block where it is now. */
  readonly minedAt = new Map<string, number>();
  /** Hashes of the transactions that were in a block at some time. */
  readonly everMined = new Set<string>();
  #hashes = 0;

  constructor(kind: ChainKind, random: Random, now: () => number) {
    this.kind = kind;
    this.#random = random;
    this.#now = now;
    this.state = { blocks: [], waiting: [], finalizedHeight: -1 };
    const start = now() - FIRST_BLOCKS * BLOCK_SECONDS * 1_000;
    for (let i = 0; i < FIRST_BLOCKS; i++) this.#append([], start + i * BLOCK_SECONDS * 1_000);
  }

  /** A hash as the families accept it. */
  newHash(): string {
    this.#hashes += 1;
    return this.#hashes.toString(16).padStart(64, "0");
  }

  /** Puts a transaction into the mempool. It replaces those that spend the same. Returns false if it is spent already. */
  send(transaction: ModelTransaction): boolean {
    const spent = new Set(transaction.spends);
    const excludes = (other: ModelTransaction) => other.spends.some((one) => spent.has(one));
    if (this.state.blocks.some(({ transactions }) => transactions.some(excludes))) return false;
    const waiting = this.state.waiting.filter((other) => !excludes(other));
    this.state = { ...this.state, waiting: [...waiting, transaction] };
    return true;
  }

  /** Mines a block of some or all waiting transactions. */
  mine(share = 0.8): void {
    const picked = this.#random.shuffled(this.state.waiting.filter(() => this.#random.chance(share)));
    this.state = { ...this.state, waiting: this.state.waiting.filter((one) => !picked.includes(one)) };
    this.#append(picked, this.#now());
  }

  /** The deepest reorganization that is possible now. */
  get deepest(): number {
    const { finalizedHeight } = this.state;
    const removable = headOf(this.state).height - Math.max(finalizedHeight, FIRST_BLOCKS - 1);
    return Math.max(0, Math.min(this.kind.deepestReorganization, removable));
  }

  /**
   * Replaces the newest blocks by more others. `forgets`: the share of transactions that no node keeps. The new blocks
   * have none, some or most of the others. `rewrite`: what the others do in the new blocks. `more`: how much higher the new
   * branch is. Nodes may still be on the former one.
   */
  reorganize(
    depth: number,
    {
      forgets,
      rewrite = (same) => same,
      more = 1,
    }: {
      readonly forgets: number;
      readonly rewrite?: ((transaction: ModelTransaction) => ModelTransaction) | undefined;
      readonly more?: number;
    },
  ): void {
    const share = this.#random.pick([0, 0, 0.8]);
    const kept = this.state.blocks.slice(0, this.state.blocks.length - depth);
    const removed = this.state.blocks.slice(kept.length).flatMap(({ transactions }) => transactions);
    for (const { hash } of removed) this.minedAt.delete(hash);
    const back = removed.filter(() => !this.#random.chance(forgets)).map(rewrite);
    this.state = { ...this.state, blocks: kept, waiting: [...back, ...this.state.waiting] };
    for (let i = 0; i < depth + more; i++) this.mine(share);
  }

  /** Forgets a waiting transaction. */
  drop(): void {
    const gone = this.#random.pickOrNull(this.state.waiting);
    this.state = { ...this.state, waiting: this.state.waiting.filter((one) => one !== gone) };
  }

  /** The transactions that are in the chain. */
  get mined(): readonly ModelTransaction[] {
    return this.state.blocks.flatMap(({ transactions }) => transactions);
  }

  /** Returns the payments to such addresses. */
  held(isOne: (address: string) => boolean): bigint {
    return this.mined
      .flatMap(({ outputs }) => outputs)
      .filter(({ address }) => isOne(address))
      .reduce((sum, { amount }) => sum + amount, 0n);
  }

  #append(transactions: readonly ModelTransaction[], now: number): void {
    const parent = this.state.blocks.at(-1);
    const height = this.state.blocks.length;
    // Block times are whole seconds and never before the parent's.
    const at = Math.max(Math.floor(now / 1_000) * 1_000, parent?.time.getTime() ?? 0);
    const hash = `block-${height}-${this.newHash().slice(-6)}`;
    for (const one of transactions) {
      this.minedAt.set(one.hash, this.#now());
      this.everMined.add(one.hash);
    }
    const block = { height, hash, parentHash: parent?.hash ?? "none", time: new Date(at), transactions };
    const { finalDepth } = this.kind;
    this.state = {
      ...this.state,
      blocks: [...this.state.blocks, block],
      finalizedHeight: finalDepth === null ? -1 : Math.max(this.state.finalizedHeight, height - finalDepth),
    };
  }
}
