/** A node that shows a payment in part, because it leaves token accounts of a transaction out, or not at all. LiteSVM behind our front. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address } from "@solana/kit";
import { getBurnCheckedInstruction, getTransferCheckedInstruction } from "@solana-program/token";
import { FAUCET_USDT, USDT_MINT } from "#lib/dev-chains/solana-node/genesis.ts";
import { sendInstructions, sendSol, sendSolanaUsdt } from "#lib/dev-chains/solana-node/pay.ts";
import { listAttention } from "#lib/domain/attention/queries.ts";
import { owning } from "#tests/support/bitcoin-adapter.ts";
import { startFakeNode } from "#tests/support/fake-node.ts";
import { isNodeError } from "#tests/support/node-errors.ts";
import {
  bookOf,
  fillPool,
  solana,
  solanaAdapter,
  solanaAddress,
  solanaWith,
  tokenAccountOf,
} from "#tests/support/solana.ts";
import { SolanaWorld } from "#tests/support/solana-world.ts";
import { until } from "#tests/support/until.ts";
import { openWatchedNetwork, polledOften } from "#tests/support/watched-network.ts";

const USDT = 10n ** 18n;
const world = new SolanaWorld();

/** One transaction that pays two token accounts of this owner: 5 and 7 USDT. Returns the index of the first one in it. */
async function payTwoAccounts(owner: string) {
  const usual = await tokenAccountOf(owner, USDT_MINT);
  await sendSolanaUsdt(world.node.url, [[owner, 1n]]);
  world.node.chain.mine();
  const other = await world.openTokenAccount(owner as Address);
  const pay = (destination: Address, amount: bigint) =>
    getTransferCheckedInstruction({
      ...{ source: FAUCET_USDT, mint: USDT_MINT, destination, authority: world.payer, amount, decimals: 6 },
    });
  const hash = await sendInstructions(world.node.url, world.payer, [
    pay(usual, 5_000_000n),
    pay(other, 7_000_000n),
  ]);
  world.node.chain.mine();
  const { all } = world.node.chain.find(hash)!.executed.accounts;
  return { hash, slot: world.newest(), first: Math.min(all.indexOf(usual), all.indexOf(other)) };
}

/** An answer in which a transaction lacks the tokens of one of its accounts. */
function without(value: unknown, hash: string, index: number): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, hash, index));
  const { transaction, meta, transactions } = Object(value);
  if (transactions !== undefined)
    return { ...Object(value), transactions: without(transactions, hash, index) };
  if (transaction?.signatures?.[0] !== hash) return value;
  const rest = (all: readonly { accountIndex: number }[]) => all.filter((one) => one.accountIndex !== index);
  const parts = {
    preTokenBalances: rest(meta.preTokenBalances),
    postTokenBalances: rest(meta.postTokenBalances),
  };
  return { ...Object(value), meta: { ...meta, ...parts } };
}

test("a block's answer without one of the token accounts that a transaction pays is not believed", async () => {
  const owner = solanaAddress(1);
  const { hash, slot, first } = await payTwoAccounts(owner);
  const adapter = solanaAdapter(world.fake.url);
  const scan = () => adapter.blocks.scan({ from: slot, to: slot }, owning(owner));
  world.fake.twist = async ({ method }, pass) =>
    method === "getBlock" ? without(await pass(), hash, first) : undefined;
  await assert.rejects(scan(), isNodeError("inconsistent"));
  world.fake.twist = null;
  assert.deepEqual(
    (await scan()).transfers.map(({ amount }) => amount),
    [12n * USDT],
  );
});

test("a transaction of a stranger who destroys a unit stops no network whose node finds it only in its block", async () => {
  const owner = solanaAddress(130);
  await sendSolanaUsdt(world.node.url, [[owner, 1n]]);
  world.node.chain.mine();
  const destination = await tokenAccountOf(owner, USDT_MINT);
  const of = { mint: USDT_MINT, authority: world.payer, decimals: 6 };
  const hash = await sendInstructions(world.node.url, world.payer, [
    getTransferCheckedInstruction({ ...of, source: FAUCET_USDT, destination, amount: 2n }),
    getBurnCheckedInstruction({ ...of, account: FAUCET_USDT, amount: 1n }),
  ]);
  world.node.chain.mine();
  const slot = world.newest();
  const adapter = solanaAdapter(world.fake.url);
  const refuse = () => {
    throw Object.assign(new Error("no history"), { code: -32_011 });
  };
  for (const answer of [() => null, refuse]) {
    world.fake.twist = async ({ method }) => (method === "getTransaction" ? answer() : undefined);
    const { transfers } = await adapter.blocks.scan({ from: slot, to: slot }, owning(owner));
    assert.deepEqual(
      transfers.map(({ txHash, amount }) => [txHash, amount]),
      [[hash, 2n * 10n ** 12n]],
    );
  }
  world.fake.twist = null;
});

