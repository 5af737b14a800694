import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { eq } from "drizzle-orm";
import type { Hex } from "viem";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { developmentAccount } from "#tests/nodes/evm-nodes/development-accounts.ts";
import { FAUCET, mine, rpc, startTestChain, transferData, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { testDatabase } from "#tests/support/database.ts";
import { forwardCoin, refusingCoin } from "#tests/support/evm-payments.ts";
import { followAll } from "#tests/support/follow-all.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { evmNetwork, log } from "#tests/support/watched-chain.ts";
import { operatorSteps } from "#tests/support/withdrawal-steps.ts";
import { accountsOf, aWithdrawal, DESTINATION, fund, statusOf } from "#tests/support/withdrawals.ts";

const ETHER = 10n ** 18n;
/** anvil's initial balance of DESTINATION, one of its own accounts. */
const HELD = 10_000n * ETHER;
/** An unrelated address, not the withdrawal's. */
const ELSEWHERE = `0x${"e1".repeat(20)}`;

/** A manually mined chain, a merchant with ETH on it, and three withdrawals. */
async function open(t: TestContext) {
  const { url, stop } = await startTestChain("erc20");
  const { db, close } = await testDatabase();
  t.after(async () => {
    await stop();
    await close();
  });
  const networks = evmNetwork("erc20", [url], { usdt: USDT_ADDRESS });
  const deps = { db, networks };
  const merchantId = await aMerchant(db, "shop@example.com");
  await fund(db, networks.find("test", "erc20")!, merchantId, 100n * ETHER, "eth");
  const create = () =>
    aWithdrawal(deps, "shop@example.com", { network: "erc20", token: "eth", amount: 3n * ETHER });
  const pay = async (payment: { to: string; value?: bigint; data?: string }) => {
    const value = `0x${(payment.value ?? 0n).toString(16)}`;
    return String(await rpc(url, "eth_sendTransaction", [{ from: FAUCET.address, ...payment, value }]));
  };
  return {
    ...{ url, db, create, pay },
    ...operatorSteps(deps),
    follow: () => followAll({ ...deps, log }),
    statuses: (...rows: readonly { id: number }[]) => Promise.all(rows.map(({ id }) => statusOf(db, id))),
    received: async () => BigInt(String(await rpc(url, "eth_getBalance", [DESTINATION, "latest"]))) - HELD,
  };
}

test("completes an ETH withdrawal only with a transaction that moves it, final after twelve blocks", async (t) => {
  const w = await open(t);
  const [paid, short] = [await w.create(), await w.create()];
  assert.equal((await w.sent(paid.refid, await w.pay({ to: DESTINATION, value: 3n * ETHER }))).ok, true);
  assert.equal(
    (await w.sent(short.refid, await w.pay({ to: DESTINATION, value: 3n * ETHER - 1n }))).ok,
    true,
  );
  await mine(w.url, 11);
  await w.follow();
  assert.deepEqual(await w.statuses(paid, short), ["processing", "processing"]);
  await mine(w.url, 1);
  await w.follow();
  assert.deepEqual(await w.statuses(paid, short), ["completed", "processing"]);
  assert.equal((await w.fail(short.refid)).ok, false);
  assert.deepEqual((await checkLedger(w.db)).problems, []);
});

test("a payment through a contract is inconclusive: the reservation stays, and nothing is sent twice", async (t) => {
  const w = await open(t);
  const [before, after] = [await w.create(), await w.create()];
  // A contract's own payment is in no transaction: submitted before its block, and after.
  assert.equal((await w.sent(before.refid, await forwardCoin(w.url, DESTINATION, 3n * ETHER))).ok, true);
  const hash = await forwardCoin(w.url, DESTINATION, 3n * ETHER);
  await mine(w.url, 12);
  assert.equal((await w.sent(after.refid, hash)).ok, true);
  assert.equal(await w.received(), 6n * ETHER, "they were paid");
  const reserved = await accountsOf(w.db);
  const inconclusive = { ok: false, reason: "withdrawal_payment_inconclusive" };
  for (const { id, refid } of [before, after]) {
    await w.follow();
    assert.deepEqual(await w.fail(refid), inconclusive);
    const again = await w.pay({ to: DESTINATION, value: 3n * ETHER });
    assert.deepEqual(await w.replace(refid, again), { ok: false, reason: "not_a_replacement" });
    await w.follow();
    const [row] = await w.db.select().from(withdrawals).where(eq(withdrawals.id, id));
    assert.equal(row!.status, "processing");
    assert.match(
      String(row!.failureReason),
      /may have paid the address in a way that the chain does not tell/,
    );
  }
  assert.deepEqual(await accountsOf(w.db), reserved);
  assert.deepEqual((await checkLedger(w.db)).problems, []);
});

test("a failed transaction, a plain payment to another address and a listed token's transfer prove that no ETH was paid", async (t) => {
  const w = await open(t);
  const [reverted, elsewhere, token] = [await w.create(), await w.create(), await w.create()];
  await refusingCoin(w.url, developmentAccount(DESTINATION), async () => {
    const hash = await w.pay({ to: DESTINATION, value: 3n * ETHER });
    assert.equal((await w.sent(reverted.refid, hash)).ok, true);
    return hash as Hex;
  });
  assert.equal((await w.sent(elsewhere.refid, await w.pay({ to: ELSEWHERE, value: 3n * ETHER }))).ok, true);
  const transfer = { to: USDT_ADDRESS, data: transferData(DESTINATION, 3n) };
  assert.equal((await w.sent(token.refid, await w.pay(transfer))).ok, true);
  await mine(w.url, 12);
  for (const { refid } of [reverted, elsewhere, token]) {
    const failed = await w.fail(refid);
    assert.equal(failed.ok ? null : failed.reason, null);
  }
  await w.follow();
  assert.deepEqual(await w.statuses(reverted, elsewhere, token), ["failed", "failed", "failed"]);
  assert.equal(await w.received(), 0n);
  assert.deepEqual((await checkLedger(w.db)).problems, []);
});
