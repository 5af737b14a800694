/**
 * While no payment is expected on Solana: the same payments with few calls, for 100 addresses. LiteSVM behind our front.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Address, generateKeyPairSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { getCloseAccountInstruction, getTransferCheckedInstruction } from "@solana-program/token";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { FAUCET_USDT, USDT_MINT } from "#lib/dev-chains/solana-node/genesis.ts";
import { sendSol, sendSolanaUsdt } from "#lib/dev-chains/solana-node/pay.ts";
import { owning } from "#tests/support/bitcoin-adapter.ts";
import { UNANSWERED } from "#tests/support/fake-node.ts";
import { bookOf, solanaAddress, solanaWith } from "#tests/support/solana.ts";
import { SolanaWorld } from "#tests/support/solana-world.ts";

const world = new SolanaWorld();
let next = 900;

const addresses = (count: number) => Array.from({ length: count }, () => solanaAddress(next++));

/** A watcher of these addresses that reads on from the head, idle or not, and says which calls it took. */
function watch(ours: readonly string[]) {
  const adapter: NetworkAdapter = solanaWith({ usdt: USDT_MINT }, [world.fake.url]).find("test", "solana")!;
  adapter.addressWatch?.watch(bookOf(() => ours));
  let cursor = world.newest();
  const read = async (blocks: number, isIdle = true) => {
    world.node.chain.mine(blocks);
    world.fake.calls.length = 0;
    const { height } = await adapter.blocks.fetchHead();
    const scanned = await adapter.blocks.scan({ from: cursor + 1, to: height }, owning(...ours), { isIdle });
    cursor = height;
    const isWhole = (params: readonly unknown[]) => Object(params[1]).transactionDetails === "accounts";
    const whole = world.fake.calls.filter(({ params }) => isWhole(params)).length;
    return { transfers: scanned.transfers, whole, calls: world.fake.calls.length };
  };
  return { adapter, read };
}

test("reads only the blocks that pay an address, with less than 30,000 calls a day for 100 addresses", async () => {
  const ours = addresses(100);
  const { read } = watch(ours);
  // Holdings count as soon as the blocks up to then were read.
  assert.equal((await read(100)).whole, 100);
  await read(100);
  let calls = 0;
  for (let pass = 0; pass < 6; pass++) {
    const quiet = await read(100);
    assert.deepEqual([quiet.transfers, quiet.whole], [[], 0]);
    calls += quiet.calls;
  }
  const aDay = (calls / 6) * 2_880;
  assert.ok(aDay < 30_000, `${aDay} calls a day`);
  world.node.chain.mine(20);
  const paid: string[] = [];
  for (const to of [ours[3]!, ours[70]!]) {
    paid.push(await sendSol(world.node.url, [[to, 2_000_000n]]));
    world.node.chain.mine(20);
  }
  paid.push(await sendSolanaUsdt(world.node.url, [[ours[3]!, 1_000_000n]]));
  const found = await read(40);
  assert.deepEqual(
    found.transfers.map(({ txHash }) => txHash),
    paid,
  );
  assert.equal(found.whole, 3);
  const after = await read(100);
  assert.deepEqual([after.transfers, after.whole], [[], 0]);
});

test("finds every payment once and in order, also in the passes that begin it and around a busy time", async () => {
  const ours = addresses(40);
  const { read } = watch(ours);
  const sent: string[] = [];
  const seen: string[] = [];
  for (let pass = 0; pass < 9; pass++) {
    // Two passes in the middle expect payments, and read whole blocks.
    const isBusy = pass === 4 || pass === 5;
    for (let i = 0; i < (pass === 3 ? 0 : 2); i++) {
      sent.push(await sendSol(world.node.url, [[ours[(pass * 5 + i) % 40]!, 2_000_000n]]));
      world.node.chain.mine(isBusy ? 4 : 40);
    }
    const { transfers } = await read(isBusy ? 2 : 20, !isBusy);
    seen.push(...transfers.map(({ txHash }) => txHash));
  }
  assert.deepEqual(seen, sent);
});

