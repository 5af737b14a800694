import assert from "node:assert/strict";
import { test } from "node:test";
import { hashPassword, PasswordsBusyError, verifyPassword } from "#lib/platform/passwords.ts";

test("verifies the password of a hash, however its letters were composed, and no other", async () => {
  const hash = await hashPassword("pässword, long enough");
  assert.notEqual(hash, await hashPassword("pässword, long enough"), "each hash has its own salt");
  assert.equal(await verifyPassword("pa\u0308ssword, long enough", hash), true);
  assert.equal(await verifyPassword("pässword, long enougH", hash), false);
  assert.equal(await verifyPassword("", null), false);
});

test("checks a bounded number of passwords at once, and refuses more than can wait", async () => {
  const checks = await Promise.allSettled(Array.from({ length: 30 }, () => verifyPassword("x", null)));
  const refused = checks.filter((check) => check.status === "rejected");
  assert.equal(refused.length, 8);
  assert.ok(refused.every(({ reason }) => reason instanceof PasswordsBusyError));
});
