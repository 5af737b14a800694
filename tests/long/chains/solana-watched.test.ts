/**
 * Reading only the blocks that name a watched address: the same payments as in all blocks, with few calls. LiteSVM behind
 * our front.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Address, generateKeyPairSigner, type KeyPairSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  AuthorityType,
  getCloseAccountInstruction,
  getSetAuthorityInstruction,
  getTransferCheckedInstruction,
} from "@solana-program/token";
import pino from "pino";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { FAUCET_USDT, USDT_MINT } from "#lib/dev-chains/solana-node/genesis.ts";
import { sendSol, sendSolanaUsdt } from "#lib/dev-chains/solana-node/pay.ts";
import { owning } from "#tests/support/bitcoin-adapter.ts";
import { isNodeError } from "#tests/support/node-errors.ts";
import { bookOf, newPayer, solanaAddress, solanaWith, tokenAccountOf } from "#tests/support/solana.ts";
import { SolanaWorld } from "#tests/support/solana-world.ts";

const world = new SolanaWorld();
let next = 500;

/** An adapter behind the fake. With addresses it looks only for these. */
function open(addresses?: () => readonly string[], log = pino({ level: "silent" })): NetworkAdapter {
  world.fake.twist = null;
  const adapter = solanaWith({ usdt: USDT_MINT }, [world.fake.url], { log }).find("test", "solana")!;
  if (addresses) adapter.addressWatch?.watch(bookOf(addresses));
  return adapter;
}

/** Reads slots from..to in parts, as a watcher does: the head first. Says which calls it took. */
async function read(
  adapter: NetworkAdapter,
  ours: readonly string[],
  { from, to, part = 64 }: { from: number; to: number; part?: number },
) {
  world.fake.calls.length = 0;
  const transfers = [];
  for (let at = from; at <= to; at += part) {
    await adapter.blocks.fetchHead();
    const range = { from: at, to: Math.min(to, at + part - 1) };
    transfers.push(...(await adapter.blocks.scan(range, owning(...ours))).transfers);
  }
  const whole = world.fake.calls
    .filter(({ params }) => isWhole(params))
    .map(({ params }) => Number(params[0]));
  return { transfers, whole, calls: world.fake.calls.length };
}

const isWhole = (params: readonly unknown[]) => Object(params[1]).transactionDetails === "accounts";

const transfer = (source: Address, destination: Address, authority: KeyPairSigner, amount: bigint) =>
  getTransferCheckedInstruction({ source, mint: USDT_MINT, destination, authority, amount, decimals: 6 });

test("finds every payment that reading all blocks finds, and reads no other block", async () => {
  const owner = await newPayer(world.node.url);
  const to = solanaAddress(next++);
  await sendSolanaUsdt(world.node.url, [[to, 1_000_000n]]);
  world.node.chain.mine(2);
  const ours = [owner.address, to];
  const from = world.newest() + 1;
  world.node.chain.mine(20);
  const sol = getTransferSolInstruction({
    source: world.payer,
    destination: to as Address,
    amount: 3_000_000n,
  });
  const paid = [await world.pay(sol)];
  world.node.chain.mine(5);
  // Nothing but the existing token account is named.
  const ata = await tokenAccountOf(to, USDT_MINT);
  paid.push(await world.pay(transfer(FAUCET_USDT, ata, world.payer, 2_000_000n)));
  // A failed one pays nothing, and its block is not read.
  await world.pay(sol, transfer(FAUCET_USDT, ata, world.payer, 10n ** 17n));
  // Another account than the associated one.
  const other = await world.openTokenAccount(to as Address);
  paid.push(await world.pay(transfer(FAUCET_USDT, other, world.payer, 4_000_000n)));
  // An account that is given to us, with what is in it.
  const given = await generateKeyPairSigner();
  await sendSolanaUsdt(world.node.url, [[given.address, 5_000_000n]]);
  world.node.chain.mine();
  paid.push(
    await world.pay(
      getSetAuthorityInstruction({
        owned: await tokenAccountOf(given.address, USDT_MINT),
        owner: given,
        authorityType: AuthorityType.AccountOwner,
        newAuthority: to as Address,
      }),
    ),
  );
  // In, out, and closed: no node lists that account any more.
  const account = await world.openTokenAccount(owner.address);
  paid.push(await world.pay(transfer(FAUCET_USDT, account, world.payer, 6_000_000n)));
  const out = transfer(account, FAUCET_USDT, owner, 6_000_000n);
  const close = getCloseAccountInstruction({ account, destination: world.payer.address, owner });
  const closed = await world.pay(out, close);
  world.node.chain.mine(40);
  const range = { from, to: world.newest() };

  const all = await read(open(), ours, range);
  const watched = open(() => ours);
  const few = await read(watched, ours, range);
  assert.deepEqual(few.transfers, all.transfers);
  assert.deepEqual(
    few.transfers.map(({ block }) => block?.height),
    paid,
  );
  const readWhole = few.whole.toSorted((a, b) => a - b);
  const opened = readWhole.filter((slot) => !paid.includes(slot) && slot !== closed);
  assert.equal(opened.length, 3, "where the three other token accounts were made");
  // Parts of any size, and after a restart in between.
  const parts = await read(watched, ours, { ...range, part: 7 });
  assert.deepEqual(parts.transfers, all.transfers);
  const middle = paid[2]!;
  const before = await read(
    open(() => ours),
    ours,
    { from, to: middle - 1 },
  );
  const rest = await read(
    open(() => ours),
    ours,
    { from: middle, to: range.to },
  );
  assert.deepEqual([...before.transfers, ...rest.transfers], all.transfers);
});

