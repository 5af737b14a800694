/**
 * Answers of a Solana node that are empty, short or repeated by a fault: none of them hides a payment. LiteSVM behind our
 * front.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { generateKeyPairSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { getTransferCheckedInstruction } from "@solana-program/token";
import pino from "pino";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { FAUCET_USDT, USDT_MINT } from "#lib/dev-chains/solana-node/genesis.ts";
import { sendInstructions, sendSol, sendSolanaUsdt } from "#lib/dev-chains/solana-node/pay.ts";
import { owning } from "#tests/support/bitcoin-adapter.ts";
import type { Twist } from "#tests/support/fake-node.ts";
import { isNodeError } from "#tests/support/node-errors.ts";
import { bookOf, newPayer, solanaAddress, solanaWith, tokenAccountOf } from "#tests/support/solana.ts";
import { SolanaWorld } from "#tests/support/solana-world.ts";

const world = new SolanaWorld();
let next = 800;

const LIST = "getSignaturesForAddress";

/** An adapter behind the fake that looks for these addresses, and what it warned of. */
function open(ours: readonly string[]) {
  world.fake.twist = null;
  const warnings: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => void warnings.push(line) });
  const adapter = solanaWith({ usdt: USDT_MINT }, [world.fake.url], { log }).find("test", "solana")!;
  adapter.addressWatch?.watch(bookOf(() => ours));
  return { adapter, warnings };
}

/** Reads the slots from here to the head, as a watcher does. */
async function read(adapter: NetworkAdapter, ours: readonly string[], from: number) {
  world.fake.calls.length = 0;
  await adapter.blocks.fetchHead();
  const { transfers } = await adapter.blocks.scan({ from, to: world.newest() }, owning(...ours));
  const isWhole = (params: readonly unknown[]) => Object(params[1]).transactionDetails === "accounts";
  return {
    hashes: transfers.map(({ txHash }) => txHash),
    whole: world.fake.calls.filter(({ params }) => isWhole(params)).length,
    calls: world.fake.calls.length,
  };
}

/** A payment between empty blocks. Returns its hash and the first slot of the range. */
async function payBetween(send: () => Promise<string>, blocks = 15) {
  const from = world.newest() + 1;
  world.node.chain.mine(blocks);
  const hash = await send();
  world.node.chain.mine(blocks);
  return { hash, from };
}

const silent =
  (...methods: readonly string[]): Twist =>
  ({ method }) =>
    methods.includes(method) ? [] : undefined;

/** USDT to a token account that exists: the transaction does not name its owner. */
const payToAccount = async (to: string, amount = 2_000_000n) =>
  sendInstructions(world.node.url, world.payer, [
    getTransferCheckedInstruction({
      source: FAUCET_USDT,
      mint: USDT_MINT,
      destination: await tokenAccountOf(to, USDT_MINT),
      authority: world.payer,
      amount,
      decimals: 6,
    }),
  ]);

test("an empty list of an address does not hide a payment, at the first look and later", async () => {
  const ours = [solanaAddress(next++)];
  const { adapter, warnings } = open(ours);
  const first = await payBetween(() => sendSol(world.node.url, [[ours[0]!, 3_000_000n]]));
  world.fake.twist = silent(LIST);
  assert.deepEqual((await read(adapter, ours, first.from)).hashes, [first.hash]);
  const second = await payBetween(() => sendSol(world.node.url, [[ours[0]!, 4_000_000n]]));
  assert.deepEqual((await read(adapter, ours, second.from)).hashes, [second.hash]);
  assert.equal(warnings.filter((line) => line.includes("does not explain")).length, 1);
  // Payments in whole blocks are known: while nothing is paid, the lists suffice again.
  const from = world.newest() + 1;
  world.node.chain.mine(15);
  const quiet = await read(adapter, ours, from);
  assert.deepEqual([quiet.hashes, quiet.whole], [[], 0]);
});

