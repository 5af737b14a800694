/** A mistyped hash, and a withdrawal that another transaction paid, on a development chain. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { NETWORKS } from "#lib/chains/networks.ts";
import { utxoNetwork } from "#tests/support/bitcoin-adapter.ts";
import { addressOf, openBitcoin, startBitcoind } from "#tests/support/bitcoind.ts";
import { testDatabase } from "#tests/support/database.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { until } from "#tests/support/until.ts";
import { log } from "#tests/support/watched-chain.ts";
import { refused, withdrawalSteps } from "#tests/support/withdrawal-steps.ts";
import { aHash, aWithdrawal, fund } from "#tests/support/withdrawals.ts";

const EMAIL = "shop@example.com";

test("corrects a mistyped hash on bitcoin, and settles with the transaction that paid", async (t) => {
  const node = await startBitcoind();
  t.after(() => node.stop());
  const bitcoin = openBitcoin(node.url);
  const { db, close } = await testDatabase();
  t.after(close);
  const networks = utxoNetwork(NETWORKS.bitcoin, node.url);
  const asked = { network: "bitcoin", token: "btc", amount: 10_000_000n } as const;
  await fund(db, networks.find("test", "bitcoin")!, await aMerchant(db, EMAIL), 10n * asked.amount, "btc");
  const w = withdrawalSteps({ db, networks }, log);
  // Not of the node's wallet: its next payment could spend the first, which a node without txindex then loses.
  const to = addressOf(bitcoin.chain, randomBytes(20));
  const create = () => aWithdrawal({ db, networks }, EMAIL, { ...asked, to });
  const [one, two] = [await create(), await create()];
  for (const { refid } of [one, two]) {
    assert.equal((await w.sent(refid, aHash().slice(2))).ok, true);
    await w.follow();
    assert.deepEqual(await w.fail(refid), refused("withdrawal_may_still_pay"));
  }
  const real = await bitcoin.sendTo(to, "0.1");
  assert.deepEqual(await w.replace(one.refid, real), refused("not_a_replacement"));
  assert.equal((await w.correct(one.refid, real)).ok, true);
  const second = await bitcoin.sendTo(to, "0.1");
  await bitcoin.mine(5);
  assert.deepEqual(await w.settle(two.refid, second), refused("transaction_not_final"));
  await bitcoin.mine();
  assert.equal((await w.settle(two.refid, second)).ok, true);
  assert.equal((await w.row(two.id)).status, "completed");
  // As the worker does: a run without an answer of the node changes nothing.
  await until("the corrected withdrawal to be completed", async () => {
    await w.follow();
    return (await w.row(one.id)).status === "completed";
  });
  await w.booksAgree();
});
