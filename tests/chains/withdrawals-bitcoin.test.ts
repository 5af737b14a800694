import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { eq } from "drizzle-orm";
import type { NetworkData } from "#lib/chains/network-data.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { failWithdrawal } from "#lib/domain/withdrawals/fail-withdrawal.ts";
import { followWithdrawals } from "#lib/domain/withdrawals/follow-withdrawals.ts";
import { markSent } from "#lib/domain/withdrawals/mark-sent.ts";
import { replaceTransaction } from "#lib/domain/withdrawals/replace-transaction.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { utxoNetwork } from "#tests/support/bitcoin-adapter.ts";
import {
  BITCOIN_REGTEST,
  type BitcoindNode,
  LITECOIN_REGTEST,
  openBitcoin,
  type PrivateChain,
  startBitcoind,
  startLitecoind,
} from "#tests/support/bitcoind.ts";
import { STAND_IN, STAND_IN_CHAIN, startStandIn } from "#tests/support/contract-drivers/dogecoin.ts";
import { testDatabase } from "#tests/support/database.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { until } from "#tests/support/until.ts";
import { log } from "#tests/support/watched-chain.ts";
import { ACTOR, accountsOf, aWithdrawal, fund } from "#tests/support/withdrawals.ts";

const EMAIL = "shop@example.com";
const BTC = 100_000_000n;

/** A network of bitcoin's family on its own node, with its strictest tier. */
interface Setup {
  readonly data: NetworkData;
  readonly start: () => Promise<BitcoindNode>;
  readonly chain: PrivateChain;
  readonly finalAfter: number;
  /** The amount of a withdrawal, whole coins. Dogecoin's minimum is ten. */
  readonly sent: { readonly right: string; readonly wrong: string; readonly units: bigint };
}
const SENT = { right: "0.1", wrong: "0.2", units: BTC / 10n };
const BITCOIN: Setup = {
  data: NETWORKS.bitcoin,
  start: () => startBitcoind(),
  chain: BITCOIN_REGTEST,
  finalAfter: 6,
  sent: SENT,
};
const LITECOIN: Setup = {
  data: NETWORKS.litecoin,
  start: () => startLitecoind(),
  chain: LITECOIN_REGTEST,
  finalAfter: 24,
  sent: SENT,
};
/** A bitcoind with dogecoin's parameters. */
const DOGECOIN: Setup = {
  data: STAND_IN,
  start: () => startStandIn(),
  chain: STAND_IN_CHAIN,
  finalAfter: 60,
  sent: { right: "10", wrong: "20", units: 10n * BTC },
};

/** A node without index, and a merchant with ten times the amount. */
async function open(t: TestContext, { data, start, chain, sent }: Setup = BITCOIN) {
  const node = await start();
  const bitcoin = openBitcoin(node.url, chain);
  const database = await testDatabase();
  const { db } = database;
  t.after(async () => {
    await node.stop();
    await database.close();
  });
  const registry = utxoNetwork(data, node.url);
  const [adapter] = registry.all();
  const { network } = adapter!;
  const token = data.coin;
  const get = (env: string, asked: string) => (env === "test" && asked === network ? adapter! : null);
  const deps = { db, networks: { ...registry, get } };
  await fund(db, adapter!, await aMerchant(db, EMAIL), 10n * sent.units, token);
  const naming = (refid: string, txHash: string) => ({ env: "test", refid, txHash, actor: ACTOR }) as const;
  return {
    bitcoin,
    db,
    create: (to: string) => aWithdrawal(deps, EMAIL, { network, token, amount: sent.units, to }),
    sent: (refid: string, hash: string) => markSent(deps, naming(refid, hash), new Date()),
    replace: (refid: string, hash: string) => replaceTransaction(deps, naming(refid, hash), new Date()),
    fail: (refid: string) =>
      failWithdrawal(deps, { env: "test", refid, reason: null, actor: ACTOR }, new Date()),
    follow: () => followWithdrawals({ ...deps, log }),
    row: async (id: number) => (await db.select().from(withdrawals).where(eq(withdrawals.id, id)))[0]!,
    booksAgree: async () => assert.deepEqual((await checkLedger(db)).problems, []),
  };
}

const refused = (reason: string) => ({ ok: false, reason });

for (const [setup, form] of [
  [BITCOIN, "legacy"],
  [BITCOIN, "p2sh-segwit"],
  [BITCOIN, "bech32"],
  [BITCOIN, "bech32m"],
  [LITECOIN, "p2sh-segwit"],
  [LITECOIN, "bech32"],
  [DOGECOIN, "legacy"],
] as const) {
  const { finalAfter, data, sent } = setup;
  const title = `on ${data.code} a send to a ${form} address is completed with confirmation ${finalAfter}`;
  test(title, async (t) => {
    const w = await open(t, setup);
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
    assert.equal((await w.row(id)).status, 1);
    await w.bitcoin.mine();
    // A busy node may answer too late for one run, and the next asks again.
    await until("the completion", async () => {
      await Promise.all([w.follow(), w.follow()]);
      return (await w.row(id)).status === 3;
    });
    assert.equal((await w.row(id)).txHash, hash);
    const accounts = await accountsOf(w.db);
    assert.equal(accounts[`custody:${data.code}`], -9n * sent.units);
    await w.booksAgree();
  });
}

test("accepts a fee bump as the payment, and fails a cancelled payment after six confirmations", async (t) => {
  const w = await open(t);
  const to = await w.bitcoin.call<string>("getnewaddress");
  const one = await w.create(to);
  const hash = await w.bitcoin.sendTo(to, "0.1");
  await w.sent(one.refid, hash);
  const bumped = await w.bitcoin.replace(hash);
  assert.equal((await w.replace(one.refid, bumped)).ok, true);
  await w.bitcoin.mine(6);
  await w.follow();
  assert.deepEqual([(await w.row(one.id)).status, (await w.row(one.id)).txHash], [3, bumped]);

  const two = await w.create(to);
  const second = await w.bitcoin.sendTo(to, "0.1");
  await w.sent(two.refid, second);
  const back = await w.bitcoin.replace(second, [[await w.bitcoin.call("getnewaddress"), "0.1"]]);
  assert.equal((await w.replace(two.refid, back)).ok, true);
  await w.bitcoin.mine(5);
  await w.follow();
  assert.deepEqual(await w.fail(two.refid), refused("withdrawal_may_still_pay"));
  await w.bitcoin.mine();
  assert.equal((await w.fail(two.refid)).ok, true);
  await w.follow();
  assert.equal((await w.row(two.id)).status, 2);
  await w.booksAgree();
});

test("reverts a payment in a reorg, and the next block includes it again", async (t) => {
  const w = await open(t);
  const to = await w.bitcoin.call<string>("getnewaddress");
  const { id, refid } = await w.create(to);
  const hash = await w.bitcoin.sendTo(to, "0.1");
  await w.sent(refid, hash);
  await w.bitcoin.mine(3);
  await w.follow();
  await w.bitcoin.reorg(3, "without");
  await w.bitcoin.mine(5);
  await w.follow();
  assert.equal((await w.row(id)).status, 1);
  await w.bitcoin.mine();
  await w.follow();
  assert.equal((await w.row(id)).status, 3);
  await w.booksAgree();
});
