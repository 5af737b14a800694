import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Hex } from "viem";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { webhookEvents } from "#lib/domain/webhooks/tables.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import {
  FAUCET,
  mine,
  payUsdt,
  rawTransaction,
  rpc,
  sendEvmUsdt,
  startTestChain,
  transferData,
  USDT_ADDRESS,
} from "#tests/support/anvil.ts";
import { testDatabase } from "#tests/support/database.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { bep20, log } from "#tests/support/watched-chain.ts";
import { refused, withdrawalSteps } from "#tests/support/withdrawal-steps.ts";
import {
  ACTOR,
  accountsOf,
  aHash,
  aWithdrawal,
  DESTINATION,
  fund,
  USDT,
} from "#tests/support/withdrawals.ts";

const EMAIL = "shop@example.com";
/** An account with coins for fees and without the token. */
const POOR = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
const HIGH_FEE = { maxFeePerGas: "0x174876e800", maxPriorityFeePerGas: "0x174876e800" };

/** A manually mined node with its finalized block two below its head, and a merchant with 1,000 USDT. */
async function open(t: TestContext) {
  const { url, stop } = await startTestChain();
  await mine(url, 3);
  const database = await testDatabase();
  const { db } = database;
  t.after(async () => {
    await stop();
    await database.close();
  });
  const networks = bep20(url);
  const deps = { db, networks };
  const merchantId = await aMerchant(db, EMAIL);
  await fund(db, networks.find("test", "bep20")!, merchantId, 1_000n * USDT);
  return {
    ...{ url, db, networks, deps, merchantId },
    ...withdrawalSteps(deps, log),
    create: (amount = 10n * USDT, to = DESTINATION) => aWithdrawal(deps, EMAIL, { amount, to }),
    /** The same nonce of the same sender with a higher fee: it replaces the other one in the node's pool. */
    async instead(hash: string, to: string, amount: bigint): Promise<string> {
      const { nonce } = (await rpc(url, "eth_getTransactionByHash", [hash])) as { nonce: string };
      const data = transferData(to, amount);
      const call = { from: FAUCET.address, to: USDT_ADDRESS, data, nonce, ...HIGH_FEE };
      return (await rpc(url, "eth_sendTransaction", [call])) as string;
    },
    events: async () => {
      const rows = await db.select().from(webhookEvents).orderBy(webhookEvents.id);
      return rows.map(({ type, body, txHashes }) => ({ type, txHashes, data: JSON.parse(body).data }));
    },
  };
}

test("follows a withdrawal to its final block, then posts it and notifies once, from any process", async (t) => {
  const w = await open(t);
  const { id, refid } = await w.create();
  const hash = await sendEvmUsdt(w.url, DESTINATION, 10n * USDT);
  const sent = await w.sent(refid, hash.toUpperCase().replace("0X", "0x"));
  assert.deepEqual(sent.ok && [sent.withdrawal.status, sent.withdrawal.txHash], ["processing", hash]);
  assert.deepEqual(await w.sent(refid, hash), refused("withdrawal_already_sent"));
  await w.follow();
  assert.deepEqual(await w.fail(refid), refused("withdrawal_may_still_pay"), "it waits");
  await mine(w.url, 2);
  await w.follow();
  assert.equal((await w.row(id)).status, "processing", "its block is not final");
  assert.deepEqual(await w.fail(refid), refused("withdrawal_may_still_pay"), "it is in a block");
  await w.booksAgree();
  await mine(w.url);
  await Promise.all([w.follow(), w.follow(), w.follow()]);
  await w.follow();
  const row = await w.row(id);
  assert.deepEqual([row.status, row.txHash], ["completed", hash]);
  assert.ok(row.processedAt);
  assert.deepEqual(await w.fail(refid), refused("withdrawal_completed"));
  assert.deepEqual(await accountsOf(w.db), {
    "custody:bep20": -990n * USDT,
    fees: USDT,
    [`merchant:${w.merchantId}`]: 989n * USDT,
  });
  await w.booksAgree();
  assert.deepEqual(await w.events(), [
    {
      type: "withdrawal_completed",
      txHashes: [hash],
      data: {
        id,
        refid,
        checked: 1,
        status: 3,
        email: EMAIL,
        value: "10",
        _to: DESTINATION,
        token: "usdt",
        network: "bep20",
        fee: "1",
        contract: w.networks.find("test", "bep20")!.addresses.display(USDT_ADDRESS),
        tx_hash: hash,
        processed_at: row.processedAt.toISOString(),
        created_at: row.createdAt.toISOString(),
        updated_at: row.updatedAt.toISOString(),
        environment: "test",
      },
    },
  ]);
  const decisions = await w.db.select().from(auditLog).orderBy(auditLog.id);
  assert.deepEqual(
    decisions.map(({ actor, action, subject }) => [actor, action, subject]),
    [
      [ACTOR, "withdrawal.create", `withdrawal:${refid}`],
      [ACTOR, "withdrawal.sent", `withdrawal:${refid}`],
    ],
  );
});

