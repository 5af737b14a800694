/** A payee whose address is a contract can neither stop the hot account nor burn its gas again and again. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { keccak256 } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { deriveChildKey, openAccountKey } from "#lib/signer/account-key.ts";
import { openJournal } from "#lib/signer/journal.ts";
import { mine, rpc, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { openFakeNode } from "#tests/support/fake-node.ts";
import {
  ACCOUNT_KEY,
  policyText,
  type SignerWorld,
  signerWorld,
  WORDS,
} from "#tests/support/signer-world.ts";
import { evmNetwork } from "#tests/support/watched-chain.ts";
import { aWithdrawal, DESTINATION, fund, USDT } from "#tests/support/withdrawals.ts";

const EMAIL = "shop@example.com";
/** In wei, as in ledger units. */
const BNB = 10n ** 18n;
const PAYEE = "0x00000000000000000000000000000000c0ffee01";
/** Counts down from 1,038,461: about 27 million gas. */
const HUNGRY = "0x620fd87d5b600190038060045700";
/** Accepts where the gas price is 0, and burns all gas elsewhere. */
const PRICED = "0x3a600557005bfe";
/** Accepts until its first storage slot is set, then burns all gas. */
const SWITCHED = "0x600054600757005bfe";

async function aWorld(t: TestContext, code: string) {
  const w = await signerWorld(t);
  await fund(w.db, w.adapter, w.merchantId, 5n * BNB, "bnb");
  await rpc(w.url, "anvil_setCode", [PAYEE, code]);
  const payCoins = (to = PAYEE) => aWithdrawal(w, EMAIL, { token: "bnb", amount: BNB / 100n, to });
  return { ...w, payCoins, coins: (of: string) => coinsOf(w, of) };
}

const coinsOf = async ({ url }: SignerWorld, address: string): Promise<bigint> =>
  BigInt(String(await rpc(url, "eth_getBalance", [address, "latest"])));

test("a destination that needs nearly a whole block is held, and what comes after it is paid", async (t) => {
  const w = await aWorld(t, HUNGRY);
  const { refid } = await w.payCoins();
  await w.create(USDT);
  const signer = w.start();
  await w.step(signer);
  await mine(w.url);
  assert.equal(signer.held.get(refid), "gas_too_high");
  assert.equal(await w.balance(DESTINATION), USDT);
});

test("a destination that burns what its price allows is found out before anything is signed", async (t) => {
  const w = await aWorld(t, PRICED);
  const { refid } = await w.payCoins();
  const signer = w.start();
  await w.step(signer);
  assert.equal(signer.held.get(refid), "would_fail");
  assert.deepEqual(w.journal(), []);
});

test("a destination that burns gas in the block costs its cap once, not for each withdrawal", async (t) => {
  const w = await aWorld(t, SWITCHED);
  const clock = { now: Date.now() };
  const signer = w.start(policyText({}, { gwei: "10" }), { now: () => new Date(clock.now) });
  const before = await w.coins(w.hot);
  const first = await w.payCoins();
  await w.step(signer);
  await rpc(w.url, "anvil_setStorageAt", [PAYEE, `0x${"0".repeat(64)}`, `0x${"1".padStart(64, "0")}`]);
  await mine(w.url, 4);
  const burned = before - (await w.coins(w.hot));
  assert.ok(burned > 0n && burned <= 200_000n * 10n ** 10n, `${burned} wei were burned`);
  await rpc(w.url, "anvil_setStorageAt", [PAYEE, `0x${"0".repeat(64)}`, `0x${"0".repeat(64)}`]);
  for (let minute = 0; minute < 2; minute++) {
    await w.step(signer);
    clock.now += 61_000;
  }
  await w.follow();
  const failed = await w.fail(first.refid);
  assert.ok(failed.ok);
  const second = await w.payCoins();
  const other = await w.payCoins(DESTINATION);
  clock.now += 60_000;
  await w.step(signer);
  assert.equal(signer.held.get(second.refid), "destination_failed");
  assert.equal(signer.held.get(other.refid), undefined);
  await mine(w.url, 4);
  assert.equal(before - (await w.coins(w.hot)) - BNB / 100n < 2n * burned, true);
});

test("an estimate of nothing does not stop the account", async (t) => {
  const w = await aWorld(t, "0x");
  const front = await openFakeNode(t, w.url);
  front.twist = ({ method }) => (method === "eth_estimateGas" ? "0x0" : undefined);
  const networks = evmNetwork("bep20", [front.url], { usdt: USDT_ADDRESS }, { accountKey: ACCOUNT_KEY });
  const signer = w.start(policyText(), { networks });
  await w.payCoins();
  await w.create(USDT);
  await w.step(signer);
  await mine(w.url);
  assert.equal(await w.coins(PAYEE), BNB / 100n);
  await w.step(signer);
  assert.deepEqual(
    w.journal().map(({ spends }) => spends),
    [[`${w.hot}:0`], [`${w.hot}:1`]],
  );
});

test("a payment that fits no block is canceled, and the others follow", async (t) => {
  const w = await aWorld(t, HUNGRY);
  const { env, network, refid, merchantId, amount } = await w.payCoins();
  // As it was signed before there was a cap.
  const key = deriveChildKey(openAccountKey(WORDS, w.adapter), 1, 0);
  const account = privateKeyToAccount(`0x${Buffer.from(key).toString("hex")}`);
  const raw = await account.signTransaction({
    ...{ chainId: 97, nonce: 0, to: PAYEE, value: BNB / 100n, gas: 32_400_000n },
    ...{ maxFeePerGas: 5n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n },
  });
  const payout = { env, network, refid, merchantId, token: "bnb", amount, to: PAYEE } as const;
  const clock = { now: Date.now() };
  const journal = openJournal(w.journalPath);
  journal.append({
    ...{ at: new Date(clock.now), kind: "payout", env, network, payouts: [payout], moves: [] },
    ...{ spends: [`${w.hot}:0`], expires: null, hash: keccak256(raw), raw },
  });
  journal.close();
  await w.create(USDT);
  const signer = w.start(policyText(), { now: () => new Date(clock.now) });
  for (let steps = 0; steps < 8; steps++) {
    await w.step(signer);
    await mine(w.url, 4);
    clock.now += 61_000;
  }
  assert.equal(await w.balance(DESTINATION), USDT);
  assert.equal(signer.held.get(refid), "gas_too_high");
  await w.follow();
  assert.ok((await w.fail(refid)).ok, "it can never pay, and its money returns");
});
