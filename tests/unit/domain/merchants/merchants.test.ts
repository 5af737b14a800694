import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { desc, eq } from "drizzle-orm";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { findCaller } from "#lib/domain/members/find-caller.ts";
import { createApiKey } from "#lib/domain/merchants/api-keys.ts";
import { createOrUpdateCustomer } from "#lib/domain/merchants/create-customers.ts";
import { createKey } from "#lib/domain/merchants/create-key.ts";
import { createMerchant } from "#lib/domain/merchants/create-merchant.ts";
import { revokeKey } from "#lib/domain/merchants/end-key.ts";
import {
  findMerchant,
  findMerchantByEmail,
  listApiKeys,
  listMerchants,
} from "#lib/domain/merchants/queries.ts";
import { customers, merchants } from "#lib/domain/merchants/tables.ts";
import { setFee, setStatus, updateMerchant } from "#lib/domain/merchants/update-merchant.ts";
import { setConsole } from "#lib/domain/payment-links/totals/change-console.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { actOf, hereBy, personOf } from "#tests/support/acts.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { newMerchant } from "#tests/support/new-merchant.ts";

const secrets = openSecrets("a-secret-key-of-forty-characters-for-tests");
const NOW = new Date("2026-03-01T12:00:00.000Z");
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const t = await databaseOfFile();
let counter = 0;
let email = "";

beforeEach(() => {
  counter++;
  email = `shop${counter}@example.com`;
});

function create(input: Partial<{ email: string; name: string; webhookUrl: string | null }> = {}) {
  return newMerchant(t.db, { sealer: secrets, email, name: "Shop", ...input }, NOW);
}

const refusal = (input: object) =>
  t.db.transaction((tx) =>
    createMerchant(hereBy(tx, NOW), { sealer: secrets, email, name: "Shop", webhookUrl: null, ...input }),
  );

test("gives an e-mail address to one merchant, without case", async () => {
  const { merchant } = await create();
  assert.deepEqual(await refusal({ email: email.toUpperCase() }), { ok: false, reason: "email_taken" });
  assert.deepEqual(await findMerchantByEmail(t.db, email.toUpperCase()), merchant);
  assert.deepEqual(await findMerchant(t.db, merchant.id), merchant);
  assert.equal(await findMerchant(t.db, 1e9), null);
  assert.ok((await listMerchants(t.db)).some((one) => one.id === merchant.id));
});

test("refuses a malformed e-mail address, name or webhook URL", async () => {
  assert.deepEqual(await refusal({ email: "nobody" }), { ok: false, reason: "invalid_email" });
  assert.deepEqual(await refusal({ name: "  " }), { ok: false, reason: "invalid_name" });
  for (const webhookUrl of ["shop.example", "ftp://shop.example/", "https://u:p@shop.example/"]) {
    assert.deepEqual(await refusal({ webhookUrl }), { ok: false, reason: "invalid_webhookUrl" });
  }
  assert.equal(await findMerchantByEmail(t.db, email), null);
});

test("finds no caller for a malformed or invented key, or a key of the other environment", async () => {
  const made = await create();
  assert.equal(await findCaller(t.db, made.live.apiKey, "test", NOW), null);
  assert.equal(await findCaller(t.db, made.test.apiKey, "live", NOW), null);
  assert.equal(await findCaller(t.db, `${made.live.apiKey.slice(0, -1)}!`, "live", NOW), null);
  assert.equal(await findCaller(t.db, "", "live", NOW), null);
  assert.equal(await findCaller(t.db, createApiKey("live").text, "live", NOW), null);
});

test("rejects a malformed key without a query", async () => {
  const nowhere = openDatabase("postgres://127.0.0.1:1/nowhere");
  assert.equal(await findCaller(nowhere.db, `pl_live_${"a".repeat(38)}`, "live", NOW), null);
  await assert.rejects(findCaller(nowhere.db, createApiKey("live").text, "live", NOW));
  await nowhere.close();
});