test("fails a canceled payment once the cancellation is final, and no sooner", async (t) => {
  const w = await open(t);
  const { id, refid } = await w.create();
  const hash = await sendEvmUsdt(w.url, DESTINATION, 10n * USDT);
  await w.sent(refid, hash);
  const back = await w.instead(hash, FAUCET.address, 1n);
  const other = await sendEvmUsdt(w.url, DESTINATION, 10n * USDT);
  assert.deepEqual(await w.replace(refid, other), refused("not_a_replacement"), "another number");
  assert.deepEqual(await w.replace(refid, aHash()), refused("not_a_replacement"), "nobody knows it");
  assert.deepEqual(await w.replace(refid, "0x12"), refused("tx_hash_malformed"));
  assert.deepEqual(await w.replace(refid, hash), refused("transaction_already_submitted"));
  const replaced = await w.replace(refid, back);
  assert.deepEqual(replaced.ok && [replaced.withdrawal.status, replaced.withdrawal.txHash], [
    "processing",
    back,
  ]);
  assert.deepEqual(await w.fail(refid), refused("withdrawal_may_still_pay"));
  await mine(w.url, 2);
  assert.deepEqual(await w.fail(refid), refused("withdrawal_may_still_pay"), "not final");
  await mine(w.url);
  await w.follow();
  assert.equal((await w.row(id)).status, "processing");
  const failed = await w.fail(refid);
  assert.equal(failed.ok && failed.withdrawal.status, "refund_queued");
  assert.deepEqual(await w.fail(refid), refused("withdrawal_abandoned"));
  await w.booksAgree();
  await Promise.all([w.follow(), w.follow()]);
  assert.equal((await w.row(id)).status, "failed");
  assert.deepEqual(await accountsOf(w.db), {
    "custody:bep20": -1_000n * USDT,
    [`merchant:${w.merchantId}`]: 1_000n * USDT,
  });
  await w.booksAgree();
  const [event, ...more] = await w.events();
  assert.deepEqual(more, []);
  assert.deepEqual(
    [event!.type, event!.data.status, event!.data.value, event!.txHashes],
    ["withdrawal_failed", 2, "10", [back]],
  );
});

test("counts the replaced transaction when the chain includes it after all", async (t) => {
  const w = await open(t);
  const { id, refid } = await w.create();
  const hash = await sendEvmUsdt(w.url, DESTINATION, 10n * USDT);
  const raw = await rawTransaction(w.url, hash);
  await w.sent(refid, hash);
  const faster = (await w.instead(hash, DESTINATION, 10n * USDT)) as Hex;
  assert.equal((await w.replace(refid, faster)).ok, true);
  await rpc(w.url, "anvil_dropTransaction", [faster]);
  await rpc(w.url, "eth_sendRawTransaction", [raw]);
  await mine(w.url, 3);
  assert.deepEqual(await w.fail(refid), refused("withdrawal_may_still_pay"), "it has paid");
  await w.follow();
  assert.deepEqual([(await w.row(id)).status, (await w.row(id)).txHash], ["completed", hash]);
  await w.booksAgree();
});