test("finds in turn what paid another token account, and what left at once", async () => {
  const owner = await generateKeyPairSigner();
  const to = owner.address;
  const ours = [to, ...addresses(20)];
  const { adapter, read } = watch(ours);
  for (let pass = 0; pass < 3; pass++) await read(100);
  const other = await world.openTokenAccount(to);
  const moved = { source: FAUCET_USDT, mint: USDT_MINT, destination: other, authority: world.payer };
  const paid = [
    await world.pay(getTransferCheckedInstruction({ ...moved, amount: 4_000_000n, decimals: 6 })),
  ];
  const amount = 3_000_000n;
  paid.push(await world.pay(getTransferSolInstruction({ source: world.payer, destination: to, amount })));
  await world.pay(getTransferSolInstruction({ source: owner, destination: world.payer.address, amount }));
  assert.deepEqual((await read(100)).transfers, []);
  const late = new Set<number>();
  // Every address takes its turn, and an empty turn ends the round.
  for (let pass = 0; late.size < 2 && pass < 3 * (ours.length + 2); pass++) {
    await read(100);
    const found = await adapter.nodes.withOne({ lastBlock: null }, (one) =>
      one.late!.list(world.newest(), owning(...ours)),
    );
    for (const { block } of found.transfers) late.add(block!.height);
    found.done();
  }
  assert.deepEqual(
    [...late].sort((a, b) => a - b),
    paid,
  );
});

/** Pays a token account of this address that wallets do not use, which no comparison shows. Returns the slot. */
async function payOther(to: string, read: ReturnType<typeof watch>["read"]): Promise<number> {
  for (let pass = 0; pass < 3; pass++) await read(100);
  const destination = await world.openTokenAccount(to as Address);
  const moved = { source: FAUCET_USDT, mint: USDT_MINT, destination, authority: world.payer };
  const paid = await world.pay(getTransferCheckedInstruction({ ...moved, amount: 4_000_000n, decimals: 6 }));
  // More slots than a list asks for again.
  for (let pass = 0; pass < 8; pass++) assert.deepEqual((await read(100)).transfers, []);
  return paid;
}

/** Reads on in passes of so many slots, and returns the slots of late payments. */
async function readLate(
  { adapter, read }: ReturnType<typeof watch>,
  ours: readonly string[],
  { passes, blocks, isIdle = true }: { passes: number; blocks: number; isIdle?: boolean },
) {
  const late: number[] = [];
  for (let pass = 0; pass < passes; pass++) {
    await read(blocks, isIdle);
    const found = await adapter.nodes.withOne({ lastBlock: null }, (one) =>
      one.late!.list(world.newest(), owning(...ours)),
    );
    late.push(...found.transfers.map(({ block }) => block!.height));
    found.done();
  }
  return late;
}

test("finds what paid another token account before a restart", async () => {
  const ours = addresses(5);
  const before = watch(ours);
  const paid = await payOther(ours[0]!, before.read);
  assert.deepEqual(await readLate(watch(ours), ours, { passes: 40, blocks: 100 }), [paid]);
});

test("finds what paid another token account before the network was busy, by lists or by blocks", async () => {
  for (const [count, blocks] of [
    [3, 50],
    [6, 10],
  ] as const) {
    const ours = addresses(count);
    const watched = watch(ours);
    const paid = await payOther(ours[0]!, watched.read);
    const passes = Math.ceil((2 * (count + 1) * 256) / blocks) + 6;
    assert.deepEqual(await readLate(watched, ours, { passes, blocks, isIdle: false }), [paid]);
  }
});

test("reads every block where the node does not list other token accounts", async () => {
  const ours = addresses(100);
  const { read } = watch(ours);
  world.fake.twist = ({ method }) => {
    if (method !== "getTokenAccountsByOwner") return undefined;
    throw Object.assign(new Error("Method not found"), { code: -32_601 });
  };
  for (let pass = 0; pass < 4; pass++) assert.equal((await read(100)).whole, 100);
  world.fake.twist = null;
});

