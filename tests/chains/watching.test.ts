import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { encodeFunctionData } from "viem";
import { TEST_USDT_ABI } from "#lib/dev-chains/payers/test-usdt.ts";
import { FAUCET, height, rpc, sendEvmUsdt, setTransferFee, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { until } from "#tests/support/until.ts";
import { openWatchedChain, USDT } from "#tests/support/watched-chain.ts";

test("sees a payment with its block, credits it once it is final, and notifies the merchant", async (t) => {
  const chain = await openWatchedChain(t);
  const link = await chain.link(10);
  chain.watch();
  await chain.caughtUp();
  const hash = await sendEvmUsdt(chain.url, link.address, 10n * USDT);
  await chain.mine();
  const [seen] = await chain.depositsAre(["seen"]);
  assert.equal(seen!.txHash, hash);
  assert.equal(seen!.amount, 10n * USDT);
  assert.equal(seen!.sender, FAUCET.address);
  assert.equal(seen!.requiredConfirmations, 1);
  assert.equal(await chain.linkState(link.refid), "detected");
  assert.equal(await chain.balance(), 0n);

  await chain.mine(2);
  const [credited] = await chain.depositsAre(["credited"]);
  assert.ok(credited!.confirmedAt);
  assert.equal(credited!.confirmations, 1);
  assert.equal(await chain.linkState(link.refid), "completed");
  assert.equal(await chain.balance(), 10n * USDT);
  const events = await chain.events();
  assert.deepEqual(
    events.map(({ type }) => type),
    ["payment_link_completed", "deposit_credited"],
  );
  const data = events[1]!.data;
  assert.deepEqual(
    [data.ref, data.value, data.total_received, data.tx_hash, data.refid, data.environment, data.status],
    [String(seen!.id), "10", "10", hash, link.refid, "test", 1],
  );
  assert.equal(
    data.address,
    chain.adapter.addresses.display(seen!.sender === null ? "" : link.address.toLowerCase()),
  );

  await chain.mine(5);
  await chain.caughtUp();
  assert.equal((await chain.deposits()).length, 1);
  const check = await chain.ledger();
  assert.deepEqual(check.problems, []);
  assert.deepEqual(check.figures.custody, [
    { env: "test", network: "bep20", token: "usdt", held: 10n * USDT },
  ]);
});

test("finds payments of a time without a watcher, over many blocks", async (t) => {
  const chain = await openWatchedChain(t);
  const [first, second] = [await chain.address(), await chain.address()];
  const watcher = chain.watch();
  await chain.caughtUp();
  await watcher.stop();
  await sendEvmUsdt(chain.url, first.address, 1n * USDT);
  await chain.mine(700);
  await sendEvmUsdt(chain.url, second.address, 2n * USDT);
  await chain.mine(520);
  chain.watch();
  await chain.caughtUp();
  const rows = await chain.depositsAre(["credited", "credited"]);
  assert.deepEqual(
    rows.map(({ amount }) => amount),
    [1n * USDT, 2n * USDT],
  );
  assert.equal(await chain.balance(), 3n * USDT);
  assert.deepEqual((await chain.ledger()).problems, []);
});

test("the first start reads back to before the first address was allocated", async (t) => {
  const chain = await openWatchedChain(t);
  await chain.mine(200);
  const { address } = await chain.address();
  await sendEvmUsdt(chain.url, address, USDT);
  await chain.mine(4);
  chain.watch();
  await chain.depositsAre(["credited"]);
});

test("the first start is at the head when no address was allocated", async (t) => {
  const chain = await openWatchedChain(t);
  await chain.mine(200);
  chain.watch();
  await until("the first pass", chain.cursor);
  const { rows } = await chain.db.execute("select min(height)::integer as lowest from watched_blocks");
  assert.ok(Number(rows[0]!.lowest) > 0);
  assert.equal((await chain.cursor())!.height, await height(chain.url));
});

test("two watchers credit once, and the second takes over when the first stops", async (t) => {
  const chain = await openWatchedChain(t);
  const { address } = await chain.address();
  const first = chain.watch();
  chain.watch();
  await chain.caughtUp();
  await sendEvmUsdt(chain.url, address, USDT);
  await chain.mine(4);
  await chain.depositsAre(["credited"]);
  await first.stop();
  await sendEvmUsdt(chain.url, address, 2n * USDT);
  await chain.mine(4);
  await chain.depositsAre(["credited", "credited"]);
  assert.equal(await chain.balance(), 3n * USDT);
  assert.deepEqual((await chain.ledger()).problems, []);
});

test("counts what arrived of a token with a transfer fee", async (t) => {
  const chain = await openWatchedChain(t);
  const { address } = await chain.address();
  chain.watch();
  await chain.caughtUp();
  await setTransferFee(chain.url, 100);
  await chain.mine();
  await sendEvmUsdt(chain.url, address, 100n * USDT);
  await chain.mine(4);
  const [row] = await chain.depositsAre(["credited"]);
  assert.equal(row!.amount, 99n * USDT);
});

test("records and credits a thousand payments in one block, each once", async (t) => {
  const chain = await openWatchedChain(t);
  const { address } = await chain.address();
  chain.watch();
  await chain.caughtUp();
  const data = encodeFunctionData({
    abi: TEST_USDT_ABI,
    functionName: "pay",
    args: [Array<`0x${string}`>(500).fill(address as `0x${string}`), Array<bigint>(500).fill(2n)],
  });
  for (let i = 0; i < 2; i++) {
    await rpc(chain.url, "eth_sendTransaction", [{ from: FAUCET.address, to: USDT_ADDRESS, data }]);
  }
  await chain.mine(4);
  await chain.depositsAre(Array<"credited">(1_000).fill("credited"));
  assert.equal(await chain.balance(), 2_000n);
  assert.deepEqual((await chain.ledger()).problems, []);
});

test("a watcher with cut database connections acquires its lock again and continues", async (t) => {
  const chain = await openWatchedChain(t);
  const { address } = await chain.address();
  chain.watch();
  await chain.caughtUp();
  for (let round = 1; round <= 3; round++) {
    await sendEvmUsdt(chain.url, address, USDT);
    await chain.mine(3);
    const admin = new pg.Client({ connectionString: chain.database.url });
    await admin.connect();
    // Waits for their ends: a connection that has not ended yet is still given to a query, which then fails.
    await admin.query(
      "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    await admin.end();
    await until("the watcher to be back", () => chain.caughtUp().catch(() => false));
    await chain.depositsAre(Array<"credited">(round).fill("credited"));
  }
  assert.equal(await chain.balance(), 3n * USDT);
  assert.deepEqual((await chain.ledger()).problems, []);
});
