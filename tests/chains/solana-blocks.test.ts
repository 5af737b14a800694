/**
 * Slots without a block, finality, and nodes that lack blocks or are of another chain. LiteSVM behind our
 * front.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import pino from "pino";
import { nodeCounters } from "#lib/chains/node-metrics.ts";
import { USDT_MINT } from "#lib/dev-chains/solana-node/genesis.ts";
import { sendSol, sendSolanaUsdt } from "#lib/dev-chains/solana-node/pay.ts";
import { type SolanaNode, startSolanaNode } from "#lib/dev-chains/solana-node/start-solana-node.ts";
import { owning } from "#tests/support/bitcoin-adapter.ts";
import { type FakeNode, startFakeNode } from "#tests/support/fake-node.ts";
import { isNodeError } from "#tests/support/node-errors.ts";
import { bookOf, fillPool, solana, solanaAdapter, solanaAddress, solanaWith } from "#tests/support/solana.ts";
import { until } from "#tests/support/until.ts";
import { openWatchedNetwork, polledOften } from "#tests/support/watched-network.ts";
import { mintOf } from "./solana-programs.ts";

const COIN = { network: "solana", token: "sol" } as const;
let node: SolanaNode;
let fake: FakeNode;
let next = 0;

before(async () => {
  node = await startSolanaNode({ finalizedLag: 0 });
  fake = await startFakeNode(node.url);
});
after(async () => {
  await fake.close();
  await node.stop();
});

const open = (url = node.url) => solanaAdapter(url);
const hashAt = (slot: number) => node.chain.block(slot)?.hash;

/** Blocks at b, b+4 (which holds the payment), b+5 and b+9: three times three skipped slots. */
async function withSkippedSlots() {
  const to = solanaAddress(next++);
  node.chain.mine();
  const base = node.chain.finalized().slot;
  const hash = await sendSol(node.url, [[to, 3_000_000n]]);
  node.chain.mine(1, { skip: 3 });
  node.chain.mine();
  node.chain.mine(1, { skip: 3 });
  return { to, hash, base, ours: owning(to) };
}

test("skipped slots are not a gap: parts of scans connect wherever they begin and end", async () => {
  const { to, hash, base, ours } = await withSkippedSlots();
  const adapter = open();
  assert.equal((await adapter.blocks.fetchHead()).height, base + 9);
  const whole = await adapter.blocks.scan({ from: base + 1, to: base + 9 }, ours);
  assert.deepEqual([whole.parentHash, whole.tipHash], [hashAt(base), hashAt(base + 9)]);
  assert.deepEqual(
    whole.transfers.map(({ txHash, address, block }) => [txHash, address, block?.height]),
    [[hash, to, base + 4]],
  );
  for (let split = base + 1; split < base + 9; split++) {
    const first = await adapter.blocks.scan({ from: base + 1, to: split }, ours);
    const second = await adapter.blocks.scan({ from: split + 1, to: base + 9 }, ours);
    assert.equal(first.parentHash, whole.parentHash);
    assert.equal(second.parentHash, first.tipHash, `split after ${split}`);
    assert.equal(await adapter.blocks.fetchHash(split), first.tipHash, `the hash of ${split}`);
    assert.equal(second.tipHash, whole.tipHash);
    assert.equal(first.transfers.length + second.transfers.length, 1);
  }
  const nothing = await adapter.blocks.scan({ from: base + 6, to: base + 7 }, ours);
  assert.deepEqual(nothing, { transfers: [], tipHash: hashAt(base + 5), parentHash: hashAt(base + 5) });
});

test("never takes a block that a node lacks for a skipped slot, wherever it is in the range", async () => {
  const { to, base, ours } = await withSkippedSlots();
  const lacks = (slot: number) => {
    fake.twist = async ({ method, params }, pass) => {
      if (method === "getBlock" && params[0] === slot) {
        throw Object.assign(new Error(`Slot ${slot} was skipped`), { code: -32_007 });
      }
      if (!method.startsWith("getBlocks")) return undefined;
      return ((await pass()) as number[]).filter((listed) => listed !== slot);
    };
  };
  const adapter = open(fake.url);
  await adapter.blocks.checkIdentity();
  lacks(base + 4);
  for (const [from, until] of [
    [base + 1, base + 9],
    [base + 1, base + 4],
    [base + 4, base + 4],
    [base + 3, base + 4],
    [base + 4, base + 5],
  ] as const) {
    const reading = adapter.blocks.scan({ from, to: until }, ours);
    await assert.rejects(reading, isNodeError("inconsistent"), `${from} to ${until}`);
  }
  await assert.rejects(adapter.blocks.fetchHash(base + 4), isNodeError("inconsistent"));
  fake.twist = null;
  assert.equal((await adapter.blocks.scan({ from: base + 1, to: base + 9 }, owning(to))).transfers.length, 1);
});

