/**
 * Asking about one Solana address after the other, over weeks of slots: no failure, restart or length of a round hides a payment that nothing
 * else shows.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { AddressBook } from "#lib/chains/address-book.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import type { RpcClient } from "#lib/chains/rpc-client.ts";
import { openTurns } from "#lib/chains/solana/ask-in-turn.ts";
import { createLateSlots } from "#lib/chains/solana/late-slots.ts";
import { bookOf, solanaAddress, tokenAccountsAnswer, USDT_MINT } from "#tests/support/solana.ts";

/** Slots of a pass while nothing is expected. */
const PASS = 100;
const START = 50_000_000;

/** A chain on which one address is paid, and a process that asks about the addresses. */
class World {
  at = START;
  paid: { readonly address: string; readonly slot: number } | null = null;
  /** How often all processes have asked about each address. */
  readonly asked = new Map<string, number>();
  mints: ReadonlySet<string> = new Set();
  /** The units of the token accounts of each address. */
  readonly accounts = new Map<string, Map<string, bigint>>();
  /** An account whose list never ends. */
  endless: string | null = null;
  pages = 0;
  /** Addresses about which the node does not answer. */
  readonly silent = new Set<string>();
  readonly book: AddressBook;
  late = createLateSlots();
  turns = openTurns(this.late);

  constructor(addresses: readonly string[], firstId = 1) {
    const listBefore = async (id: number | null, limit: number) => {
      const below = id === null ? addresses.length : Math.max(0, Math.min(id - firstId, addresses.length));
      const page = addresses.slice(Math.max(0, below - limit), below);
      return page.map((address, i) => ({ address, id: firstId + below - page.length + i })).toReversed();
    };
    this.book = { ...bookOf(() => addresses), listBefore };
  }

  restart() {
    this.late = createLateSlots();
    this.turns = openTurns(this.late);
  }

  readonly client: RpcClient = {
    call: async () => null,
    batch: async (calls) =>
      calls.map(({ method, params = [] }) => {
        if (method === "getTokenAccountsByOwner")
          return tokenAccountsAnswer(this.at, this.accounts.get(String(params[0])));
        return this.#list(String(params[0]), Object(params[1]));
      }),
    sizes: Object.create(null),
  };

  #list(address: string, { before }: { readonly before?: string }) {
    if (address === this.endless) return this.#endlessPage();
    if (before !== undefined) return [];
    this.asked.set(address, (this.asked.get(address) ?? 0) + 1);
    if (this.silent.has(address)) throw new NodeError("unreachable", "no answer");
    const { paid } = this;
    if (paid?.address !== address) return [];
    // Base58 has no 0.
    const signature = `${paid.slot}`.replaceAll("0", "z").padStart(64, "1");
    return [{ signature, slot: paid.slot, err: null }];
  }

  #endlessPage() {
    this.pages += 1;
    const signature = `${this.pages}`.replaceAll("0", "z").padStart(64, "2");
    return [{ signature, slot: this.at, err: {} }];
  }

  async pass() {
    const range = { from: this.at + 1, to: this.at + PASS };
    this.at = range.to;
    const { client, book } = this;
    await this.turns.ask({ client, book, mints: this.mints, range, head: this.at, isSlow: true });
  }

  /** Passes until this address was asked about once more. */
  async untilAsked(address: string) {
    for (const before = this.asked.get(address); this.asked.get(address) === before; ) await this.pass();
  }

  pay(address: string) {
    this.paid = { address, slot: this.at - 1 };
  }

  found = () => [...this.late.list(this.at).keys()];
}

const list = (count: number) => Array.from({ length: count }, (_, i) => `address ${i}`);
const begin = (t: TestContext, at: number) => t.mock.method(Math, "random", () => at);

test("a round of 10,000 addresses takes less than the slots that a start asks about again", async (t) => {
  begin(t, 0.999_9);
  const world = new World(list(10_000));
  await world.untilAsked("address 0");
  const first = world.at;
  await world.untilAsked("address 0");
  assert.ok(world.at - first < 500_000, `${world.at - first} slots`);
});

test("few addresses are asked about no more often for that", async (t) => {
  begin(t, 0.999_9);
  const world = new World(list(10));
  for (let pass = 0; pass < 300; pass++) await world.pass();
  // With every third pass an address, or the end of a round.
  const turns = [...world.asked.values()].reduce((sum, times) => sum + times, 0);
  assert.ok(turns <= 100, `${turns} turns`);
});