test("a list without one of two payments does not hide it", async () => {
  const ours = [solanaAddress(next++)];
  const { adapter } = open(ours);
  const from = world.newest() + 1;
  const hashes: string[] = [];
  for (const amount of [2_000_000n, 2_000_001n, 2_000_002n]) {
    hashes.push(await sendSol(world.node.url, [[ours[0]!, amount]]));
    world.node.chain.mine(8);
  }
  for (const left of [0, 1, 2]) {
    world.fake.twist = async ({ method }, pass) =>
      method === LIST
        ? ((await pass()) as { signature: string }[]).filter(({ signature }) => signature !== hashes[left])
        : undefined;
    const found = await read(adapter, ours, from);
    assert.deepEqual(found.hashes, hashes, `without number ${left}`);
  }
});

test("neither an empty list of token accounts nor one of a token account hides a payment", async () => {
  const ours = [solanaAddress(next++)];
  await sendSolanaUsdt(world.node.url, [[ours[0]!, 1_000_000n]]);
  world.node.chain.mine();
  for (const twist of [
    async (...[{ method }, pass]: Parameters<Twist>) =>
      method === "getTokenAccountsByOwner" ? { ...((await pass()) as object), value: [] } : undefined,
    async (...[{ method, params }, pass]: Parameters<Twist>) =>
      method === LIST && params[0] !== ours[0] ? [] : pass(),
    silent(LIST),
  ]) {
    const { adapter } = open(ours);
    const { hash, from } = await payBetween(() => payToAccount(ours[0]!));
    world.fake.twist = twist;
    assert.deepEqual((await read(adapter, ours, from)).hashes, [hash]);
    const later = await payBetween(() => payToAccount(ours[0]!));
    assert.deepEqual((await read(adapter, ours, later.from)).hashes, [later.hash]);
  }
});

test("a history that a node no longer has costs one look at whole blocks, not each", async () => {
  const ours = [solanaAddress(next++)];
  await sendSol(world.node.url, [[ours[0]!, 5_000_000n]]);
  world.node.chain.mine(2);
  const { adapter } = open(ours);
  const start = world.newest() + 1;
  const recent = async ({ method }: { method: string }, pass: () => Promise<unknown>) =>
    method === LIST ? ((await pass()) as { slot: number }[]).filter(({ slot }) => slot >= start) : undefined;
  world.fake.twist = recent;
  world.node.chain.mine(20);
  assert.equal((await read(adapter, ours, start)).whole, 20);
  const { hash, from } = await payBetween(() => sendSol(world.node.url, [[ours[0]!, 6_000_000n]]));
  const found = await read(adapter, ours, from);
  assert.deepEqual([found.hashes, found.whole], [[hash], 1]);
});

test("looks at newer blocks prove nothing for older ones", async () => {
  const ours = [solanaAddress(next++)];
  const { adapter } = open(ours);
  const { hash, from } = await payBetween(() => sendSol(world.node.url, [[ours[0]!, 3_000_000n]]));
  world.fake.twist = silent(LIST);
  for (const blocks of [1, 5, 5, 5]) {
    world.node.chain.mine(blocks);
    assert.deepEqual((await read(adapter, ours, world.newest() - blocks + 1)).hashes, []);
  }
  assert.deepEqual((await read(adapter, ours, from)).hashes, [hash]);
});

test("whatever lists leave out at random, each payment is found in the pass that reads its block", async () => {
  const ours = [solanaAddress(next++), solanaAddress(next++)];
  await sendSolanaUsdt(world.node.url, [[ours[0]!, 1_000_000n]]);
  world.node.chain.mine();
  const { adapter } = open(ours);
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  let wholes = 0;
  let paid = 0;
  for (let pass = 0; pass < 40; pass++) {
    const from = world.newest() + 1;
    const sent: string[] = [];
    for (let i = 0; i < 3; i++) {
      world.node.chain.mine(2 + Math.floor(random() * 4));
      if (random() < 0.5) continue;
      paid += 1;
      const amount = 2_000_000n + BigInt(pass * 3 + i);
      const toAccount = random() < 0.5;
      const to = ours[Math.floor(random() * 2)]!;
      sent.push(await (toAccount ? payToAccount(ours[0]!, amount) : sendSol(world.node.url, [[to, amount]])));
    }
    world.node.chain.mine(2);
    const faulty = random();
    world.fake.twist = async ({ method }, passOn) => {
      if (faulty < 0.3) return undefined;
      if (method === LIST) {
        const listed = (await passOn()) as unknown[];
        return faulty > 0.8 ? [] : listed.filter(() => random() < 0.7);
      }
      if (method !== "getTokenAccountsByOwner" || random() < 0.5) return undefined;
      return { ...((await passOn()) as object), value: [] };
    };
    const found = await read(adapter, ours, from);
    assert.deepEqual(found.hashes.toSorted(), sent.toSorted(), `pass ${pass}`);
    if (found.whole > sent.length) wholes += 1;
  }
  assert.ok(paid > 40 && wholes > 0 && wholes < 40, `${paid} payments, ${wholes} passes of whole blocks`);
});