for (const [name, isPartFirst] of [
  ["read in part and later as a whole", true],
  ["read as a whole and later in part", false],
] as const) {
  test(`a payment that is ${name} is credited once, and the difference needs attention`, async (t) => {
    const watched = await openWatchedNetwork(
      polledOften(solana(world.fake.url)),
      { network: "solana", token: "usdt" },
      "usdt/usd=1",
    );
    t.after(watched.close);
    await fillPool(watched.db, 5, isPartFirst ? 100 : 110);
    let watcher = watched.watch();
    await until("the watcher's start", () => watched.cursor());
    const { address } = await watched.address();
    const { hash, slot, first } = await payTwoAccounts(address);
    // Both forms of the answer, as a node has it that stored a part.
    const inPart = async (_: unknown, pass: () => Promise<unknown>) => without(await pass(), hash, first);
    world.fake.twist = isPartFirst ? inPart : null;
    const amounts = async () =>
      (await watched.deposits())
        .filter(({ txHash, status }) => txHash === hash && status === "credited")
        .map(({ amount }) => amount);
    world.node.chain.mine(3);
    await until("the credit", async () => (await amounts()).length > 0);
    const before = await amounts();
    await watcher.stop();
    world.fake.twist = isPartFirst ? null : inPart;
    world.node.chain.mine(40);
    // Another process: it reads again what lists name before its first slot.
    watcher = watched.watch(polledOften(solana(world.fake.url)));
    world.fake.calls.length = 0;
    await until("the second reading", () =>
      Promise.resolve(
        world.fake.calls.some(
          ({ method, params }) =>
            method === "getBlock" &&
            params[0] === slot &&
            Object(params[1]).transactionDetails === "accounts",
        ),
      ),
    );
    await watched.untilReadTo(world.newest());
    world.node.chain.mine(1);
    await watched.untilReadTo(world.newest());
    world.fake.twist = null;
    assert.deepEqual(await amounts(), before);
    const marks = async () =>
      (await listAttention(watched.db, { after: null, limit: 10 })).map(({ subject }) => subject);
    assert.deepEqual(await marks(), [`transaction:test:solana:${hash}`]);
    if (!isPartFirst) await until("the mark's end", async () => (await marks()).length === 0);
    assert.deepEqual(await amounts(), before);
    assert.deepEqual((await watched.ledger()).problems, []);
  });
}

/** A payment whose block a node lacks, or shows without it, and what is read late of it with another node. */
async function readLate(number: number, lacking: "block" | "payment", otherUrl: string) {
  const isWhole = (params: readonly unknown[]) => Object(params[1]).transactionDetails === "accounts";
  const ours = solanaAddress(number);
  world.fake.twist = null;
  const adapter = solanaWith({ usdt: USDT_MINT }, [world.fake.url, otherUrl]).find("test", "solana")!;
  adapter.addressWatch?.watch(bookOf(() => [ours]));
  const hash = await sendSol(world.node.url, [[ours, 3_000_000n]]);
  world.node.chain.mine();
  const paid = world.newest();
  const read = async (slot: number) => {
    await adapter.blocks.fetchHead();
    await adapter.blocks.scan({ from: slot, to: slot }, owning(ours));
  };
  world.fake.twist = async ({ method, params }, pass) => {
    if (method !== "getBlock" || params[0] !== paid || !isWhole(params)) return undefined;
    if (lacking === "payment" || world.newest() === paid)
      return { ...Object(await pass()), transactions: [], rewards: [] };
    throw Object.assign(new Error("cleaned up"), { code: -32_001 });
  };
  await read(paid);
  for (let slot = 0; slot < 64; slot++) {
    world.node.chain.mine();
    await read(world.newest());
  }
  const late = await adapter.nodes.withOne({ lastBlock: null }, (one) =>
    one.late!.list(world.newest(), owning(ours)),
  );
  world.fake.twist = null;
  return { hash, found: late.transfers.map(({ txHash }) => txHash) };
}

test("a late payment whose block the node lacks, or shows without it, is read from another node", async () => {
  for (const [i, lacking] of (["block", "payment"] as const).entries()) {
    const { hash, found } = await readLate(120 + i, lacking, world.node.url);
    assert.deepEqual(found, [hash], lacking);
  }
});

test("a late payment is not read from a node that has another block there", async (t) => {
  const other = await startFakeNode(world.node.url);
  t.after(() => other.close());
  other.twist = async ({ method }, pass) =>
    method === "getBlock" ? { ...Object(await pass()), blockhash: solanaAddress(1) } : undefined;
  assert.deepEqual((await readLate(122, "payment", other.url)).found, []);
});