test("lets the old key work until the chosen time after a rotation, and the new one at once", async () => {
  const made = await create();
  const { id: merchantId } = made.merchant;
  const oldId = (await listApiKeys(t.db, merchantId)).find((key) => key.env === "live")!.id;
  const input = { scope: "payment-links", expiresAt: null } as const;
  const live = (now: Date) => ({ env: "live", now }) as const;
  const added = await t.db.transaction((tx) => createKey(actOf(tx, merchantId, live(NOW)), input));
  assert.ok(added.ok);
  assert.equal(added.apiKey.slice(-4), added.key.last4);
  const revoke = (id: number, time: Date | null, now: Date) =>
    t.db.transaction((tx) => revokeKey(actOf(tx, merchantId, live(now)), { id, at: time }));
  assert.ok((await revoke(oldId, at(3600), NOW)).ok);

  assert.equal((await findCaller(t.db, made.live.apiKey, "live", at(3599)))?.keyId, oldId);
  assert.equal(await findCaller(t.db, made.live.apiKey, "live", at(3600)), null);
  assert.equal((await findCaller(t.db, added.apiKey, "live", at(3600)))?.scope, "payment-links");
  assert.ok(await findCaller(t.db, made.test.apiKey, "test", at(3600)));

  assert.deepEqual(await revoke(oldId, null, at(3601)), { ok: false, reason: "already_revoked" });
  assert.deepEqual(await revoke(oldId, at(-1), NOW), { ok: false, reason: "revoked_in_the_past" });
  assert.deepEqual(await revoke(1e9, null, NOW), { ok: false, reason: "key_not_found" });
  assert.ok((await revoke(added.key.id, null, NOW)).ok);
  assert.equal(await findCaller(t.db, added.apiKey, "live", NOW), null);
});

test("stops a key at its expiry, and refuses an expiry in the past", async () => {
  const { id } = (await create()).merchant;
  const make = (expiresAt: Date) =>
    t.db.transaction((tx) => createKey(actOf(tx, id, { now: NOW }), { scope: "read", expiresAt }));
  assert.deepEqual(await make(NOW), { ok: false, reason: "expires_in_the_past" });
  const made = await make(at(60));
  assert.ok(made.ok);
  assert.ok(await findCaller(t.db, made.apiKey, "test", at(59)));
  assert.equal(await findCaller(t.db, made.apiKey, "test", at(60)), null);
});

test("records the last use of a key at most once a minute and never backwards", async () => {
  const made = await create();
  const lastUsed = async () => {
    const keys = await listApiKeys(t.db, made.merchant.id);
    return keys.find((key) => key.env === "live")!.lastUsedAt;
  };
  assert.equal(await lastUsed(), null);
  await findCaller(t.db, made.live.apiKey, "live", at(0));
  assert.deepEqual(await lastUsed(), at(0));
  await findCaller(t.db, made.live.apiKey, "live", at(59));
  assert.deepEqual(await lastUsed(), at(0));
  await findCaller(t.db, made.live.apiKey, "live", at(61));
  assert.deepEqual(await lastUsed(), at(61));
  await findCaller(t.db, made.live.apiKey, "live", at(0));
  assert.deepEqual(await lastUsed(), at(61));
});

test("disables and enables a merchant, but not one that was removed", async () => {
  const { id } = (await create()).merchant;
  const set = (status: "active" | "disabled") =>
    t.db.transaction((tx) => setStatus(actOf(tx, id, { now: NOW }), { status }));
  const statusOf = (outcome: Awaited<ReturnType<typeof set>>) =>
    "merchant" in outcome && outcome.merchant.status;
  assert.equal(statusOf(await set("disabled")), "disabled");
  assert.equal(statusOf(await set("active")), "active");
  await t.db.update(merchants).set({ status: "removed" }).where(eq(merchants.id, id));
  assert.deepEqual(await set("active"), { ok: false, reason: "merchant_not_found" });
  assert.equal((await findMerchant(t.db, id))?.status, "removed");
});

