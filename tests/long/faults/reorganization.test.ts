import assert from "node:assert/strict";
import { postTransfer } from "#lib/domain/ledger/post-transfers.ts";
import { between, LONG } from "#tests/support/fault-random.ts";
import type { FaultLink, FaultStack } from "#tests/support/fault-stack.ts";
import { until } from "#tests/support/until.ts";
import { BOTH, testScenario } from "./fault-test.ts";

/** Depths. Each part has its own chain. The short form has one depth: the simulation has many. */
const PARTS = LONG
  ? [1, 6, 11, 16].map((first) => Array.from({ length: 5 }, (_, i) => first + i))
  : [[between(1, 20)]];

interface Paid extends FaultLink {
  readonly txHash: string;
}

for (const depths of PARTS)
  testScenario(
    `reorganizations of ${depths.join(", ")} blocks, with the payment and without`,
    async (stack) => {
      await stack.chain.mine(25);
      await stack.startWorker();
      await stack.followed();
      for (const depth of depths) {
        await movesToAnotherBlock(stack, depth);
        await waitsAndReturns(stack, depth);
        await goesForGood(stack, depth);
        await goesAfterCompletion(stack, depth);
        await goesAfterItWasSpent(stack, depth);
      }
      return { reorganizations: 5 * depths.length };
    },
    BOTH,
  );

/** A payment in the lowest of the newest `depth` blocks. */
async function paid(stack: FaultStack, depth: number): Promise<Paid> {
  const link = await stack.link(50);
  const txHash = await stack.chain.pay(link.address, link.amount);
  await stack.chain.mine(depth);
  await stack.followed();
  return { ...link, txHash };
}

/** A credited payment, and how deep a reorg must be to revert it: at least `depth`. */
async function credited(stack: FaultStack, depth: number): Promise<Paid & { depth: number }> {
  const deep = Math.max(depth, stack.chain.network === "bep20" ? 4 : 1);
  const payment = await paid(stack, deep);
  await becomes(stack, payment, 1, "completed");
  return { ...payment, depth: deep };
}

async function becomes(stack: FaultStack, payment: Paid, status: number, state: string): Promise<void> {
  await until(`the payment to have status ${status} and its link to be ${state}`, async () => {
    const deposit = await stack.deposit(payment.txHash);
    return deposit?.status === status && (await stack.linkState(payment.refid)) === state;
  }).catch(async (error: Error) => {
    const found = JSON.stringify(await stack.deposit(payment.txHash));
    const inChain = (await stack.chain.received([payment.address])).length;
    const state = await stack.linkState(payment.refid);
    throw new Error(`${error.message}; it is ${found} and ${state}, the chain has ${inChain} to its address`);
  });
}

async function settle(stack: FaultStack): Promise<void> {
  await stack.chain.mine(stack.chain.settleBlocks);
  await stack.followed();
}

async function movesToAnotherBlock(stack: FaultStack, depth: number): Promise<void> {
  const payment = await paid(stack, depth);
  const before = await stack.deposit(payment.txHash);
  await stack.chain.reorg(depth);
  await stack.followed();
  await settle(stack);
  await becomes(stack, payment, 1, "completed");
  const after = await stack.deposit(payment.txHash);
  assert.deepEqual([after?.id, after?.creditRound], [before?.id, 1]);
}

async function waitsAndReturns(stack: FaultStack, depth: number): Promise<void> {
  const payment = await paid(stack, depth);
  await stack.chain.reorg(depth, { later: true });
  await stack.followed();
  const seen = stack.chain.network === "bitcoin";
  await becomes(stack, payment, seen ? 0 : 2, seen ? "detected" : "awaiting");
  await settle(stack);
  await becomes(stack, payment, 1, "completed");
}

async function goesForGood(stack: FaultStack, depth: number): Promise<void> {
  const payment = await paid(stack, depth);
  await stack.chain.reorg(depth, { gone: [payment.txHash] });
  await stack.followed();
  await becomes(stack, payment, 2, "awaiting");
  await settle(stack);
  await becomes(stack, payment, 2, "awaiting");
}

async function goesAfterCompletion(stack: FaultStack, atLeast: number): Promise<void> {
  const { depth, ...payment } = await credited(stack, atLeast);
  await stack.chain.reorg(depth, { gone: [payment.txHash] });
  await stack.followed();
  await becomes(stack, payment, 2, "awaiting");
  // The customer pays again, and this payment counts.
  const second = { ...payment, txHash: await stack.chain.pay(payment.address, payment.amount) };
  await settle(stack);
  await becomes(stack, second, 1, "completed");
}

/** First moves the merchant's whole balance away: the reversal leaves a debt, and later payments repay it. */
async function goesAfterItWasSpent(stack: FaultStack, atLeast: number): Promise<void> {
  const { depth, ...payment } = await credited(stack, atLeast);
  const cause = `test:spend:${payment.txHash}`;
  const amount = await balance(stack, `merchant:${stack.merchantId}`);
  assert.ok(amount >= payment.amount);
  await stack.db.transaction(async (tx) => {
    const { token } = stack.chain;
    const from = `merchant:${stack.merchantId}` as const;
    const posted = await postTransfer(
      tx,
      { env: "test", token, from, to: "fees", amount, cause },
      new Date(),
    );
    assert.ok(posted.posted);
  });
  const owed = await balance(stack, `receivable:${stack.merchantId}`);
  await stack.chain.reorg(depth, { gone: [payment.txHash] });
  await stack.followed();
  await becomes(stack, payment, 2, "awaiting");
  assert.equal(await balance(stack, `merchant:${stack.merchantId}`), 0n);
  assert.equal(await balance(stack, `receivable:${stack.merchantId}`), owed - payment.amount);
  const check = await stack.cli("ledger", "check");
  assert.equal(check.status, 0, check.stdout);
}

async function balance({ pool }: FaultStack, code: string): Promise<bigint> {
  const { rows } = await pool.query("select balance::text from ledger_accounts where code = $1", [code]);
  return BigInt(rows[0]?.balance ?? 0);
}