test("finds what was paid just after its turn, before a restart of a watcher of 10,000 addresses", async (t) => {
  begin(t, 0.999_9);
  const ours = list(10_000);
  const world = new World(ours);
  await world.untilAsked("address 5000");
  await world.pass();
  world.pay("address 5000");
  await world.untilAsked("address 5001");
  world.restart();
  await world.untilAsked("address 5000");
  assert.deepEqual(world.found(), [world.paid?.slot]);
});

test("finds what was paid before a failed turn, in a round of any length", async (t) => {
  begin(t, 0.999_9);
  for (const count of [1, 10, 10_000, 40_000]) {
    const world = new World(list(count));
    const one = `address ${Math.floor(count / 2)}`;
    for (let turn = 0; turn < 2; turn++) await world.untilAsked(one);
    await world.pass();
    world.pay(one);
    world.silent.add(one);
    await world.untilAsked(one);
    world.silent.delete(one);
    await world.untilAsked(one);
    assert.deepEqual(world.found(), [world.paid?.slot], `${count} addresses`);
  }
});

test("processes that end after one turn ask about every address together, also if its number is high", async () => {
  const ours = list(10);
  const world = new World(ours, 1_000_000);
  for (let process = 0; process < 300; process++) {
    world.restart();
    await world.pass();
  }
  assert.deepEqual(new Set(world.asked.keys()), new Set(ours));
});

test("asks again for what a turn left out because the database did not answer", async (t) => {
  begin(t, 0.999_9);
  const world = new World(list(10));
  await world.untilAsked("address 0");
  for (let round = 0; round < 2; round++) await world.untilAsked("address 5");
  await world.pass();
  world.pay("address 5");
  const failing = t.mock.method(world.book, "findRecordedBlocks", async (asked: readonly string[]) => {
    if (asked.length > 0) throw new Error("no connection");
    return new Map();
  });
  await assert.rejects(world.untilAsked("address 5"), /no connection/);
  failing.mock.restore();
  await world.untilAsked("address 5");
  assert.deepEqual(world.found(), [world.paid?.slot]);
});

/** An address that has these token accounts, mostly of strangers. */
function worldOfAccounts(count: number) {
  const [ours = "", ...accounts] = Array.from({ length: count + 1 }, (_, n) => solanaAddress(n + 1));
  const world = new World([ours]);
  world.mints = new Set([USDT_MINT]);
  world.accounts.set(ours, new Map(accounts.map((account) => [account, 0n])));
  return { world, ours, accounts };
}

test("token accounts that strangers make bound the calls of a turn, and each is asked about", async (t) => {
  begin(t, 0.999_9);
  const { world, ours, accounts } = worldOfAccounts(500);
  await world.untilAsked(ours);
  assert.ok(world.asked.size <= 56, `${world.asked.size} lists in a turn`);
  await world.pass();
  world.pay(accounts.at(-1) ?? "");
  for (let round = 0; round < 15; round++) await world.untilAsked(ours);
  assert.deepEqual(world.found(), [world.paid?.slot]);
});

test("an account that holds more than those of strangers is asked about in each turn", async (t) => {
  begin(t, 0.999_9);
  const { world, ours, accounts } = worldOfAccounts(500);
  await world.untilAsked(ours);
  for (const one of [accounts[7] ?? "", accounts[444] ?? ""]) {
    await world.pass();
    world.pay(one);
    world.accounts.get(ours)?.set(one, 5n);
    await world.untilAsked(ours);
    assert.ok(world.found().includes(world.paid?.slot ?? 0));
  }
});

test("an account that strangers use without end holds back no other of its address", async (t) => {
  begin(t, 0.999_9);
  const { world, ours, accounts } = worldOfAccounts(500);
  world.endless = accounts[100] ?? "";
  world.accounts.get(ours)?.set(world.endless, 1n);
  await world.untilAsked(ours);
  await world.pass();
  world.pay(accounts.at(-1) ?? "");
  for (let round = 0; round < 15; round++) await world.untilAsked(ours);
  assert.ok(world.found().includes(world.paid?.slot ?? 0));
});

test("finds what was paid before strangers closed most accounts of an address", async (t) => {
  begin(t, 0.999_9);
  const { world, ours, accounts } = worldOfAccounts(1_000);
  const paid = accounts.toSorted()[500] ?? "";
  await world.untilAsked(ours);
  await world.pass();
  world.pay(paid);
  for (let round = 0; round < 3; round++) await world.untilAsked(ours);
  assert.deepEqual(world.found(), []);
  for (const account of accounts) if (account !== paid) world.accounts.get(ours)?.delete(account);
  await world.untilAsked(ours);
  await world.pass();
  assert.deepEqual(world.found(), [world.paid?.slot]);
});