test("a payment above the head that is listed once, and then left out, is found", async () => {
  const ours = [solanaAddress(next++)];
  const { adapter } = open(ours);
  const first = world.newest() + 1;
  world.node.chain.mine(15);
  const from = world.newest() + 1;
  let paid: Promise<string> | null = null;
  // Between the head and what the addresses hold.
  const pay = async () => {
    const hash = await sendSol(world.node.url, [[ours[0]!, 3_000_000n]]);
    world.node.chain.mine(2);
    return hash;
  };
  world.fake.twist = async ({ method }) => {
    if (method !== "getMultipleAccounts") return undefined;
    paid ??= pay();
    await paid;
    return undefined;
  };
  assert.deepEqual((await read(adapter, ours, first)).hashes, []);
  const hash = await paid;
  world.node.chain.mine(15);
  world.fake.twist = silent(LIST);
  assert.deepEqual((await read(adapter, ours, from)).hashes, [hash]);
});

test("a transaction that names many of our addresses is read once", async () => {
  const ours = Array.from({ length: 8 }, () => solanaAddress(next++));
  const { adapter } = open(ours);
  const start = world.newest() + 1;
  world.node.chain.mine(40);
  await read(adapter, ours, start);
  const { hash, from } = await payBetween(
    () =>
      sendSol(
        world.node.url,
        ours.map((address) => [address, 2_000_000n]),
      ),
    20,
  );
  const { hashes } = await read(adapter, ours, from);
  assert.deepEqual(new Set(hashes), new Set([hash]));
  assert.equal(world.fake.calls.filter(({ method }) => method === "getTransaction").length, 1);
});

test("transactions that only name our addresses cost no more calls than whole blocks", async () => {
  const ours = Array.from({ length: 8 }, () => solanaAddress(next++));
  const { adapter } = open(ours);
  const start = world.newest() + 1;
  world.node.chain.mine(40);
  await read(adapter, ours, start);
  const from = world.newest() + 1;
  for (let i = 0; i < 60; i++) {
    await sendSol(
      world.node.url,
      ours.map((address) => [address, 2_000_000n + BigInt(i)]),
    );
    if (i % 2 === 0) world.node.chain.mine();
  }
  world.node.chain.mine(10);
  const slots = world.newest() - from + 1;
  const { hashes, whole } = await read(adapter, ours, from);
  assert.deepEqual([new Set(hashes).size, whole], [60, slots]);
  assert.ok(world.fake.calls.filter(({ method }) => method === "getTransaction").length <= slots);
});

test("a failed transaction and a payment of the address itself are explained", async () => {
  const owner = await newPayer(world.node.url);
  world.node.chain.mine();
  const ours = [owner.address];
  const { adapter, warnings } = open(ours);
  const from = world.newest() + 1;
  const pay = (amount: bigint) =>
    sendInstructions(
      world.node.url,
      owner,
      [getTransferSolInstruction({ source: owner, destination: world.payer.address, amount })],
      { skipPreflight: true },
    );
  await pay(1_000_000n);
  await pay(10n ** 18n);
  await sendSol(world.node.url, [[owner.address, 7_000_000n]]);
  world.node.chain.mine(30);
  const found = await read(adapter, ours, from);
  assert.deepEqual([found.hashes.length, found.whole, warnings], [1, 1, []]);
});

test("a block that lacks a transaction that the list names is not believed", async () => {
  const ours = [solanaAddress(next++)];
  const { adapter } = open(ours);
  const { hash, from } = await payBetween(() => sendSol(world.node.url, [[ours[0]!, 3_000_000n]]));
  await sendSol(world.node.url, [[(await generateKeyPairSigner()).address, 3_000_000n]]);
  world.fake.twist = withoutTransaction((signature) => signature === hash);
  await assert.rejects(read(adapter, ours, from), isNodeError("inconsistent"));
  world.fake.twist = null;
  assert.deepEqual((await read(adapter, ours, from)).hashes, [hash]);
});

