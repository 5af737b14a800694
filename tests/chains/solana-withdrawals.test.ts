import assert from "node:assert/strict";
import { test } from "node:test";
import { sendSolanaUsdt } from "#lib/dev-chains/solana-node/pay.ts";
import { startSolanaNode } from "#lib/dev-chains/solana-node/start-solana-node.ts";
import { testDatabase } from "#tests/support/database.ts";
import { fillPool, solana, solanaAddress, tokenAccountOf, USDT_MINT } from "#tests/support/solana.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { log } from "#tests/support/watched-network.ts";
import { withdrawalSteps } from "#tests/support/withdrawal-steps.ts";
import { aWithdrawal, fund, statusOf, USDT } from "#tests/support/withdrawals.ts";

test("completes a Solana withdrawal when it is final, accepts a failed transaction as proof, and not an unknown one", async (t) => {
  const node = await startSolanaNode({ finalizedLag: 2 });
  t.after(node.stop);
  const { db, close } = await testDatabase();
  t.after(close);
  node.chain.mine(3);
  await fillPool(db, 3);
  const networks = solana(node.url);
  const deps = { db, networks };
  const { sent, fail, follow, booksAgree } = withdrawalSteps(deps, log);
  await fund(db, networks.find("test", "solana")!, await aMerchant(db, "shop@example.com"), 100n * USDT);
  const to = solanaAddress(900);
  const create = (receiver = to) =>
    aWithdrawal(deps, "shop@example.com", { network: "solana", to: receiver });
  const [paid, failing, other, lost] = [await create(), await create(), await create(), await create()];
  const owner = solanaAddress(901);
  // A token account of a person instead of that person's address.
  const direct = await create(await tokenAccountOf(owner, USDT_MINT));
  const status = (id: number) => statusOf(db, id);

  const hash = await sendSolanaUsdt(node.url, [[to, 10_000_000n]]);
  const failed = await sendSolanaUsdt(node.url, [[to, 10n ** 17n]], { skipPreflight: true });
  assert.equal((await sent(paid.refid, hash)).ok, true);
  assert.equal((await sent(direct.refid, await sendSolanaUsdt(node.url, [[owner, 10_000_000n]]))).ok, true);
  assert.equal((await sent(failing.refid, failed)).ok, true);
  assert.equal((await sent(lost.refid, "5".repeat(87))).ok, true);
  node.chain.mine(2);
  await follow();
  assert.equal(await status(paid.id), "processing", "in a block, and not final");
  assert.deepEqual(await fail(failing.refid), { ok: false, reason: "withdrawal_may_still_pay" });
  node.chain.mine();
  await follow();
  assert.equal(await status(paid.id), "completed");
  assert.equal(await status(direct.id), "completed");
  assert.equal((await fail(failing.refid)).ok, true);
  assert.deepEqual(await fail(lost.refid), { ok: false, reason: "withdrawal_may_still_pay" });
  const less = await sendSolanaUsdt(node.url, [[to, 9_000_000n]]);
  node.chain.mine(3);
  assert.deepEqual(await sent(other.refid, less), { ok: false, reason: "transaction_amount_mismatch" });
  await follow();
  assert.equal(await status(failing.id), "failed");
  await booksAgree();
});