test("reads 100 empty slots with a few calls, and no whole block", async () => {
  const ours = [solanaAddress(next++)];
  const from = world.newest() + 1;
  world.node.chain.mine(100);
  const range = { from, to: world.newest() };
  const [plain, watched] = [open(), open(() => ours)];
  // The proof that it is the right chain comes once.
  await Promise.all([plain.blocks.fetchHead(), watched.blocks.fetchHead()]);
  const before = await read(plain, ours, range);
  assert.deepEqual([before.whole.length, before.calls], [100, 106]);
  const after = await read(watched, ours, range);
  // For each of two parts: getSlot, the head, getBlocks, the first header and one last header. Once: three for the address, and three for its turn.
  assert.deepEqual([after.whole.length, after.calls], [0, 15]);
});

test("follows the chain with at most 5 calls a second, however many addresses, and misses no payment", async () => {
  const { pollMs, blockSeconds } = NETWORKS.solana;
  const slots = Math.round(pollMs / 1_000 / blockSeconds);
  const passes = 8;
  for (const count of [1, 5, 20, 100]) {
    const ours = Array.from({ length: count }, () => solanaAddress(next++));
    const adapter = open(() => ours);
    await read(adapter, ours, { from: world.newest(), to: world.newest() });
    const sent: string[] = [];
    const seen: string[] = [];
    let calls = 0;
    for (let pass = 0; pass < passes; pass++) {
      const from = world.newest() + 1;
      const to = ours[(pass * 7) % count]!;
      if (pass % 4 === 1) sent.push(await sendSol(world.node.url, [[to, 2_000_000n]]));
      if (pass % 4 === 3) sent.push(await sendSolanaUsdt(world.node.url, [[to, 2_000_000n]]));
      world.node.chain.mine(slots);
      const result = await read(adapter, ours, { from, to: world.newest() });
      seen.push(...result.transfers.map(({ txHash }) => txHash));
      calls += result.calls;
    }
    assert.deepEqual(seen, sent);
    const perSecond = calls / ((passes * pollMs) / 1_000);
    assert.ok(perSecond <= 5, `${count} addresses: ${perSecond.toFixed(1)} calls a second`);
  }
});

