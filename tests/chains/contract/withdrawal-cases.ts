import assert from "node:assert/strict";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { units } from "#tests/support/fund.ts";
import { log } from "#tests/support/watched-network.ts";
import { withdrawalSteps } from "#tests/support/withdrawal-steps.ts";
import { aWithdrawal, fund } from "#tests/support/withdrawals.ts";
import type { WatchBench, WatchCase } from "./watcher-cases.ts";

/** Whole tokens of a withdrawal, where it is not 0.1. More than the smallest one that the ledger allows. */
const AMOUNTS: Partial<Record<TokenCode, string>> = { usdt: "10", doge: "10", trx: "100", xrp: "100" };

/** Not an address of the watcher or of the other cases. */
let destination = 20_000;

/** A withdrawal of a merchant with enough money, its destination as displayed, and the operator's steps. */
async function openWithdrawal({ driver, watched }: WatchBench) {
  const { network, token } = driver;
  const { adapter, db, networks, merchantId } = watched;
  const amount = units(token, AMOUNTS[token] ?? "0.1");
  await fund(db, adapter, merchantId, 10n * amount, token);
  const to = adapter.addresses.display(adapter.addresses.derive(destination++).address);
  const { id, refid } = await aWithdrawal({ db, networks }, "shop@example.com", {
    network,
    token,
    to,
    amount,
  });
  const { finality } = adapter.data;
  const blocksToFinal =
    finality.kind === "confirmations"
      ? Math.max(...finality.tiers.map(({ blocks }) => blocks))
      : driver.blocksToCredit;
  const steps = withdrawalSteps({ db, networks }, log);
  const status = async () => (await steps.row(id)).status;
  return { ...steps, refid, to, amount, blocksToFinal, status };
}

const PROCESSING = "processing";
const COMPLETED = "completed";
const FAILED = "failed";

/** Withdrawals whose payment an operator submits by its hash, on networks that derive addresses from a key. */
export const WITHDRAWAL_CASES: readonly WatchCase[] = [
  [
    "completes a withdrawal once the block of its payment is final, and not before",
    async (bench) => {
      const { driver } = bench;
      const w = await openWithdrawal(bench);
      const hash = await driver.send(w.to, w.amount);
      assert.equal((await w.sent(w.refid, hash)).ok, true);
      await driver.mine(w.blocksToFinal - 1);
      await w.follow();
      assert.equal(await w.status(), PROCESSING);
      assert.equal((await w.fail(w.refid)).ok, false, "it may still pay");
      await driver.mine();
      await w.follow();
      assert.equal(await w.status(), COMPLETED);
      await w.booksAgree();
    },
    "derive addresses from a key",
    "mine on demand",
  ],
  [
    "keeps a withdrawal processing when a reorg reverts its payment, and completes it when it is included again",
    async (bench) => {
      const { driver } = bench;
      const w = await openWithdrawal(bench);
      const hash = await driver.send(w.to, w.amount);
      assert.equal((await w.sent(w.refid, hash)).ok, true);
      await driver.mine(2);
      await w.follow();
      await driver.reorg(2, { keep: false });
      await w.follow();
      assert.equal(await w.status(), PROCESSING);
      assert.equal((await w.fail(w.refid)).ok, false, "a payment that is in no block proves nothing");
      await driver.resend(hash);
      await driver.mine(w.blocksToFinal);
      await w.follow();
      assert.equal(await w.status(), COMPLETED);
      await w.booksAgree();
    },
    "be reorganized",
  ],
  [
    "fails a withdrawal once the transaction that replaced its payment is final, and not before",
    async (bench) => {
      const { driver } = bench;
      const w = await openWithdrawal(bench);
      const elsewhere = await openWithdrawal(bench);
      const hash = await driver.send(w.to, w.amount);
      assert.equal((await w.sent(w.refid, hash)).ok, true);
      const other = await driver.replace(hash, elsewhere.to, elsewhere.amount);
      assert.equal((await w.replace(w.refid, other)).ok, true);
      await driver.mine(w.blocksToFinal - 1);
      assert.equal((await w.fail(w.refid)).ok, false, "it is not final");
      await driver.mine();
      assert.equal((await w.fail(w.refid)).ok, true);
      await w.follow();
      assert.equal(await w.status(), FAILED);
      await w.booksAgree();
    },
    "replace a transaction for good",
    "mine on demand",
  ],
];
