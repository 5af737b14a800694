import assert from "node:assert/strict";
import { test } from "node:test";
import { checkLedger } from "#lib/ledger/check-ledger.ts";
import { failWithdrawal } from "#lib/withdrawals/fail-withdrawal.ts";
import { followWithdrawals } from "#lib/withdrawals/follow-withdrawals.ts";
import { markSent } from "#lib/withdrawals/mark-sent.ts";
import { FAUCET, mine, rpc, startTestChain, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { testDatabase } from "#tests/support/database.ts";
import { forwardCoin } from "#tests/support/evm-payments.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { evmNetwork, log } from "#tests/support/watched-chain.ts";
import { ACTOR, aWithdrawal, DESTINATION, fund, statusOf } from "#tests/support/withdrawals.ts";

const ETHER = 10n ** 18n;

test("a withdrawal of ETH is completed by a transaction that moves it, final at twelve blocks, and by no other", async (t) => {
  const { url, kill } = await startTestChain("erc20");
  const { db, close } = await testDatabase();
  t.after(async () => {
    await kill();
    await close();
  });
  const networks = evmNetwork("erc20", [url], { usdt: USDT_ADDRESS });
  const deps = { db, networks };
  const merchantId = await aMerchant(db, "shop@example.com");
  await fund(db, networks.get("test", "erc20")!, merchantId, 100n * ETHER, "eth");
  const create = () =>
    aWithdrawal(deps, "shop@example.com", { network: "erc20", token: "eth", amount: 3n * ETHER });
  const [paid, short, forwarded] = [await create(), await create(), await create()];
  const sent = (refid: string, txHash: string) =>
    markSent(deps, { env: "test", refid, txHash, actor: ACTOR }, new Date());
  const send = async (wei: bigint) => {
    const payment = { from: FAUCET.address, to: DESTINATION, value: `0x${wei.toString(16)}` };
    return String(await rpc(url, "eth_sendTransaction", [payment]));
  };
  assert.equal((await sent(paid.refid, await send(3n * ETHER))).ok, true);
  assert.equal((await sent(short.refid, await send(3n * ETHER - 1n))).ok, true);
  // A contract's own payment stands in no transaction, so nothing proves it.
  assert.equal((await sent(forwarded.refid, await forwardCoin(url, DESTINATION, 3n * ETHER))).ok, true);
  await mine(url, 11);
  await followWithdrawals({ ...deps, log });
  assert.deepEqual(await Promise.all([paid, short, forwarded].map(({ id }) => statusOf(db, id))), [1, 1, 1]);
  await mine(url, 1);
  await followWithdrawals({ ...deps, log });
  assert.deepEqual(await Promise.all([paid, short, forwarded].map(({ id }) => statusOf(db, id))), [3, 1, 1]);
  const failing = { env: "test", refid: short.refid, reason: null, actor: ACTOR } as const;
  assert.equal((await failWithdrawal(deps, failing, new Date())).ok, false);
  assert.deepEqual((await checkLedger(db)).problems, []);
});
