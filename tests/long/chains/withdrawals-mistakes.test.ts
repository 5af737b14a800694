/** A mistyped hash, and a withdrawal that another transaction paid, on a development chain. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type TestContext, test } from "node:test";
import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { mine, openTestChain, rpc, sendEvmUsdt, transferData, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { utxoNetwork } from "#tests/support/bitcoin-adapter.ts";
import { addressOf, openBitcoin, startBitcoind } from "#tests/support/bitcoind.ts";
import { testDatabase } from "#tests/support/database.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { until } from "#tests/support/until.ts";
import { bep20, log } from "#tests/support/watched-chain.ts";
import { refused, withdrawalSteps } from "#tests/support/withdrawal-steps.ts";
import { accountsOf, aHash, aWithdrawal, DESTINATION, fund, USDT } from "#tests/support/withdrawals.ts";

const EMAIL = "shop@example.com";
/** An account with coins for fees and without the token. */
const POOR = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";

/** A merchant with a hundred times the amount. */
async function open(
  t: TestContext,
  networks: NetworkRegistry,
  { network, token, amount }: { network: NetworkCode; token: TokenCode; amount: bigint },
) {
  const { db, close } = await testDatabase();
  t.after(close);
  const adapter = networks.find("test", network) as NetworkAdapter;
  const deps = { db, networks };
  await fund(db, adapter, await aMerchant(db, EMAIL), 100n * amount, token);
  return {
    db,
    ...withdrawalSteps(deps, log),
    create: (to: string) => aWithdrawal(deps, EMAIL, { network, token, amount, to }),
  };
}

async function openEvm(t: TestContext) {
  const { url } = await openTestChain(t);
  await mine(url, 3);
  const asked = { network: "bep20", token: "usdt", amount: 10n * USDT } as const;
  return { url, ...(await open(t, bep20(url), asked)) };
}

test("a mistyped hash does not lock an EVM withdrawal: it is corrected, and the real one completes it", async (t) => {
  const w = await openEvm(t);
  const { id, refid } = await w.create(DESTINATION);
  const real = await sendEvmUsdt(w.url, DESTINATION, 10n * USDT);
  const mistyped = `${real.slice(0, -1)}${real.endsWith("0") ? "1" : "0"}`;
  assert.equal((await w.sent(refid, mistyped)).ok, true);
  await mine(w.url, 3);
  await w.follow();
  assert.deepEqual(await w.sent(refid, real), refused("withdrawal_already_sent"));
  assert.deepEqual(await w.replace(refid, real), refused("not_a_replacement"));
  assert.deepEqual(await w.fail(refid), refused("withdrawal_may_still_pay"));
  assert.deepEqual(await w.correct(refid, aHash()), refused("transaction_unknown"));
  assert.equal((await w.correct(refid, real)).ok, true);
  assert.deepEqual(await w.correct(refid, mistyped), refused("transaction_was_seen"));
  await w.follow();
  assert.deepEqual([(await w.row(id)).status, (await w.row(id)).txHash], ["completed", real]);
  assert.equal((await accountsOf(w.db))["custody:bep20"], -990n * USDT);
  await w.booksAgree();
});

test("settles an EVM withdrawal that another transaction paid, once its block is final", async (t) => {
  const w = await openEvm(t);
  const [one, two] = [await w.create(DESTINATION), await w.create(DESTINATION)];
  const short = await sendEvmUsdt(w.url, DESTINATION, 9n * USDT);
  assert.equal((await w.sent(one.refid, short)).ok, true);
  assert.equal((await w.sent(two.refid, aHash())).ok, true);
  await mine(w.url, 3);
  await w.follow();
  assert.equal((await w.row(one.id)).finding, "amount_mismatch");
  const real = await sendEvmUsdt(w.url, DESTINATION, 10n * USDT);
  assert.deepEqual(await w.settle(one.refid, real), refused("transaction_not_final"));
  await mine(w.url, 2);
  assert.deepEqual(await w.settle(one.refid, real), refused("transaction_not_final"));
  await mine(w.url);
  assert.equal((await w.settle(one.refid, real)).ok, true);
  assert.deepEqual(await w.settle(two.refid, real), refused("tx_hash_taken"));
  assert.deepEqual([(await w.row(one.id)).status, (await w.row(one.id)).txHash], ["completed", real]);
  assert.equal((await accountsOf(w.db))["custody:bep20"], -990n * USDT);
  await w.booksAgree();
});

test("finds that an EVM transaction was reverted for good, and fails the withdrawal with that reason", async (t) => {
  const w = await openEvm(t);
  const { id, refid } = await w.create(DESTINATION);
  const call = { from: POOR, to: USDT_ADDRESS, data: transferData(DESTINATION, 10n * USDT), gas: "0x186a0" };
  assert.equal((await w.sent(refid, String(await rpc(w.url, "eth_sendTransaction", [call])))).ok, true);
  await mine(w.url);
  await w.follow();
  assert.equal((await w.row(id)).finding, null, "its block is not final");
  await mine(w.url, 2);
  await w.follow();
  const { status, finding, failureReason } = await w.row(id);
  assert.deepEqual(
    [status, finding, failureReason],
    ["processing", "unpayable", "its transaction failed on the chain"],
  );
  assert.equal((await w.fail(refid)).ok, true);
  await w.follow();
  assert.deepEqual(
    [(await w.row(id)).status, (await w.row(id)).failureReason],
    ["failed", "its transaction failed on the chain"],
  );
  await w.booksAgree();
});

test("corrects a mistyped hash on bitcoin, and settles with the transaction that paid", async (t) => {
  const node = await startBitcoind();
  t.after(() => node.stop());
  const bitcoin = openBitcoin(node.url);
  const asked = { network: "bitcoin", token: "btc", amount: 10_000_000n } as const;
  const w = await open(t, utxoNetwork(NETWORKS.bitcoin, node.url), asked);
  // Not of the node's wallet: its next payment could spend the first, which a node without txindex then loses.
  const to = addressOf(bitcoin.chain, randomBytes(20));
  const [one, two] = [await w.create(to), await w.create(to)];
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
