import assert from "node:assert/strict";
import { test } from "node:test";
import { Wallet, xAddressToClassicAddress } from "xrpl";
import { testDatabase } from "#tests/support/database.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { log } from "#tests/support/watched-network.ts";
import { withdrawalSteps } from "#tests/support/withdrawal-steps.ts";
import { aWithdrawal, fund, statusOf } from "#tests/support/withdrawals.ts";
import { DROPS_PER_XRP, PARTIAL_PAYMENT, startXrpWorld, xrpNetwork } from "#tests/support/xrp.ts";

test("completes an XRP withdrawal when its ledger is validated, by tag and delivered amount", async (t) => {
  const world = await startXrpWorld();
  t.after(world.stop);
  const { db, close } = await testDatabase();
  t.after(close);
  const deps = { db, networks: xrpNetwork(world.account, world.url) };
  const { sent, fail, follow, booksAgree } = withdrawalSteps(deps, log);
  const amount = 10n * DROPS_PER_XRP;
  await fund(db, world.adapter(), await aMerchant(db, "shop@example.com"), 200n * DROPS_PER_XRP, "xrp");
  const to = Wallet.generate();
  const tagged = to.getXAddress(9, true);
  const create = (address: string) =>
    aWithdrawal(deps, "shop@example.com", { network: "xrp", token: "xrp", amount, to: address });

  const plain = await create(to.classicAddress);
  assert.deepEqual(xAddressToClassicAddress(plain.toAddress), {
    classicAddress: to.classicAddress,
    tag: false,
    test: true,
  });
  const [withTag, elsewhere, short, poor] = [
    await create(tagged),
    await create(tagged),
    await create(tagged),
    await create(tagged),
  ];
  const hashes = {
    plain: await world.pay(world.payer, to.classicAddress, amount),
    withTag: await world.pay(world.payer, tagged, amount),
    elsewhere: await world.pay(world.payer, to.getXAddress(8, true), amount),
    short: await world.pay(world.payer, tagged, amount, {
      SendMax: world.token("2"),
      Flags: PARTIAL_PAYMENT,
    }),
    poor: await world.pay(world.pauper, tagged, amount),
  };
  assert.equal((await sent(plain.refid, hashes.plain.toLowerCase())).ok, true);
  assert.equal((await sent(withTag.refid, hashes.withTag)).ok, true);
  assert.equal((await sent(elsewhere.refid, hashes.elsewhere)).ok, true);
  assert.equal((await sent(short.refid, hashes.short)).ok, true);
  assert.equal((await sent(poor.refid, hashes.poor)).ok, true);
  await follow();
  assert.deepEqual(await Promise.all([plain, withTag, poor].map(({ id }) => statusOf(db, id))), [
    "processing",
    "processing",
    "processing",
  ]);
  world.mine();
  await follow();
  assert.deepEqual(await Promise.all([plain, withTag].map(({ id }) => statusOf(db, id))), [
    "completed",
    "completed",
  ]);
  // Another tag is another receiver. Another amount needs manual review. A failure is proof.
  assert.notEqual(await statusOf(db, elsewhere.id), "completed");
  assert.equal(await statusOf(db, short.id), "processing");
  assert.equal((await fail(poor.refid)).ok, true);
  await follow();
  assert.equal(await statusOf(db, poor.id), "failed");
  await booksAgree();
});
