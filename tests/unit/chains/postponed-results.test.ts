/** When the results of TRON's blocks are read, over an idle day with payments by contracts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AddressBook } from "#lib/chains/address-book.ts";
import type { BlockRange } from "#lib/chains/blocks.ts";
import { MOST_COMPARED, openPostponedResults } from "#lib/chains/evm/postponed-results.ts";
import type { ChainTransfer } from "#lib/chains/transfers.ts";

const IDLE_BLOCKS = 10;
const DAY_BLOCKS = 28_800;

/** A chain on which contracts pay addresses, and a watcher that reads it. Heights at which it found payments, and the results that it read. */
function openWorld(count = 1) {
  const addresses = Array.from({ length: count }, (_, i) => `T${i}`);
  const book = {
    listBefore: async (_: number | null, limit: number) =>
      addresses.map((address, id) => ({ address, id })).slice(0, limit),
  } as unknown as AddressBook;
  const paid = new Set<number>();
  const found: { readonly paidAt: number; readonly foundAt: number }[] = [];
  let head = 1_000;
  let lag = { of: 0, isShown: true };
  let reads = 0;
  let balances = 0;
  const paidUpTo = (height: number) => [...paid].filter((at) => at <= height).length;
  const inRange = ({ from, to }: BlockRange) => [...paid].filter((at) => at >= from && at <= to);
  let postponed = openPostponedResults();
  postponed.watch(book);
  const tools = {
    fetchBalances: async (asked: readonly string[]) => {
      balances += 1;
      const height = lag.isShown ? head - lag.of : head;
      return { height, of: new Map(asked.map((one) => [one, BigInt(paidUpTo(head - lag.of))])) };
    },
    read: async (range: BlockRange) => {
      reads += range.to - range.from + 1;
      return inRange(range).map((height) => ({ block: { height } }) as ChainTransfer);
    },
  };
  const pass = async (isIdle: boolean, blocks = isIdle ? IDLE_BLOCKS : 2) => {
    const range = { from: head + 1, to: head + blocks };
    head += blocks;
    const record = (heights: readonly number[]) => {
      for (const paidAt of heights)
        if (!found.some((one) => one.paidAt === paidAt)) found.push({ paidAt, foundAt: head });
    };
    if (!postponed.postpone(range, isIdle)) {
      reads += blocks;
      record(inRange(range));
    }
    const late = await postponed.list(tools, head);
    record(late.transfers.map(({ block }) => block!.height));
    late.done();
  };
  return {
    pass,
    found,
    paid,
    head: () => head,
    reads: () => reads,
    balances: () => balances,
    setLag: (blocks: number, isShown: boolean) => {
      lag = { of: blocks, isShown };
    },
    restart() {
      postponed = openPostponedResults();
      postponed.watch(book);
    },
  };
}

test("reads hardly any results on a day without a payment", async () => {
  const world = openWorld();
  for (let i = 0; i < DAY_BLOCKS / IDLE_BLOCKS; i++) await world.pass(true);
  assert.ok(world.reads() < 600, `${world.reads()} results`);
  assert.ok(world.balances() < 150, `balances ${world.balances()} times`);
});

test("finds what a contract paid at any time within ten minutes and a pass, also after a restart and from a node that is behind", async () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let round = 0; round < 200; round++) {
    const world = openWorld();
    let expected = 0;
    let restartedAt = Number.NEGATIVE_INFINITY;
    let latest = 0;
    for (let i = 0; i < 150; i++) {
      if (random(40) === 0) {
        world.paid.add(world.head() + 1 + random(10));
        expected = world.paid.size;
      }
      if (random(70) === 0) {
        world.restart();
        restartedAt = world.head();
      }
      world.setLag(random(4), random(2) === 0);
      // A deposit makes the network busy for a minute.
      const isBusy = world.found.some(({ foundAt }) => foundAt > world.head() - 20);
      await world.pass(!isBusy);
      for (const { paidAt, foundAt } of world.found)
        if (restartedAt < paidAt) latest = Math.max(latest, foundAt - paidAt);
    }
    for (let i = 0; i < 60; i++) await world.pass(true);
    assert.equal(world.found.length, world.paid.size, `round ${round}: ${expected} payments`);
    assert.ok(latest <= 320, `round ${round}: found ${latest} blocks later`);
  }
});

test("settles at once when a payment is expected again", async () => {
  const world = openWorld();
  for (let i = 0; i < 60; i++) await world.pass(true);
  world.paid.add(world.head() + 3);
  await world.pass(true);
  assert.deepEqual(world.found, []);
  for (let i = 0; i < 8; i++) await world.pass(false);
  assert.equal(world.found.length, 1);
});

test("reads every result where there are too many addresses to compare", async () => {
  const world = openWorld(MOST_COMPARED + 1);
  for (let i = 0; i < 100; i++) await world.pass(true);
  assert.ok(world.reads() >= 1_000);
  assert.equal(world.balances(), 0);
});
