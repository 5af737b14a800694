import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { createApiKey, parseApiKey } from "#lib/domain/merchants/api-keys.ts";

test("creates a key with its environment, 32 random characters and a checksum, and parses it to its hash", () => {
  for (const env of ["live", "test"] as const) {
    const { text, hash, last4 } = createApiKey(env);
    assert.match(text, new RegExp(`^pl_${env}_[0-9A-Za-z]{38}$`));
    assert.deepEqual(hash, createHash("sha256").update(text).digest());
    assert.equal(last4, text.slice(-4));
    assert.deepEqual(parseApiKey(text), { env, hash });
  }
});

test("parses keys of earlier releases", () => {
  assert.notEqual(parseApiKey(`pl_live_${"0".repeat(32)}2driyk`), null);
  assert.notEqual(parseApiKey(`pl_test_${"z".repeat(32)}2AHMa9`), null);
});

test("rejects mistyped, cut, padded and relabeled keys without a query", () => {
  const { text } = createApiKey("live");
  const other = (c: string) => (c === "a" ? "b" : "a");
  for (let i = 8; i < text.length; i++) {
    assert.equal(parseApiKey(text.slice(0, i) + other(text.charAt(i)) + text.slice(i + 1)), null, `at ${i}`);
  }
  const wrong = ["", text.slice(0, -1), `${text}a`, ` ${text}`, `${text}\n`, text.replace("live", "test")];
  for (const one of wrong) assert.equal(parseApiKey(one), null, JSON.stringify(one));
});

test("uses all 62 characters about equally often", () => {
  const counts = new Map<string, number>();
  const keys = 3_000;
  for (let i = 0; i < keys; i++) {
    for (const c of createApiKey("live").text.slice(8, 40)) counts.set(c, (counts.get(c) ?? 0) + 1);
  }
  assert.equal(counts.size, 62);
  // Chi-squared with 61 degrees of freedom exceeds 140 about once in 10^7 runs. Bytes modulo 62 would give
  // over 500.
  const expected = (keys * 32) / 62;
  const chi = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
  assert.ok(chi < 140, `chi-squared is ${chi}`);
});
