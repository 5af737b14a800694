import assert from "node:assert/strict";
import { scryptSync } from "node:crypto";
import { test } from "node:test";
import { hashPassword, PasswordsBusyError, verifyPassword } from "#lib/platform/passwords.ts";

const QUICK = { N: 2, r: 1, p: 1 };

test("verifies the password of a hash, however its letters were composed, and no other", async () => {
  const hash = await hashPassword("pässword, long enough", QUICK);
  const other = await hashPassword("pässword, long enough", QUICK);
  assert.notEqual(hash, other, "each hash has its own salt");
  assert.equal(await verifyPassword("pa\u0308ssword, long enough", hash, QUICK), true);
  assert.equal(await verifyPassword("pässword, long enougH", hash, QUICK), false);
  assert.equal(await verifyPassword("", null, QUICK), false);
});

test("costs an attacker what OWASP asks for, unless a test lowers it", async () => {
  const stored = await hashPassword("long enough");
  const [, salt = "", hash] = stored.split("$");
  const cost = { N: 2 ** 16, r: 8, p: 2, maxmem: 2 ** 27 };
  assert.equal(scryptSync("long enough", Buffer.from(salt, "base64"), 32, cost).toString("base64"), hash);
  assert.equal(await verifyPassword("long enough", stored), true);
});

test("checks a bounded number of passwords at once, and refuses more than can wait", async () => {
  const checks = await Promise.allSettled(Array.from({ length: 30 }, () => verifyPassword("x", null, QUICK)));
  const refused = checks.filter((check) => check.status === "rejected");
  assert.equal(refused.length, 8);
  assert.ok(refused.every(({ reason }) => reason instanceof PasswordsBusyError));
});