/** Reads on until the turn of this address. */
async function untilTurn(address: string, read: ReturnType<typeof watch>["read"]): Promise<void> {
  const isTurn = ({ method, params }: (typeof world.fake.calls)[number]) =>
    method === "getTokenAccountsByOwner" && params[0] === address;
  do await read(100);
  while (!world.fake.calls.some(isTurn));
}

test("finds what paid another token account before a turn in which the node failed to list these accounts", async () => {
  const ours = addresses(7);
  const to = ours[3]!;
  const watched = watch(ours);
  // The first two rounds ask for earlier slots.
  for (let pass = 0; pass < 3 * 2 * (ours.length + 1); pass++) await watched.read(100);
  await untilTurn(to, watched.read);
  const destination = await world.openTokenAccount(to as Address);
  const moved = { source: FAUCET_USDT, mint: USDT_MINT, destination, authority: world.payer };
  const paid = await world.pay(getTransferCheckedInstruction({ ...moved, amount: 4_000_000n, decimals: 6 }));
  world.fake.twist = ({ method, params }) => {
    if (method !== "getTokenAccountsByOwner" || params[0] !== to) return undefined;
    throw Object.assign(new Error("Internal error"), { code: -32_603 });
  };
  await untilTurn(to, watched.read);
  world.fake.twist = null;
  const passes = 3 * 2 * (ours.length + 1);
  assert.deepEqual(await readLate(watched, ours, { passes, blocks: 100 }), [paid]);
});

test("finds what paid another token account that a sweep emptied and closed before the address's turn", async () => {
  const owner = await generateKeyPairSigner();
  const ours = [owner.address, ...addresses(5)];
  const watched = watch(ours);
  for (let pass = 0; pass < 3; pass++) await watched.read(100);
  const account = await world.openTokenAccount(owner.address);
  const [amount, decimals] = [4_000_000n, 6];
  const token = { mint: USDT_MINT, amount, decimals };
  const paid = await world.pay(
    getTransferCheckedInstruction({
      source: FAUCET_USDT,
      destination: account,
      authority: world.payer,
      ...token,
    }),
  );
  await world.pay(
    getTransferCheckedInstruction({ source: account, destination: FAUCET_USDT, authority: owner, ...token }),
    getCloseAccountInstruction({ account, destination: world.payer.address, owner }),
  );
  const passes = 3 * 2 * (ours.length + 1);
  assert.deepEqual(await readLate(watched, ours, { passes, blocks: 100 }), [paid]);
});

test("asks no more about addresses with another token account, which anyone can make", async () => {
  const ours = addresses(100);
  const { read } = watch(ours);
  for (let pass = 0; pass < 3; pass++) await read(100);
  const some = ours.slice(0, 12);
  for (const to of some) await world.openTokenAccount(to as Address);
  const paid = await sendSol(
    world.node.url,
    some.map((to) => [to, 2_000_000n] as const),
  );
  const found = await read(100);
  assert.deepEqual(new Set(found.transfers.map(({ txHash }) => txHash)), new Set([paid]));
  assert.equal(found.transfers.length, some.length);
  let calls = 0;
  for (let pass = 0; pass < 6; pass++) calls += (await read(100)).calls;
  const aDay = (calls / 6) * 2_880;
  assert.ok(aDay < 30_000, `${aDay} calls a day`);
});

test("reads every block until the node has listed other token accounts once", async () => {
  const ours = addresses(100);
  const { read } = watch(ours);
  world.fake.twist = ({ method }) => (method === "getTokenAccountsByOwner" ? UNANSWERED : undefined);
  for (let pass = 0; pass < 5; pass++) assert.equal((await read(100)).whole, 100);
  world.fake.twist = null;
  // A failed turn is followed by a pause.
  for (let pass = 0; pass < 18; pass++) await read(100);
  assert.equal((await read(100)).whole, 0);
});
