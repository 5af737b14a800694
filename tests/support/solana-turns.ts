/** A simulated Solana node and the turns of an idle network that reads it. */
import type { TestContext } from "node:test";
import type { AddressBook } from "#lib/chains/address-book.ts";
import type { RpcClient } from "#lib/chains/rpc-client.ts";
import { openTurns } from "#lib/chains/solana/ask-in-turn.ts";
import { createLateSlots } from "#lib/chains/solana/late-slots.ts";
import { bookOf, solanaAddress, tokenAccountsAnswer, USDT_MINT } from "./solana.ts";

export const PASS = 100;
export const START = 50_000_000;
interface Entry {
  readonly signature: string;
  readonly slot: number;
  readonly err: unknown;
}
let count = 0;
export const newSignature = () => `${count++}`.replaceAll("0", "z").padStart(64, "a");

export class World {
  at = START;
  /** Transactions whose deposits are recorded. */
  readonly recorded = new Set<string>();
  readonly lists = new Map<string, Entry[]>();
  readonly transactions = new Map<string, unknown>();
  readonly accounts = new Map<string, Map<string, bigint>>();
  readonly asked = new Map<string, number>();
  readonly seen = new Set<number>();
  /** Another answer of the node. */
  hook: (method: string, params: readonly unknown[]) => unknown = () => undefined;
  /** Called in each pass. */
  onPass: () => void = () => {};
  readonly book: AddressBook;
  late = createLateSlots();
  readonly failures: string[] = [];
  turns = openTurns(this.late, { failed: (_, { kind }) => void this.failures.push(kind) });

  constructor(addresses: readonly string[]) {
    this.book = {
      ...bookOf(() => addresses),
      findRecordedBlocks: async (hashes) =>
        new Map(hashes.filter((one) => this.recorded.has(one)).map((one) => [one, "block"])),
    };
  }

  readonly client: RpcClient = {
    call: async (method, params = []) => {
      const other = this.hook(method, params);
      return other === undefined ? (this.transactions.get(String(params[0])) ?? null) : other;
    },
    batch: async (calls) => calls.map(({ method, params }) => this.#answer(method, params)),
    sizes: Object.create(null),
  };

  #answer(method: string, params: readonly unknown[]) {
    const other = this.hook(method, params);
    if (other !== undefined) return other;
    const name = String(params[0]);
    if (method === "getTokenAccountsByOwner") return tokenAccountsAnswer(this.at, this.accounts.get(name));
    const { before } = Object(params[1]) as { before?: string };
    if (before === undefined) this.asked.set(name, (this.asked.get(name) ?? 0) + 1);
    const all = this.lists.get(name) ?? [];
    const start = before === undefined ? 0 : all.findIndex(({ signature }) => signature === before) + 1;
    return all.slice(start, start + 1_000);
  }

  /** A transaction that names these accounts. */
  name(accounts: readonly string[], { slot = this.at - 1, err = null as unknown } = {}) {
    const entry = { signature: newSignature(), slot, err };
    for (const account of accounts) this.lists.set(account, [entry, ...(this.lists.get(account) ?? [])]);
    return entry;
  }

  /** The owner empties these token accounts. */
  sweep(owner: string, accounts: readonly string[]) {
    const entry = this.name([owner, ...accounts]);
    const token = (amount: string) =>
      accounts.map((_, i) => ({ accountIndex: i + 1, mint: USDT_MINT, owner, uiTokenAmount: { amount } }));
    const lamports = [owner, ...accounts].map(() => 2_039_280);
    this.transactions.set(entry.signature, {
      transaction: { message: { accountKeys: [owner, ...accounts] }, signatures: [entry.signature] },
      meta: {
        err: null,
        preBalances: lamports,
        postBalances: lamports,
        preTokenBalances: token("5000000"),
        postTokenBalances: token("0"),
        loadedAddresses: { writable: [], readonly: [] },
      },
    });
    return entry;
  }

  /** The same transaction under another signature. */
  copy(plain: unknown, signature: string) {
    const { transaction, meta } = Object(plain);
    this.transactions.set(signature, { transaction: { ...transaction, signatures: [signature] }, meta });
  }

  async pass() {
    const range = { from: this.at + 1, to: this.at + PASS };
    this.at = range.to;
    this.onPass();
    const { client, book } = this;
    await this.turns.ask({ client, book, mints: new Set([USDT_MINT]), range, head: this.at, isSlow: true });
    // Late blocks that the node shows.
    const late = [...this.late.list(this.at).keys()];
    for (const slot of late) this.seen.add(slot);
    this.late.drop(late);
  }

  async untilAsked(address: string, times = 1) {
    for (let turn = 0; turn < times; turn++)
      for (const before = this.asked.get(address); this.asked.get(address) === before; ) await this.pass();
  }

  async passes(many: number) {
    for (let i = 0; i < many; i++) await this.pass();
  }
}

export const begin = (t: TestContext) => t.mock.method(Math, "random", () => 0.999_9);
export const addresses = (many: number) => Array.from({ length: many }, (_, n) => solanaAddress(n + 1));
export const strangers = (many: number) =>
  Array.from({ length: many }, (_, n) => solanaAddress(n + 2_000)).toSorted();

/** Ten addresses, the one in the middle, and a world after its first rounds. */
export async function tenAddresses() {
  const ours = addresses(10);
  const one = ours[5]!;
  const world = new World(ours);
  await world.untilAsked(one, 4);
  await world.pass();
  return { world, one, ours };
}