test("asks for an address that is new since, and reads all blocks where that takes fewer calls", async () => {
  const ours = [solanaAddress(next++)];
  const adapter = open(() => ours);
  const from = world.newest() + 1;
  world.node.chain.mine(20);
  const late = solanaAddress(next++);
  await sendSol(world.node.url, [[late, 2_000_000n]]);
  world.node.chain.mine(10);
  const middle = world.newest() - 15;
  assert.deepEqual((await read(adapter, ours, { from, to: middle })).whole, []);
  ours.push(late);
  const { transfers } = await read(adapter, ours, { from: middle + 1, to: world.newest() });
  assert.deepEqual(
    transfers.map(({ address }) => address),
    [late],
  );
  for (let i = 0; i < 20; i++) ours.push(solanaAddress(next++));
  world.node.chain.mine(3);
  assert.equal((await read(adapter, ours, { from: world.newest() - 2, to: world.newest() })).whole.length, 3);
});

test("reads all blocks, and says so once, where the node lists no transactions of an address", async () => {
  const lines: string[] = [];
  const ours = [solanaAddress(next++)];
  const adapter = open(() => ours, pino({ level: "warn" }, { write: (line) => void lines.push(line) }));
  world.fake.twist = ({ method }) => {
    if (method !== "getSignaturesForAddress") return undefined;
    throw Object.assign(new Error("Method not found"), { code: -32_601 });
  };
  const from = world.newest() + 1;
  await sendSol(world.node.url, [[ours[0]!, 2_000_000n]]);
  world.node.chain.mine(30);
  const { transfers, whole } = await read(adapter, ours, { from, to: world.newest(), part: 10 });
  assert.deepEqual([transfers.length, whole.length], [1, 30]);
  assert.equal(lines.filter((line) => line.includes("every block is read")).length, 1);
});

test("the probe tries out every call that finds the blocks to read, and sees a list without the newest", async () => {
  const ours = [solanaAddress(next++)];
  const adapter = open(() => ours);
  const from = world.newest() + 1;
  await sendSol(world.node.url, [[ours[0]!, 2_000_000n]]);
  world.node.chain.mine(20);
  await read(adapter, ours, { from, to: world.newest() });
  const used = new Set(world.fake.calls.map(({ method }) => method));
  await sendSol(world.node.url, [[ours[0]!, 2_000_000n]]);
  world.node.chain.mine(1);
  world.fake.calls.length = 0;
  const [good] = await adapter.nodes.probe({ all: true });
  const failing = (probe: typeof good) => probe?.checks.flatMap(({ ok, answer }) => (ok ? [] : [answer]));
  assert.deepEqual(failing(good), []);
  const asked = new Set(world.fake.calls.map(({ method }) => method));
  assert.deepEqual(
    [...used].filter((method) => !asked.has(method)),
    [],
  );
  world.fake.twist = ({ method }) => (method === "getSignaturesForAddress" ? [] : undefined);
  const [without] = await adapter.nodes.probe({ all: true });
  assert.deepEqual(failing(without), [
    "getSignaturesForAddress does not list a transaction of the newest block",
  ]);
});

test("does not believe a node that is behind, or names a slot that its blocks lack", async () => {
  const ours = [solanaAddress(next++)];
  const from = world.newest() + 1;
  await sendSol(world.node.url, [[ours[0]!, 2_000_000n]]);
  world.node.chain.mine(30);
  const range = { from, to: world.newest() };
  const adapter = open(() => ours);
  world.fake.twist = ({ method }) => {
    if (method !== "getTokenAccountsByOwner") return undefined;
    throw Object.assign(new Error("Minimum context slot has not been reached"), { code: -32_016 });
  };
  await assert.rejects(read(adapter, ours, range), isNodeError("inconsistent"));
  world.fake.twist = async ({ method }, pass) =>
    method === "getBlocks" ? ((await pass()) as number[]).filter((slot) => slot !== from) : undefined;
  await assert.rejects(read(adapter, ours, range), isNodeError("inconsistent"));
  world.fake.twist = null;
  assert.equal((await read(adapter, ours, range)).transfers.length, 1);
});

test("continues below a full page of an account's transactions", async () => {
  const ours = [solanaAddress(next++)];
  const from = world.newest() + 1;
  const hashes: string[] = [];
  for (let i = 0n; i < 5n; i++) {
    hashes.push(await sendSol(world.node.url, [[ours[0]!, 2_000_000n + i]]));
    world.node.chain.mine(4);
  }
  const adapter = open(() => ours);
  world.fake.twist = async ({ method }, pass) =>
    method === "getSignaturesForAddress" ? ((await pass()) as unknown[]).slice(0, 2) : undefined;
  const { transfers } = await read(adapter, ours, { from, to: world.newest() });
  assert.deepEqual(
    transfers.map(({ txHash }) => txHash),
    hashes,
  );
});

