import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { testDatabase } from "#tests/support/database.ts";
import { followAll } from "#tests/support/follow-all.ts";
import {
  newAccount,
  payTrc10,
  payTrx,
  payUsdt,
  startTestTron,
  trc20,
  USDT,
  wallet,
} from "#tests/support/tron.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { log } from "#tests/support/watched-chain.ts";
import { operatorSteps } from "#tests/support/withdrawal-steps.ts";
import { aWithdrawal, fund, statusOf } from "#tests/support/withdrawals.ts";

/** A manually mined emulator that solidifies two blocks later, and a merchant with coins there. */
async function open(t: TestContext, ...coins: [amount: bigint, token?: "trx"]) {
  const emulator = await startTestTron({});
  const { db, close } = await testDatabase();
  t.after(async () => {
    await emulator.stop();
    await close();
  });
  const networks = trc20(emulator);
  const deps = { db, networks };
  await fund(db, networks.find("test", "trc20")!, await aMerchant(db, "shop@example.com"), ...coins);
  return {
    ...{ emulator, db, deps },
    ...operatorSteps(deps),
  };
}

test("completes a TRON withdrawal when it is solidified, accepts a failed transaction as proof, and not an unknown one", async (t) => {
  const { emulator, db, deps, sent, fail } = await open(t, 100n * USDT);
  const { address: to } = newAccount();
  const create = () => aWithdrawal(deps, "shop@example.com", { network: "trc20", to });
  const [paid, failing, lost] = [await create(), await create(), await create()];

  const hash = await payUsdt(emulator, to, 10_000_000);
  const poor = await payUsdt(emulator, to, 10_000_000, wallet(emulator, newAccount().privateKey));
  assert.equal((await sent(paid.refid, `0x${hash.toUpperCase()}`)).ok, true);
  assert.equal((await sent(failing.refid, poor)).ok, true);
  assert.equal((await sent(lost.refid, "ab".repeat(32))).ok, true);
  await emulator.mine(2);
  await followAll({ ...deps, log });
  assert.equal(await statusOf(db, paid.id), "processing");
  assert.deepEqual(await fail(failing.refid), { ok: false, reason: "withdrawal_may_still_pay" });
  await emulator.mine(1);
  await followAll({ ...deps, log });
  assert.equal(await statusOf(db, paid.id), "completed");
  assert.equal((await fail(failing.refid)).ok, true);
  assert.deepEqual(await fail(lost.refid), { ok: false, reason: "withdrawal_may_still_pay" });
  await followAll({ ...deps, log });
  assert.equal(await statusOf(db, failing.id), "failed");
  assert.deepEqual((await checkLedger(db)).problems, []);
});

test("completes a TRX withdrawal when it is solidified, and not with as many units of a TRC-10 token", async (t) => {
  const { emulator, db, deps, sent, fail } = await open(t, 100_000_000n, "trx");
  const { address: to } = newAccount();
  const create = () =>
    aWithdrawal(deps, "shop@example.com", { network: "trc20", token: "trx", to, amount: 10_000_000n });
  const [paid, wrong] = [await create(), await create()];
  assert.equal((await sent(paid.refid, await payTrx(emulator, to, 10_000_000))).ok, true);
  assert.equal((await sent(wrong.refid, await payTrc10(emulator, to, 10_000_000))).ok, true);
  await emulator.mine(2);
  await followAll({ ...deps, log });
  assert.deepEqual([await statusOf(db, paid.id), await statusOf(db, wrong.id)], ["processing", "processing"]);
  await emulator.mine(1);
  await followAll({ ...deps, log });
  assert.deepEqual([await statusOf(db, paid.id), await statusOf(db, wrong.id)], ["completed", "processing"]);
  assert.equal((await fail(wrong.refid)).ok, true, "it paid something else, for good");
  assert.deepEqual((await checkLedger(db)).problems, []);
});

test("holds a TRX withdrawal when the transaction calls a contract, which may pay TRX on, unless it is the listed token", async (t) => {
  const { emulator, db, deps, sent, fail } = await open(t, 100_000_000n, "trx");
  const { address: to } = newAccount();
  const create = () =>
    aWithdrawal(deps, "shop@example.com", { network: "trc20", token: "trx", to, amount: 10_000_000n });
  const [called, token] = [await create(), await create()];
  const other = { ...emulator, usdt: await emulator.deployOtherToken() };
  assert.equal((await sent(called.refid, await payUsdt(other, to, 10_000_000))).ok, true);
  assert.equal((await sent(token.refid, await payUsdt(emulator, to, 10_000_000))).ok, true);
  await emulator.mine(3);
  await followAll({ ...deps, log });
  assert.deepEqual(await fail(called.refid), { ok: false, reason: "withdrawal_payment_inconclusive" });
  assert.equal((await fail(token.refid)).ok, true);
  await followAll({ ...deps, log });
  assert.deepEqual([await statusOf(db, called.id), await statusOf(db, token.id)], ["processing", "failed"]);
  assert.deepEqual((await checkLedger(db)).problems, []);
});
