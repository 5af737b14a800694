/** Acts that happen once happen once when 20 ask at the same time (docs/operate/security.md). */

import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveDeposit } from "#lib/domain/deposits/unmatched/resolve-deposit.ts";
import { createForm } from "#lib/domain/forms/manage-forms.ts";
import { addPasskey } from "#lib/domain/members/passkeys.ts";
import { getUser } from "#lib/domain/members/queries.ts";
import { passkeys } from "#lib/domain/members/tables.ts";
import { findMerchant } from "#lib/domain/merchants/queries.ts";
import { addDevice, pairDevice } from "#lib/domain/pos/manage-devices.ts";
import { approvalChallenge } from "#lib/domain/withdrawals/approve/approval-challenge.ts";
import { approveWithdrawal } from "#lib/domain/withdrawals/approve/approve-withdrawal.ts";
import { setSecondPerson } from "#lib/domain/withdrawals/limits/limit-withdrawals.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { actOf, ownActOf, performAs, personOf } from "#tests/support/acts.ts";
import { countOk, NOW, numbers, openCrowd } from "#tests/support/at-once.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { PASSKEY_SITE, softwarePasskey } from "#tests/support/software-passkey.ts";
import { anAddress, anUnmatchedDeposit } from "#tests/support/unmatched.ts";
import { bep20 } from "#tests/support/watched-chain.ts";
import { operatorSteps } from "#tests/support/withdrawal-steps.ts";
import { aWithdrawal, fund, USDT } from "#tests/support/withdrawals.ts";

const { db } = await databaseOfFile();
const { aMember, aSignedIn, atOnce, newMerchant } = await openCrowd(db);

test("an answer to a passkey's challenge, a device's code and a withdrawal's approval count once", async () => {
  const signedIn = await aSignedIn();
  const { handle } = await getUser(db, signedIn.userId);
  const expiresAt = NOW.getTime() + 1_000;
  const challenge = { challenge: "one", purpose: "register", handle, expiresAt } as const;
  const added = await atOnce((tx, i) => {
    const passkey = { credentialId: `once${i}`, publicKey: Buffer.from("k"), counter: 0, transports: [] };
    return addPasskey(ownActOf(tx, signedIn, NOW), { name: "p", passkey, challenge });
  });
  assert.equal(countOk(added), 1);

  const merchantId = await newMerchant();
  const settings = { paymentUrl: "https://pay.example.com/pay" };
  const as = (tx: Tx) => actOf(tx, merchantId, { now: NOW });
  const made = await db.transaction((tx) => createForm(as(tx), { settings, input: { title: "Till" } }));
  assert.ok(made.ok);
  const { code: formCode } = made.form;
  const device = await db.transaction((tx) => addDevice(as(tx), { formCode, name: "Counter" }));
  assert.ok(device.ok);
  const given = { formCode, typed: device.deviceCode, timeZone: "UTC" };
  const paired = await Promise.all(numbers(20).map(() => pairDevice(db, given, NOW)));
  assert.equal(paired.filter((token) => token !== null).length, 1);
});

test("a withdrawal is approved, sent and ended once, and an unmatched deposit is resolved once", async () => {
  const networks = bep20("http://127.0.0.1:9");
  const adapter = networks.find("test", "bep20")!;
  const merchantId = await newMerchant();
  const email = (await findMerchant(db, merchantId))?.email ?? "";
  await fund(db, adapter, merchantId, 100n * USDT);
  const [owner] = [await aMember(merchantId, "owner"), await aMember(merchantId, "owner")];
  const by = { merchantId, now: NOW };
  assert.ok((await performAs(db, by, setSecondPerson, { secondPerson: true })).ok);
  const row = await aWithdrawal({ db, networks }, email);
  const passkey = softwarePasskey();
  const stored = { userId: owner, name: "p", credentialId: passkey.id, publicKey: passkey.publicKey };
  await db.insert(passkeys).values({ ...stored, counter: 0, transports: [] });
  const answer = passkey.answer(approvalChallenge(row));
  const asked = { site: { origin: PASSKEY_SITE.origin }, refid: row.refid, answer };
  const byOwner = { ...by, actor: personOf(owner ?? 0, "owner", NOW) };
  const approved = await Promise.all(numbers(20).map(() => performAs(db, byOwner, approveWithdrawal, asked)));
  assert.equal(countOk(approved), 1);

  const deps = { db, networks };
  const { sent, fail } = operatorSteps(deps);
  const named = numbers(20).map((i) => sent(row.refid, `0x${String(i).padStart(64, "1")}`, NOW));
  assert.equal(countOk(await Promise.all(named)), 1);
  const other = await aWithdrawal(deps, email);
  const failed = numbers(20).map(() => fail(other.refid, "typing error", NOW));
  assert.equal(countOk(await Promise.all(failed)), 1);

  const { id: addressId } = await anAddress(db, adapter, merchantId);
  const { id } = await anUnmatchedDeposit(db, { addressId });
  const resolved = await atOnce((tx) =>
    resolveDeposit(actOf(tx, merchantId, { now: NOW }), { networks, id }),
  );
  assert.equal(countOk(resolved), 1);
});
