/** The turns of an idle Solana network: thousands of transactions that strangers make to hide a payment to another token account of an address. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addresses,
  begin,
  newSignature,
  strangers,
  tenAddresses,
  World,
} from "#tests/support/solana-turns.ts";

/** Transactions that name an account, the oldest first, in slots from `slot` on. */
const nameMany = (many: number, slot: number) =>
  Array.from({ length: many }, (_, i) => ({
    signature: newSignature(),
    slot: slot + i,
    err: null,
  })).toReversed();

test("transactions that name a closed account, more than may wait, hide no payment to it", async (t) => {
  begin(t);
  const { world, one } = await tenAddresses();
  const [paid = ""] = strangers(1);
  const { slot } = world.name([paid], { slot: world.at - 30_000 });
  world.lists.get(paid)?.unshift(...nameMany(22_000, slot + 1));
  world.sweep(one, [paid]);
  const until = world.at + 1_300_000;
  while (world.at < until && !world.seen.has(slot)) await world.pass();
  assert.ok(world.seen.has(slot));
});

test("an account that a stranger closes while its list is not whole hides no payment", async (t) => {
  begin(t);
  const { world, one } = await tenAddresses();
  const [paid = ""] = strangers(1);
  const { slot } = world.name([paid], { slot: world.at - 50 });
  world.accounts.set(one, new Map([[paid, 0n]]));
  world.sweep(one, [paid]);
  for (let i = 0; i < 22_000; i++) world.name([paid], { err: {} });
  await world.untilAsked(one, 3);
  world.accounts.clear();
  await world.untilAsked(one, 30);
  assert.ok(world.seen.has(slot));
});

test("closed accounts with many transactions delay no payment to another one that is closed later", async (t) => {
  begin(t);
  const { world, one } = await tenAddresses();
  const [paid = "", ...dusted] = strangers(51);
  const spam = Array.from({ length: 100_000 }, () => ({
    signature: newSignature(),
    slot: world.at - 1,
    err: {},
  }));
  world.sweep(one, dusted);
  for (const account of dusted) world.lists.set(account, spam);
  await world.untilAsked(one);
  await world.pass();
  const { slot } = world.name([paid], { slot: world.at - 50 });
  world.sweep(one, [paid]);
  await world.untilAsked(one, 5);
  assert.ok(world.seen.has(slot));
});

test("transactions that name all addresses hide no payment to an account that a sweep closes afterwards", async (t) => {
  begin(t);
  const all = addresses(200);
  const [one, last] = [all[199]!, all[0]!];
  const world = new World(all);
  await world.untilAsked(last, 3);
  const plain = world.transactions.get(world.sweep(one, []).signature);
  const flood = nameMany(600, world.at - 600);
  for (const { signature } of flood) world.copy(plain, signature);
  for (const address of all) world.lists.set(address, flood);
  await world.untilAsked(last, 2);
  const [paid = ""] = strangers(1);
  const { slot } = world.name([paid], { slot: world.at - 50 });
  world.sweep(one, [paid]);
  const until = world.at + 1_300_000;
  while (world.at < until && !world.seen.has(slot)) await world.pass();
  assert.ok(world.seen.has(slot));
});

test("a list that takes many long rounds reads no block again in each of them", async (t) => {
  begin(t);
  const { world, one } = await tenAddresses();
  const [closed = ""] = strangers(1);
  const many = nameMany(12_000, world.at - 30_000);
  world.lists.set(closed, many);
  world.sweep(one, [closed]);
  const reads = t.mock.method(world.seen, "add");
  // As with a thousand addresses.
  for (let round = 0; round < 70; round++) {
    world.at += 250_000;
    await world.untilAsked(one);
  }
  const oldest = many.at(-1)!.slot;
  assert.equal(world.seen.has(oldest), true);
  const times = Map.groupBy(reads.mock.calls, ({ arguments: [slot] }) => slot);
  const most = Math.max(...[...times.values()].map(({ length }) => length));
  assert.ok(most <= 2, `${most}`);
});
