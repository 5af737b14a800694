/** The turns of an idle Solana network: faults of a node and attacks of strangers that would hide a payment to another token account of an address. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NodeError } from "#lib/chains/node-error.ts";
import { solanaAddress } from "#tests/support/solana.ts";
import {
  addresses,
  begin,
  newSignature,
  PASS,
  START,
  strangers,
  tenAddresses,
  World,
} from "#tests/support/solana-turns.ts";

for (const [name, every] of [
  ["an address that 290 payments a day reach", 10],
  ["an address that 2,900 payments a day reach", 1],
] as const) {
  test(`${name}: what pays another token account of it is found`, async (t) => {
    begin(t);
    const [one = ""] = addresses(1);
    const world = new World([one]);
    const [other = ""] = strangers(1);
    world.accounts.set(one, new Map([[other, 0n]]));
    for (let slot = START - 1_100_000; slot < START; slot += every * PASS)
      world.recorded.add(world.name([one], { slot }).signature);
    let passes = 0;
    world.onPass = () => {
      if (passes++ % every === 0) world.recorded.add(world.name([one]).signature);
    };
    await world.untilAsked(one, 2);
    await world.pass();
    const { slot } = world.name([other]);
    world.accounts.get(one)?.set(other, 5n);
    await world.untilAsked(one, 30);
    assert.ok(world.seen.has(slot), "not found in 30 rounds");
  });
}

test("failed transactions that name an address (0.025 SOL in four days) hide nothing that pays another token account", async (t) => {
  begin(t);
  const { world, one } = await tenAddresses();
  const [other = ""] = strangers(1);
  world.accounts.set(one, new Map([[other, 0n]]));
  for (let i = 0; i < 5_001; i++) world.name([one], { err: {} });
  await world.pass();
  const { slot } = world.name([other]);
  world.accounts.get(one)?.set(other, 5n);
  // Until the payment is too old.
  const until = world.at + 1_300_000;
  while (world.at < until) await world.pass();
  assert.ok(world.seen.has(slot), "not found in 1,300,000 slots");
});

test("such addresses do not make the rounds of the others longer", async (t) => {
  begin(t);
  const round = async (spammed: number) => {
    const all = addresses(40);
    const world = new World(all);
    const list = Array.from({ length: 5_001 }, () => ({
      signature: newSignature(),
      slot: START - 5,
      err: {},
    }));
    for (const one of all.slice(10, 10 + spammed)) world.lists.set(one, list);
    await world.untilAsked(all[5]!, 2);
    const at = world.at;
    await world.untilAsked(all[5]!);
    return world.at - at;
  };
  const [quiet, spammed] = [await round(0), await round(20)];
  assert.ok(spammed < 1.5 * quiet, `${spammed} slots in place of ${quiet}`);
});

for (const spam of [0, 5_001, 22_000]) {
  test(`one closed account with ${spam} transactions hides no payment to it or to another closed one`, async (t) => {
    begin(t);
    const { world, one } = await tenAddresses();
    const [paid = "", dusted = ""] = strangers(2);
    const { slot } = world.name([paid], { slot: world.at - 50 });
    const below = world.name([dusted], { slot: world.at - 49 }).slot;
    world.sweep(one, [paid, dusted]);
    for (let i = 0; i < spam; i++) world.name([dusted], { err: {} });
    const until = world.at + 1_300_000;
    while (world.at < until && !(world.seen.has(slot) && world.seen.has(below))) await world.pass();
    assert.deepEqual([world.seen.has(slot), world.seen.has(below)], [true, true]);
  });
}

test("an account that a sweep emptied and left open, and a stranger closed later, hides no payment", async (t) => {
  begin(t);
  const [one = ""] = addresses(1);
  const world = new World([one]);
  const all = strangers(400);
  const units = new Map(all.map((account) => [account, 0n]));
  world.accounts.set(one, units);
  const paid = all[100]!;
  // The third turn asks about it, and then one of the next ten.
  await world.untilAsked(paid);
  await world.pass();
  const { slot } = world.name([paid], { slot: world.at - 50 });
  world.sweep(one, [paid]);
  await world.untilAsked(one, 6);
  units.delete(paid);
  await world.untilAsked(one, 20);
  assert.ok(world.seen.has(slot), "the turn read the sweep, and did not ask about what it emptied");
});

for (const what of ["getTokenAccountsByOwner", "getSignaturesForAddress"]) {
  test(`one empty answer to ${what} in a turn loses no payment`, async (t) => {
    begin(t);
    const { world, one } = await tenAddresses();
    const [other = ""] = strangers(1);
    world.accounts.set(one, new Map([[other, 0n]]));
    await world.untilAsked(one);
    await world.pass();
    const { slot } = world.name([other]);
    world.accounts.get(one)?.set(other, 5n);
    world.hook = (method, params) => {
      if (method !== what || ![one, other].includes(String(params[0]))) return undefined;
      // Counted as asked.
      if (params[0] === one && method === "getSignaturesForAddress") return undefined;
      return method === "getTokenAccountsByOwner" ? { context: { slot: world.at }, value: [] } : [];
    };
    await world.untilAsked(one);
    world.hook = () => undefined;
    await world.untilAsked(one, 10);
    assert.ok(world.seen.has(slot));
  });
}

for (const [name, fault] of [
  ["a sweep that is read", null],
  ["a sweep that getTransaction does not have yet", "missing"],
  ["a sweep after a transaction that getTransaction always refuses", "refused"],
] as const) {
  test(`${name}: the payment to the account that it closed is found`, async (t) => {
    begin(t);
    const { world, one } = await tenAddresses();
    const [other = ""] = strangers(1);
    await world.untilAsked(one);
    await world.pass();
    const { slot } = world.name([other], { slot: world.at - 50 });
    const named = fault === "refused" ? world.name([one]).signature : null;
    world.sweep(one, [other]);
    world.hook = (method, [asked]) => {
      if (method === "getTransaction" && asked === named) throw new NodeError("refused", "no history");
      return method === "getTransaction" && fault === "missing" ? null : undefined;
    };
    await world.untilAsked(one);
    if (fault === "missing") world.hook = () => undefined;
    await world.untilAsked(one, 10);
    assert.ok(world.seen.has(slot));
  });
}

test("a token account that its owner gave away is asked about", async (t) => {
  begin(t);
  const { world, one } = await tenAddresses();
  const [given = ""] = strangers(1);
  await world.untilAsked(one);
  await world.pass();
  const { slot } = world.name([given], { slot: world.at - 50 });
  const { meta } = Object(world.transactions.get(world.sweep(one, [given]).signature));
  meta.postTokenBalances = Object(meta.preTokenBalances).map((balance: object) => ({
    ...balance,
    owner: solanaAddress(3_000),
  }));
  await world.untilAsked(one, 2);
  assert.ok(world.seen.has(slot));
});

test("transactions that only name many token accounts hide none that the owner swept and closed", async (t) => {
  begin(t);
  const { world, one } = await tenAddresses();
  const [paid = "", ...dusted] = strangers(111);
  world.accounts.set(one, new Map(dusted.map((account) => [account, 1n])));
  await world.untilAsked(one);
  await world.pass();
  const { slot } = world.name([paid], { slot: world.at - 50 });
  world.sweep(one, [paid]);
  for (const named of [dusted.slice(0, 60), dusted.slice(50)]) {
    const { signature } = world.sweep(one, named);
    const said = Object(world.transactions.get(signature));
    said.meta.postTokenBalances = said.meta.preTokenBalances;
  }
  await world.untilAsked(one, 2);
  assert.ok(world.seen.has(slot));
});

test("what a sweep closed is found also if its payment was in the range that the turn read", async (t) => {
  begin(t);
  const { world, one } = await tenAddresses();
  const [paid = ""] = strangers(1);
  await world.untilAsked(one);
  let slot = 0;
  world.hook = (method, params) => {
    if (slot > 0 || method !== "getTokenAccountsByOwner" || params[0] !== one) return;
    // In the range of this pass.
    slot = world.name([paid], { slot: world.at - 50 }).slot;
    Object.assign(world.sweep(one, [paid]), { slot: world.at - 49 });
  };
  await world.untilAsked(one, 3);
  assert.ok(world.seen.has(slot));
});

for (const [name, many, err, isBefore] of [
  ["150 transactions that name an address (0.00075 SOL) after a sweep", 150, null, false],
  ["1,500 transactions that name an address (0.0075 SOL) before a sweep", 1_500, null, true],
  ["6,000 failed transactions that name an address (0.03 SOL) after a sweep", 6_000, {}, false],
] as const) {
  test(`${name} hide no payment to an account that it closed`, async (t) => {
    begin(t);
    const { world, one } = await tenAddresses();
    const [paid = ""] = strangers(1);
    await world.untilAsked(one);
    await world.pass();
    const { slot } = world.name([paid], { slot: world.at - 50 });
    if (!isBefore) world.sweep(one, [paid]);
    const plain = world.transactions.get(world.sweep(one, []).signature);
    for (let i = 0; i < many; i++) world.copy(plain, world.name([one], { err }).signature);
    if (isBefore) world.sweep(one, [paid]);
    await world.untilAsked(one, isBefore ? 20 : 4);
    assert.ok(world.seen.has(slot));
  });
}

test("many transactions that name an address before a sweep hide no payment while rounds take long", async (t) => {
  begin(t);
  const { world, one } = await tenAddresses();
  const [paid = ""] = strangers(1);
  await world.untilAsked(one);
  await world.pass();
  const { slot } = world.name([paid], { slot: world.at - 50 });
  const plain = world.transactions.get(world.sweep(one, []).signature);
  for (let i = 0; i < 300; i++) world.copy(plain, world.name([one]).signature);
  world.sweep(one, [paid]);
  // As with a thousand addresses.
  for (let round = 0; round < 9; round++) {
    world.at += 250_000;
    await world.untilAsked(one);
  }
  assert.ok(world.seen.has(slot));
});

test("while a node refuses to list token accounts and answers nothing else, blocks are read", async (t) => {
  begin(t);
  const { world } = await tenAddresses();
  assert.equal(world.turns.showsAccounts(), true);
  world.hook = (method) => {
    if (method === "getTokenAccountsByOwner") throw new NodeError("refused", "no index");
    throw new NodeError("rate_limited", "too many");
  };
  await world.passes(3_000);
  assert.equal(world.turns.showsAccounts(), false);
  assert.deepEqual(new Set(world.failures), new Set(["rate_limited"]), "and it is reported");
});

test("while a node lists token accounts and no signatures, blocks are read", async (t) => {
  begin(t);
  const { world, one } = await tenAddresses();
  const [other = ""] = strangers(1);
  world.accounts.set(one, new Map([[other, 0n]]));
  await world.pass();
  const { slot } = world.name([other]);
  world.hook = (method) => {
    if (method === "getSignaturesForAddress") throw new NodeError("refused", "no index");
    return undefined;
  };
  await world.passes(3_000);
  // Idle passes read no blocks.
  assert.equal(world.turns.showsAccounts(), false, "passes still read by holdings only");
  assert.ok(slot > 0);
});