test("reports only final payments: before, the transaction is only pending", async (t) => {
  const lagging = await startSolanaNode({ finalizedLag: 5 });
  t.after(() => lagging.stop());
  const { chain, url } = lagging;
  chain.mine(8);
  const to = solanaAddress(next++);
  const adapter = open(url);
  const hash = await sendSol(url, [[to, 2_000_000n]]);
  assert.equal((await adapter.transactions!.fetchStatus(hash)).kind, "unknown");
  chain.mine();
  const block = chain.blocks().at(-1)!;
  for (let blocks = 0; blocks < 5; blocks++) {
    assert.equal((await adapter.blocks.fetchHead()).height, block.slot - 5 + blocks);
    assert.deepEqual(await adapter.transactions!.fetchStatus(hash), { kind: "pending" });
    assert.deepEqual((await adapter.transactions!.fetchPayments(hash))!, {
      block: null,
      failed: false,
      payments: null,
      inconclusiveToken: null,
      spends: [],
    });
    assert.equal(await adapter.transactions!.fetchRecord(hash), null);
    const held = await adapter.nodes.withOne({ lastBlock: null }, (one) =>
      one.custody!.fetchBalances([to], null),
    );
    assert.deepEqual(held.balances, []);
    assert.equal(await adapter.blocks.fetchHash(block.slot), null);
    await assert.rejects(
      adapter.blocks.scan({ from: block.slot, to: block.slot }, owning(to)),
      isNodeError("inconsistent"),
    );
    chain.mine();
  }
  const { slot: blockHeight, hash: blockHash } = block;
  assert.deepEqual(await adapter.transactions!.fetchStatus(hash), {
    kind: "confirmed",
    blockHeight,
    blockHash,
  });
  assert.equal(
    (await adapter.blocks.scan({ from: blockHeight, to: blockHeight }, owning(to))).transfers.length,
    1,
  );
});

test("a watcher credits payments between skipped slots, and one that starts among them continues", async (t) => {
  const watched = await openWatchedNetwork(polledOften(solana(node.url)), COIN, "sol/usd=150");
  t.after(watched.close);
  await fillPool(watched.db, 20, 500);
  let watcher = watched.watch();
  await until("the watcher's start", () => watched.cursor());
  const pay = async () => {
    const link = await watched.link(10);
    await sendSol(node.url, [[link.address, link.due]]);
    return link;
  };
  const links = [await pay()];
  node.chain.mine(1, { skip: 4 });
  await until("the first credit", async () =>
    (await watched.deposits()).some(({ status }) => status === "credited"),
  );
  await watcher.stop();
  // More than a batch of slots, most without a block: some scans begin or end at an empty slot.
  for (let i = 0; i < 6; i++) {
    links.push(await pay());
    node.chain.mine(1, { skip: 7 });
    node.chain.mine(2, { skip: i });
  }
  watcher = watched.watch();
  await until("every credit", async () => {
    const rows = await watched.deposits();
    return rows.length === links.length && rows.every(({ status }) => status === "credited");
  });
  await until("the watcher to be at the head", async () => {
    const cursor = await watched.cursor();
    return cursor?.hash === node.chain.finalized().hash && cursor.error === null;
  });
  assert.equal(
    await watched.balance(),
    links.reduce((sum, { due }) => sum + due, 0n),
  );
  assert.deepEqual((await watched.ledger()).problems, []);
});

