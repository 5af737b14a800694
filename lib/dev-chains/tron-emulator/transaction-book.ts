import { type Journal, openJournal } from "../journal.ts";
import { decodeRaw, type SignedTronTransaction, txIdOf } from "./transaction.ts";

/** The state that the emulator must restore after a kill. anvil keeps the blocks. */
type JournalEntry =
  | {
      readonly kind: "broadcast";
      readonly rawHex: string;
      readonly signatures: readonly string[];
      /** The head at the time of the broadcast. No block up to this height holds it. */
      readonly height: number;
    }
  /** It was executed by this EVM transaction. */
  | { readonly kind: "included"; readonly txId: string; readonly evmHash: string }
  /** It will not be executed any more. */
  | { readonly kind: "dropped"; readonly txId: string };

export interface KnownTransaction extends SignedTronTransaction {
  /** The head at the time of the broadcast. No block up to this height holds it. */
  readonly height: number;
}

/** All accepted transactions, each with its EVM transaction, or waiting for a block. */
export class TransactionBook {
  readonly #journal: Journal<JournalEntry>;
  readonly #known = new Map<string, KnownTransaction>();
  readonly #waiting = new Set<string>();
  readonly #evmHashes = new Map<string, string>();
  readonly #txIds = new Map<string, string>();

  /**
   * Without a `path` the book is in memory only. Transactions without an EVM transaction do not wait yet (see `wait`).
   */
  constructor(path: string | null) {
    this.#journal = openJournal<JournalEntry>(path);
    for (const entry of this.#journal.entries) {
      if (entry.kind === "included") this.link(entry.txId, entry.evmHash);
      else if (entry.kind === "dropped") this.#erase(entry.txId);
      else {
        const txId = txIdOf(entry.rawHex);
        const raw = decodeRaw(Buffer.from(entry.rawHex, "hex"));
        if (raw) this.#known.set(txId, { ...entry, txId, raw });
      }
    }
  }

  get(txId: string): KnownTransaction | null {
    return this.#known.get(txId) ?? null;
  }

  all(): readonly KnownTransaction[] {
    return [...this.#known.values()];
  }

  /** In the order of their arrival. */
  waiting(): readonly KnownTransaction[] {
    return [...this.#waiting].flatMap((txId) => this.get(txId) ?? []);
  }

  isWaiting(txId: string): boolean {
    return this.#waiting.has(txId);
  }

  evmHashOf(txId: string): string | null {
    return this.#evmHashes.get(txId) ?? null;
  }

  txIdOf(evmHash: string): string | null {
    return this.#txIds.get(evmHash) ?? null;
  }

  add(signed: SignedTronTransaction, height: number): void {
    const { rawHex, signatures } = signed;
    this.#journal.append({ kind: "broadcast", rawHex, signatures, height });
    this.#known.set(signed.txId, { ...signed, height });
    this.#waiting.add(signed.txId);
  }

  /** Records the EVM transaction that executed it. */
  link(txId: string, evmHash: string): void {
    this.#evmHashes.set(txId, evmHash);
    this.#txIds.set(evmHash, txId);
  }

  /** It is in a block and no longer waits. */
  include(txId: string, evmHash: string): void {
    this.link(txId, evmHash);
    if (this.#waiting.delete(txId)) this.#journal.append({ kind: "included", txId, evmHash });
  }

  /** It is in no block and must be executed. */
  wait(txId: string): void {
    this.#evmHashes.delete(txId);
    this.#waiting.add(txId);
  }

  /** It cannot be executed any more. The emulator forgets it. */
  drop(txId: string): void {
    this.#journal.append({ kind: "dropped", txId });
    this.#erase(txId);
  }

  #erase(txId: string): void {
    this.#known.delete(txId);
    this.#waiting.delete(txId);
    this.#evmHashes.delete(txId);
  }
}