test("reports an invalid setting and changes nothing", async () => {
  const { merchant } = await create();
  const attempt = (update: object) =>
    t.db.transaction((tx) => updateMerchant(actOf(tx, merchant.id), { latePolicy: "accept", ...update }));
  const wrong: [object, string][] = [
    [{ toleranceUnderBps: 10_000 }, "invalid_toleranceUnderBps"],
    [{ toleranceOverBps: 1.5 }, "invalid_toleranceOverBps"],
    [{ rateMarkupBps: -1 }, "invalid_rateMarkupBps"],
    [{ fixedRates: "usdt=1" }, "invalid_fixedRates"],
    [{ allowOrigins: ["https://shop.example/"] }, "invalid_allowOrigins"],
  ];
  for (const [update, reason] of wrong) assert.deepEqual(await attempt(update), { ok: false, reason });
  for (const feePercentage of ["100.5", "-1"]) {
    const refused = await t.db.transaction((tx) => setFee(actOf(tx, merchant.id), { feePercentage }));
    assert.deepEqual(refused, { ok: false, reason: "invalid_feePercentage" });
  }
  assert.deepEqual(await findMerchant(t.db, merchant.id), merchant);
});

test("keeps one row per merchant, environment and e-mail address with the newest details", async () => {
  const { merchant } = await create();
  const write = (details: object) =>
    t.db.transaction((tx) =>
      createOrUpdateCustomer(tx, {
        merchantId: merchant.id,
        env: "test",
        email: "ada@example.com",
        firstName: "Ada",
        lastName: "Obi",
        phone: "+234",
        ...details,
      }),
    );
  const first = await write({});
  assert.deepEqual(await write({}), first);
  assert.deepEqual(await write({ lastName: "Eze", phone: null }), first);
  const [row] = await t.db.select().from(customers).where(eq(customers.id, first.id));
  assert.deepEqual([row?.firstName, row?.lastName, row?.phone], ["Ada", "Eze", "+234"]);
  assert.notDeepEqual(await write({ env: "live" }), first);
});

test("lists a merchant that another program added, oldest first", async () => {
  const rows = await t.db.select({ id: merchants.id }).from(merchants);
  const listed = await listMerchants(t.db);
  assert.equal(listed.length, rows.length);
  assert.deepEqual(
    listed.map(({ id }) => id),
    listed.map(({ id }) => id).sort((a, b) => a - b),
  );
});

test("a merchant's time zone is an IANA name and its currency a fiat one, and their change is in the audit log", async () => {
  const { merchant } = await create();
  const set = (timeZone: string, displayCurrency = "ngn") =>
    t.db.transaction((tx) => {
      const act = actOf(tx, merchant.id, { now: NOW, actor: personOf(1, "manager", NOW) });
      return setConsole(act, { timeZone, displayCurrency: displayCurrency as CurrencyCode });
    });
  assert.deepEqual([merchant.timeZone, merchant.displayCurrency], ["UTC", "usd"]);
  for (const wrong of ["usdt", "NGN", "naira", ""])
    assert.deepEqual(await set("Africa/Lagos", wrong), {
      ok: false,
      reason: "invalid_displayCurrency",
    });
  for (const wrong of ["Lagos", "+01:00", ""])
    assert.deepEqual(await set(wrong), { ok: false, reason: "invalid_timeZone" });
  const changed = await set("Africa/Lagos");
  assert.ok(changed.ok);
  assert.equal(changed.merchant.timeZone, "Africa/Lagos");
  const [entry] = await t.db
    .select({ action: auditLog.action, details: auditLog.details })
    .from(auditLog)
    .where(eq(auditLog.subject, `merchant:${merchant.id}`))
    .orderBy(desc(auditLog.id))
    .limit(1);
  const before = { timeZone_before: "UTC", displayCurrency_before: "usd" };
  const details = { ...before, timeZone: "Africa/Lagos", displayCurrency: "ngn" };
  assert.deepEqual(entry, { action: "merchant.update", details });
});