test("a reverted transaction is proof once its block is final, and another one may follow", async (t) => {
  const w = await open(t);
  const [first, second] = [await w.create(), await w.create(20n * USDT)];
  const call = { from: POOR, to: USDT_ADDRESS, data: transferData(DESTINATION, 10n * USDT), gas: "0x186a0" };
  const hash = (await rpc(w.url, "eth_sendTransaction", [call])) as string;
  await w.sent(first.refid, hash);
  await mine(w.url);
  assert.deepEqual(await w.sent(second.refid, hash), refused("transaction_amount_mismatch"), "it failed");
  await w.follow();
  assert.equal((await w.row(first.id)).finding, null);
  assert.deepEqual(await w.fail(first.refid), refused("withdrawal_may_still_pay"), "not final");
  await mine(w.url, 2);
  const again = await sendEvmUsdt(w.url, DESTINATION, 10n * USDT);
  assert.equal((await w.replace(first.refid, again)).ok, true);
  await mine(w.url, 3);
  await w.follow();
  assert.deepEqual([(await w.row(first.id)).status, (await w.row(first.id)).txHash], ["completed", again]);
  await w.booksAgree();
});

test("one payment never counts for two withdrawals, and a payment of another amount for none", async (t) => {
  const w = await open(t);
  const [one, two, three] = [await w.create(), await w.create(), await w.create(20n * USDT)];
  const elsewhere = await w.create(5n * USDT, POOR);
  const hash = await payUsdt(w.url, [
    { to: DESTINATION, amount: 10n * USDT },
    { to: POOR, amount: 5n * USDT },
  ]);
  const asked = await Promise.all([w.sent(one.refid, hash), w.sent(two.refid, hash)]);
  assert.deepEqual(
    asked.filter(({ ok }) => !ok),
    [refused("tx_hash_taken")],
  );
  assert.equal((await w.sent(elsewhere.refid, hash)).ok, true, "one transaction may pay several addresses");
  await mine(w.url, 3);
  assert.deepEqual(await w.sent(three.refid, hash), refused("transaction_amount_mismatch"));
  await w.follow();
  const statuses = (await w.db.select().from(withdrawals).orderBy(withdrawals.id)).map((r) => r.status);
  assert.deepEqual(statuses.slice(0, 2).sort(), ["completed", "pending"]);
  assert.deepEqual(statuses.slice(2), ["pending", "completed"]);

  // Submitted before its block said what it pays.
  const short = await sendEvmUsdt(w.url, DESTINATION, 19n * USDT);
  assert.equal((await w.sent(three.refid, short)).ok, true);
  await mine(w.url, 3);
  await w.follow();
  const { status, failureReason } = await w.row(three.id);
  assert.deepEqual(
    [status, failureReason],
    ["processing", "its transaction paid the address another amount"],
  );
  assert.deepEqual(await w.fail(three.refid), refused("withdrawal_amount_mismatch"));
  await w.booksAgree();
});

test("does not post what the event cannot announce: both wait, and happen once", async (t) => {
  const w = await open(t);
  const [sent, given] = [await w.create(), await w.create()];
  await w.sent(sent.refid, await sendEvmUsdt(w.url, DESTINATION, 10n * USDT));
  await mine(w.url, 3);
  assert.equal((await w.fail(given.refid)).ok, true);
  const before = await accountsOf(w.db);
  await w.db.execute("alter table webhook_events rename to gone");
  await w.follow();
  await w.db.execute("alter table gone rename to webhook_events");
  assert.deepEqual(
    [(await w.row(sent.id)).status, (await w.row(given.id)).status],
    ["processing", "refund_queued"],
  );
  assert.deepEqual(await accountsOf(w.db), before);
  await w.booksAgree();
  await Promise.all([w.follow(), w.follow()]);
  assert.deepEqual([(await w.row(sent.id)).status, (await w.row(given.id)).status], ["completed", "failed"]);
  assert.equal((await w.events()).length, 2);
  await w.booksAgree();
});

test("without a node a hash can be submitted, and nothing can be proven", async (t) => {
  const { create, db, ...opened } = await open(t);
  const { id, refid } = await create();
  assert.deepEqual(await opened.replace(refid, aHash()), refused("withdrawal_not_sent"));
  const w = withdrawalSteps({ db, networks: bep20("http://127.0.0.1:9") }, log);
  assert.equal((await w.sent(refid, aHash())).ok, true);
  assert.deepEqual(await w.fail(refid), refused("node_unavailable"));
  assert.deepEqual(await w.replace(refid, aHash()), refused("node_unavailable"));
  await w.follow();
  assert.equal((await w.row(id)).status, "processing");
  assert.deepEqual(await w.sent("1", aHash()), refused("withdrawal_not_found"));
  await w.booksAgree();
});