test("refuses a node of another chain, and a mint that does not exist or has other decimals", async () => {
  const at = (contracts: Record<string, string>, chain: string | null) =>
    solanaWith(contracts, [node.url], { chain }).find("test", "solana")!;
  await at({ usdt: USDT_MINT }, "development").blocks.checkIdentity();
  await assert.rejects(at({}, null).blocks.checkIdentity(), /the node is of development, not of devnet/);
  await assert.rejects(
    at({ usdt: solanaAddress(0) }, "development").blocks.checkIdentity(),
    /no mint of usdt/,
  );
  const mint = await mintOf(node, 9);
  await assert.rejects(at({ usdt: mint }, "development").blocks.checkIdentity(), /9 decimals, not 6/);
  // Without a mint in the environment the token is not received there, and the node is not asked about it.
  const without = at({}, "development");
  await without.blocks.checkIdentity();
  const address = solanaAddress(next++);
  await sendSolanaUsdt(node.url, [[address, 1_000_000n]]);
  node.chain.mine();
  const { height } = await without.blocks.fetchHead();
  assert.deepEqual((await without.blocks.scan({ from: height, to: height }, owning(address))).transfers, []);
  assert.throws(
    () => without.addresses.buildPaymentUri({ address, token: "usdt", amount: 1n }),
    /not received/,
  );
});

test("the fee is one signature's and the median priority fee of recent blocks, rounded up, never a guess", async () => {
  const adapter = open(fake.url);
  const fees = (...prices: unknown[]) => {
    fake.twist = ({ method }) =>
      method === "getRecentPrioritizationFees"
        ? prices.map((prioritizationFee, slot) => ({ slot, prioritizationFee }))
        : undefined;
    return adapter.feeRates!.fetch();
  };
  const flat = (fee: bigint) => ({ kind: "flat", coin: "sol", fee });
  assert.deepEqual(await fees(), flat(5_000n));
  // 50,000 compute units at 30 micro-lamports each are 1.5 lamports.
  assert.deepEqual(await fees(0, 90_000, 30), flat(5_002n));
  assert.deepEqual(await fees(100_000, 100_000), flat(10_000n));
  await assert.rejects(fees(-1), isNodeError("malformed"));
  await assert.rejects(fees("5"), isNodeError("malformed"));
  fake.twist = null;
});

test("the development chain is the same after a kill, with its waiting transactions", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "paylink-solana-"));
  const statePath = join(folder, "solana.jsonl");
  t.after(() => rmSync(folder, { recursive: true }));
  const [a, b] = [solanaAddress(next++), solanaAddress(next++)];
  const first = await startSolanaNode({ finalizedLag: 0, statePath });
  t.after(() => first.stop());
  await sendSolanaUsdt(first.url, [[a, 5_000_000n]]);
  first.chain.mine(1, { skip: 2 });
  first.chain.mine(3);
  const waiting = await sendSol(first.url, [[b, 7_000_000n]]);
  const before = first.chain.blocks().map(({ slot, hash }) => [slot, hash]);
  // No orderly stop: everything that is kept is already on disk.
  const second = await startSolanaNode({ finalizedLag: 0, statePath });
  t.after(() => second.stop());
  assert.deepEqual(
    second.chain.blocks().map(({ slot, hash }) => [slot, hash]),
    before,
  );
  second.chain.mine();
  assert.ok(second.chain.find(waiting));
  const { transfers } = await open(second.url).blocks.scan(
    { from: 1, to: second.chain.finalized().slot },
    owning(a, b),
  );
  assert.deepEqual(
    transfers.map(({ token, amount }) => [token, amount]),
    [
      ["usdt", 5n * 10n ** 18n],
      ["sol", 7_000_000n],
    ],
  );
});

test("credits no balance that was there before, when an answer lacks what was there before", async () => {
  const to = solanaAddress(next++);
  for (const amount of [5_000_000n, 1_000_000n]) {
    await sendSolanaUsdt(node.url, [[to, amount]]);
    node.chain.mine();
  }
  const adapter = open(fake.url);
  const at = node.chain.finalized().slot;
  const scan = () => adapter.blocks.scan({ from: at, to: at }, owning(to));
  fake.twist = async ({ method }, pass) => (method === "getBlock" ? cut(await pass()) : undefined);
  await assert.rejects(scan(), isNodeError("inconsistent"));
  fake.twist = null;
  assert.deepEqual(
    (await scan()).transfers.map(({ amount }) => amount),
    [10n ** 18n],
  );
});