test("a payment that the node's index shows late is listed as late until it is recorded, also after a restart", async () => {
  const owner = await generateKeyPairSigner();
  const to = owner.address;
  const adapter = open(() => [to]);
  const start = world.newest() + 1;
  world.node.chain.mine(40);
  await read(adapter, [to], { from: start, to: world.newest() });
  world.node.chain.mine(20);
  const amount = 3_000_000n;
  const paid = await world.pay(getTransferSolInstruction({ source: world.payer, destination: to, amount }));
  // It leaves the address at once, so that what the address holds does not show it.
  await world.pay(getTransferSolInstruction({ source: owner, destination: world.payer.address, amount }));
  world.node.chain.mine(19);
  // Its index is behind its blocks.
  world.fake.twist = async ({ method }) => (method === "getSignaturesForAddress" ? [] : undefined);
  const from = start + 40;
  const missed = await read(adapter, [to], { from, to: world.newest() });
  assert.deepEqual(missed.transfers, []);
  const lateOf = (one: NetworkAdapter) =>
    one.nodes.withOne({ lastBlock: null }, (reader) => reader.late!.list(world.newest(), owning(to)));
  assert.deepEqual((await lateOf(adapter)).transfers, []);
  world.fake.twist = null;
  for (const watching of [adapter, open(() => [to])]) {
    const late = () => lateOf(watching);
    const then = world.newest() + 1;
    world.node.chain.mine(40);
    assert.deepEqual((await read(watching, [to], { from: then, to: world.newest() })).transfers, []);
    const found = await late();
    assert.deepEqual(
      found.transfers.map(({ block, amount }) => [block?.height, amount]),
      [[paid, 3_000_000n]],
    );
    assert.equal((await late()).transfers.length, 1);
    found.done();
    assert.deepEqual((await late()).transfers, []);
    // It is known now.
    const last = world.newest() + 1;
    world.node.chain.mine(40);
    await read(watching, [to], { from: last, to: world.newest() });
    assert.deepEqual((await late()).transfers, []);
  }
});

test("a slot that a node lists late and has no block of holds back no other late payment", async () => {
  const owner = await generateKeyPairSigner();
  const to = owner.address;
  const adapter = open(() => [to]);
  const start = world.newest() + 1;
  world.node.chain.mine(40);
  await read(adapter, [to], { from: start, to: world.newest() });
  const from = world.newest() + 1;
  const amount = 3_000_000n;
  const paid = await world.pay(getTransferSolInstruction({ source: world.payer, destination: to, amount }));
  await world.pay(getTransferSolInstruction({ source: owner, destination: world.payer.address, amount }));
  world.node.chain.mine(39);
  world.fake.twist = async ({ method }) => (method === "getSignaturesForAddress" ? [] : undefined);
  await read(adapter, [to], { from, to: world.newest() });
  const wrong = { signature: "1".repeat(64), slot: paid - 1, err: null };
  world.fake.twist = async ({ method, params }, pass) => {
    if (method === "getSignaturesForAddress" && Object(params[1]).before !== undefined) return [];
    if (method === "getSignaturesForAddress" && params[0] === to)
      return [...((await pass()) as { slot: number }[]).filter(({ slot }) => slot >= paid), wrong];
    if (method !== "getBlock" || params[0] !== wrong.slot) return undefined;
    throw Object.assign(new Error("skipped"), { code: -32_007 });
  };
  const then = world.newest() + 1;
  world.node.chain.mine(40);
  await read(adapter, [to], { from: then, to: world.newest() });
  const late = await adapter.nodes.withOne({ lastBlock: null }, (one) =>
    one.late!.list(world.newest(), owning(to)),
  );
  assert.deepEqual(
    late.transfers.map(({ block }) => block?.height),
    [paid],
  );
});
