import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { sendSolanaUsdt } from "#lib/demo/solana-node/pay.ts";
import { startSolanaNode } from "#lib/demo/solana-node/start-solana-node.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { failWithdrawal } from "#lib/domain/withdrawals/fail-withdrawal.ts";
import { followWithdrawals } from "#lib/domain/withdrawals/follow-withdrawals.ts";
import { markSent } from "#lib/domain/withdrawals/mark-sent.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { testDatabase } from "#tests/support/database.ts";
import { fillPool, solana, solanaAddress, tokenAccountOf, USDT_MINT } from "#tests/support/solana.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { log } from "#tests/support/watched-network.ts";
import { ACTOR, aWithdrawal, fund } from "#tests/support/withdrawals.ts";

const USDT = 10n ** 18n;

test("completes a Solana withdrawal when it is final, accepts a failed transaction as proof, and not an unknown one", async (t) => {
  const node = await startSolanaNode({ finalizedLag: 2 });
  const { db, close } = await testDatabase();
  t.after(async () => {
    await node.stop();
    await close();
  });
  node.chain.mine(3);
  await fillPool(db, 3);
  const networks = solana(node.url);
  const deps = { db, networks };
  await fund(db, networks.find("test", "solana")!, await aMerchant(db, "shop@example.com"), 100n * USDT);
  const to = solanaAddress(900);
  const create = () => aWithdrawal(deps, "shop@example.com", { network: "solana", to });
  const [paid, failing, other, lost] = [await create(), await create(), await create(), await create()];
  const owner = solanaAddress(901);
  // A token account of a person instead of that person's address.
  const account = await tokenAccountOf(owner, USDT_MINT);
  const direct = await aWithdrawal(deps, "shop@example.com", { network: "solana", to: account });
  const sent = (refid: string, txHash: string) =>
    markSent(deps, { env: "test", refid, txHash, actor: ACTOR }, new Date());
  const fail = (refid: string) =>
    failWithdrawal(deps, { env: "test", refid, reason: null, actor: ACTOR }, new Date());
  const status = async (id: number) =>
    (await db.select().from(withdrawals).where(eq(withdrawals.id, id)))[0]!.status;

  const hash = await sendSolanaUsdt(node.url, [[to, 10_000_000n]]);
  const failed = await sendSolanaUsdt(node.url, [[to, 10n ** 17n]], { skipPreflight: true });
  assert.equal((await sent(paid.refid, hash)).ok, true);
  assert.equal((await sent(direct.refid, await sendSolanaUsdt(node.url, [[owner, 10_000_000n]]))).ok, true);
  assert.equal((await sent(failing.refid, failed)).ok, true);
  assert.equal((await sent(lost.refid, "5".repeat(87))).ok, true);
  node.chain.mine(2);
  await followWithdrawals({ ...deps, log });
  assert.equal(await status(paid.id), 1, "in a block, and not final");
  assert.deepEqual(await fail(failing.refid), { ok: false, reason: "withdrawal_may_still_pay" });
  node.chain.mine();
  await followWithdrawals({ ...deps, log });
  assert.equal(await status(paid.id), 3);
  assert.equal(await status(direct.id), 3);
  assert.equal((await fail(failing.refid)).ok, true);
  assert.deepEqual(await fail(lost.refid), { ok: false, reason: "withdrawal_may_still_pay" });
  const less = await sendSolanaUsdt(node.url, [[to, 9_000_000n]]);
  node.chain.mine(3);
  assert.deepEqual(await sent(other.refid, less), { ok: false, reason: "transaction_amount_mismatch" });
  await followWithdrawals({ ...deps, log });
  assert.equal(await status(failing.id), 2);
  assert.deepEqual((await checkLedger(db)).problems, []);
});