test("a block full of transactions that name our accounts only after them costs few calls, and is proven whole", async () => {
  const to = solanaAddress(next++);
  await sendSolanaUsdt(node.url, [[to, 1_000_000n]]);
  node.chain.mine();
  const sent: string[] = [];
  for (let i = 1n; i <= 30n; i++) sent.push(await sendSolanaUsdt(node.url, [[to, i]]));
  node.chain.mine();
  const adapter = open(fake.url);
  const at = node.chain.finalized().slot;
  const scan = () => adapter.blocks.scan({ from: at, to: at }, owning(to));
  fake.calls.length = 0;
  fake.twist = async (_, pass) => cut(await pass());
  const { transfers } = await scan();
  assert.deepEqual(
    transfers.map(({ txHash }) => txHash),
    sent,
  );
  const asked = fake.calls.map(({ method }) => method);
  assert.ok(asked.length <= 8, `${asked}`);
  const isShort = (params: readonly unknown[]) => Object(params[1]).transactionDetails === "accounts";
  fake.twist = async ({ params }, pass) => (isShort(params) ? cut(await pass()) : undefined);
  await assert.rejects(scan(), isNodeError("inconsistent"));
  fake.twist = null;
  assert.deepEqual(
    (await scan()).transfers.map(({ amount }) => amount),
    sent.map((_, i) => BigInt(i + 1) * 10n ** 12n),
  );
});

/** An answer of a node without the tokens that accounts had before each transaction. */
function cut(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cut);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, one]) => [
    name,
    name === "preTokenBalances" ? [] : cut(one),
  ]);
  return Object.fromEntries(fields);
}

test("a late slot whose block lacks its payment holds back no other, and is given up with an alarm", async () => {
  const ours = [solanaAddress(next++), solanaAddress(next++)];
  const errors: string[] = [];
  const log = pino({ level: "error" }, { write: (line) => void errors.push(line) });
  const tools = { log, counters: nodeCounters };
  const adapter = solanaWith({ usdt: USDT_MINT }, [fake.url], tools).find("test", "solana")!;
  adapter.addressWatch?.watch(bookOf(() => ours));
  const newest = () => node.chain.finalized().slot;
  const start = newest() + 1;
  const gone = await sendSol(node.url, [[ours[0]!, 3_000_000n]]);
  node.chain.mine();
  const paid = await sendSol(node.url, [[ours[1]!, 4_000_000n]]);
  node.chain.mine();
  const isWhole = (params: readonly unknown[]) => Object(params[1]).transactionDetails === "accounts";
  fake.twist = async ({ params }, pass) =>
    isWhole(params) ? { ...Object(await pass()), transactions: [], rewards: [] } : undefined;
  for (let slot = start; slot <= newest(); slot++) {
    await adapter.blocks.fetchHead();
    await adapter.blocks.scan({ from: slot, to: slot }, owning(...ours));
  }
  fake.twist = null;
  for (let slot = 0; slot < 3 * 32; slot++) {
    node.chain.mine();
    await adapter.blocks.fetchHead();
    await adapter.blocks.scan({ from: newest(), to: newest() }, owning(...ours));
  }
  let lost: unknown = null;
  fake.twist = async ({ params }, pass) => {
    if (!isWhole(params)) return undefined;
    lost ??= params[0];
    return params[0] === lost ? { ...Object(await pass()), transactions: [], rewards: [] } : undefined;
  };
  const hashes = new Set<string>();
  for (let pass = 0; pass < 110; pass++) {
    const late = await adapter.nodes.withOne({ lastBlock: null }, (one) =>
      one.late!.list(newest(), owning(...ours)),
    );
    for (const { txHash } of late.transfers) hashes.add(txHash);
    late.done();
  }
  assert.equal(hashes.size, 1, "the other payment is found");
  assert.ok(hashes.has(gone) || hashes.has(paid));
  const givenUp = errors.filter((line) => line.includes("is not read again"));
  const [missed = ""] = [gone, paid].filter((hash) => !hashes.has(hash));
  assert.deepEqual([givenUp.length, givenUp[0]?.includes(missed)], [1, true]);
  const { values } = await nodeCounters.givenUp.get();
  assert.deepEqual(
    values.map(({ value }) => value),
    [1],
  );
  fake.twist = null;
});
