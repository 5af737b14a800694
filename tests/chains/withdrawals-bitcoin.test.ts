import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { utxoNetwork } from "#tests/support/bitcoin-adapter.ts";
import { openBitcoin } from "#tests/support/bitcoind.ts";
import { testDatabase } from "#tests/support/database.ts";
import { EMAIL } from "#tests/support/signer-world.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { until } from "#tests/support/until.ts";
import { COIN, SETUPS } from "#tests/support/utxo-world.ts";
import { log } from "#tests/support/watched-chain.ts";
import { refused, withdrawalSteps } from "#tests/support/withdrawal-steps.ts";
import { accountsOf, aWithdrawal, fund } from "#tests/support/withdrawals.ts";

/** The amount of a withdrawal, and a wrong one, in whole coins. Dogecoin's minimum is ten. */
const SENT = {
  bitcoin: { right: "0.1", wrong: "0.2", units: COIN / 10n },
  litecoin: { right: "0.1", wrong: "0.2", units: COIN / 10n },
  dogecoin: { right: "10", wrong: "20", units: 10n * COIN },
};

/** A node without index, and a merchant with ten times the amount. */
async function open(t: TestContext, name: keyof typeof SETUPS = "bitcoin") {
  const { data, chain, open } = SETUPS[name];
  const { units } = SENT[name];
  const node = await open();
  const { db, close } = await testDatabase();
  t.after(close);
  const networks = utxoNetwork(data, node.url);
  const [adapter] = networks.all();
  const deps = { db, networks };
  const token = data.coin;
  await fund(db, adapter!, await aMerchant(db, EMAIL), 10n * units, token);
  return {
    bitcoin: openBitcoin(node.url, chain),
    db,
    create: (to: string) => aWithdrawal(deps, EMAIL, { network: adapter!.network, token, amount: units, to }),
    ...withdrawalSteps(deps, log),
  };
}

for (const [name, form] of [
  ["bitcoin", "legacy"],
  ["bitcoin", "p2sh-segwit"],
  ["bitcoin", "bech32"],
  ["bitcoin", "bech32m"],
  ["litecoin", "p2sh-segwit"],
  ["litecoin", "bech32"],
  ["dogecoin", "legacy"],
] as const) {
  const { finalAfter } = SETUPS[name];
  test(`on ${name} a send to a ${form} address is completed with confirmation ${finalAfter}`, async (t) => {
    const sent = SENT[name];
    const w = await open(t, name);
    const to = await w.bitcoin.call<string>("getnewaddress", "", form);
    const { id, refid } = await w.create(to);
    const wrong = await w.bitcoin.sendTo(to, sent.wrong);
    assert.deepEqual(
      await w.sent(refid, wrong),
      refused("transaction_amount_mismatch"),
      "the mempool shows it",
    );
    const hash = await w.bitcoin.sendTo(to, sent.right);
    assert.equal((await w.sent(refid, hash)).ok, true);
    await w.bitcoin.mine(finalAfter - 1);
    await w.follow();
    assert.equal((await w.row(id)).status, "processing");
    await w.bitcoin.mine();
    // A busy node may answer too late for one run, and the next asks again.
    await until("the completion", async () => {
      await Promise.all([w.follow(), w.follow()]);
      return (await w.row(id)).status === "completed";
    });
    assert.equal((await w.row(id)).txHash, hash);
    const accounts = await accountsOf(w.db);
    assert.equal(accounts[`custody:${name}`], -9n * sent.units);
    await w.booksAgree();
  });
}

test("accepts a fee bump as the payment", async (t) => {
  const w = await open(t);
  const to = await w.bitcoin.call<string>("getnewaddress");
  const one = await w.create(to);
  const hash = await w.bitcoin.sendTo(to, "0.1");
  await w.sent(one.refid, hash);
  const bumped = await w.bitcoin.replace(hash);
  assert.equal((await w.replace(one.refid, bumped)).ok, true);
  await w.bitcoin.mine(6);
  await w.follow();
  assert.deepEqual([(await w.row(one.id)).status, (await w.row(one.id)).txHash], ["completed", bumped]);
  await w.booksAgree();
});
