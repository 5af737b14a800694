import { type Journal, openJournal } from "../journal.ts";
import { decodeRaw, type SignedTransaction, txIdOf } from "./transaction.ts";

/** What the emulator must find again after a kill. The blocks themselves are anvil's to keep. */
type JournalEntry =
  | {
      readonly kind: "broadcast";
      readonly rawHex: string;
      readonly signatures: readonly string[];
      /** The head when it came: it stands in no block up to here. */
      readonly height: number;
    }
  /** It was executed, as this transaction of the EVM. */
  | { readonly kind: "included"; readonly txId: string; readonly evmHash: string }
  /** It will not be executed any more. */
  | { readonly kind: "dropped"; readonly txId: string };

export interface KnownTransaction extends SignedTransaction {
  /** The head when it was broadcast: it stands in no block up to here. */
  readonly height: number;
}

/** Every transaction that was taken: which EVM transaction executed it, or that it waits for a block. */
export class TransactionBook {
  readonly #journal: Journal<JournalEntry>;
  readonly #known = new Map<string, KnownTransaction>();
  readonly #waiting = new Set<string>();
  readonly #evmHashes = new Map<string, string>();
  readonly #txIds = new Map<string, string>();

  /** `path` null: kept in memory only. Transactions without an EVM transaction do not wait yet: see `wait`. */
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

  /** In the order in which they came. */
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

  add(signed: SignedTransaction, height: number): void {
    const { rawHex, signatures } = signed;
    this.#journal.append({ kind: "broadcast", rawHex, signatures, height });
    this.#known.set(signed.txId, { ...signed, height });
    this.#waiting.add(signed.txId);
  }

  /** It was seen executed. */
  link(txId: string, evmHash: string): void {
    this.#evmHashes.set(txId, evmHash);
    this.#txIds.set(evmHash, txId);
  }

  /** It stands in a block, and waits no longer. */
  include(txId: string, evmHash: string): void {
    this.link(txId, evmHash);
    if (this.#waiting.delete(txId)) this.#journal.append({ kind: "included", txId, evmHash });
  }

  /** It is in no block, and is to be executed. */
  wait(txId: string): void {
    this.#evmHashes.delete(txId);
    this.#waiting.add(txId);
  }

  /** It can no longer be executed: as if it had never come. */
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