test("a block whose transactions paid less than its leader got is not believed", async () => {
  const ours = [solanaAddress(next++)];
  const adapter = solanaWith({ usdt: USDT_MINT }, [world.fake.url]).find("test", "solana")!;
  world.fake.twist = null;
  const { hash, from } = await payBetween(() => sendSol(world.node.url, [[ours[0]!, 3_000_000n]]), 2);
  world.fake.twist = withoutTransaction(() => true);
  await assert.rejects(read(adapter, ours, from), isNodeError("inconsistent"));
  world.fake.twist = null;
  assert.deepEqual((await read(adapter, ours, from)).hashes, [hash]);
});

test("a block that is empty by a fault hides no payment for long", async () => {
  const ours = [solanaAddress(next++), solanaAddress(next++)];
  const { adapter } = open(ours);
  const start = world.newest() + 1;
  const paid = await sendSol(world.node.url, [[ours[0]!, 3_000_000n]]);
  world.node.chain.mine();
  world.fake.twist = async ({ params }, pass) => {
    if (Object(params[1]).transactionDetails !== "accounts") return undefined;
    return { ...Object(await pass()), transactions: [], rewards: [] };
  };
  assert.deepEqual((await read(adapter, ours, start)).hashes, []);
  world.fake.twist = null;
  const late = () =>
    adapter.nodes.withOne({ lastBlock: null }, (one) => one.late!.list(world.newest(), owning(...ours)));
  // Each of the two is asked about once: one address in 32 slots.
  let calls = 0;
  for (let slot = 0; slot < 3 * 32; slot++) {
    world.node.chain.mine();
    const seen = await read(adapter, ours, world.newest());
    assert.equal(seen.whole, 1);
    calls += seen.calls;
  }
  const found = await late();
  assert.deepEqual(
    found.transfers.map(({ txHash }) => txHash),
    [paid],
  );
  found.done();
  assert.deepEqual((await late()).transfers, []);
  // Four calls for each slot, and two for each address.
  assert.ok(calls <= 4 * 96 + 4 * 2, `${calls} calls for 96 slots`);
});

test("a page that comes again and again is refused", async () => {
  const ours = [solanaAddress(next++)];
  const { adapter } = open(ours);
  const { from } = await payBetween(() => sendSol(world.node.url, [[ours[0]!, 3_000_000n]]));
  let first: unknown;
  let pages = 0;
  world.fake.twist = async ({ method }, pass) => {
    if (method !== LIST) return undefined;
    pages += 1;
    // A list that never ends.
    if (pages > 20) throw new Error("asked too often");
    first ??= await pass();
    return first;
  };
  await assert.rejects(read(adapter, ours, from), isNodeError("malformed"));
});

test("an address with ever new transactions holds back no pass: the blocks are read instead", async () => {
  const ours = [solanaAddress(next++)];
  const { adapter } = open(ours);
  const { hash, from } = await payBetween(() => sendSol(world.node.url, [[ours[0]!, 3_000_000n]]));
  let count = 0;
  world.fake.twist = ({ method }) => {
    if (method !== LIST) return undefined;
    if (count > 50_000) throw new Error("asked too often");
    const newSignature = () => String(count++).replaceAll("0", "a").padStart(64, "z");
    return Array.from({ length: 1_000 }, () => ({
      signature: newSignature(),
      slot: world.newest(),
      err: null,
    }));
  };
  assert.deepEqual((await read(adapter, ours, from)).hashes, [hash]);
  assert.ok(count <= 40_000, `${count} signatures`);
});

/** Leaves transactions out of whole blocks. */
const withoutTransaction =
  (isLeftOut: (signature: string) => boolean): Twist =>
  async ({ method, params }, pass) => {
    if (method !== "getBlock" || Object(params[1]).transactionDetails !== "accounts") return undefined;
    const block = (await pass()) as { transactions: { transaction: { signatures: string[] } }[] };
    const transactions = block.transactions.filter(
      ({ transaction }) => !isLeftOut(transaction.signatures[0]!),
    );
    return { ...block, transactions };
  };
