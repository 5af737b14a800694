import assert from "node:assert/strict";
import { test } from "node:test";
import { SITE_SHARE } from "#lib/domain/payment-links/visitor-rules.ts";
import { createTryLimit } from "#lib/web/page/try-limit.ts";

const TRIES = 3;
const network = (n: number) => `2001:db8:0:${n.toString(16)}::1`;

test("all networks of one /48 share ten times the tries of a visitor, and others have theirs", () => {
  const limit = createTryLimit(TRIES, () => 0);
  const admitted = Array.from({ length: 200 }, (_, n) => limit.admit(network(n))).filter(Boolean);
  assert.equal(admitted.length, TRIES * SITE_SHARE);
  assert.equal(limit.hasTries(network(201)), false);
  assert.equal(limit.admit("2001:db8:1::1"), true);
  assert.equal(limit.admit("203.0.113.5"), true);
});

test("a visitor has its own tries, and gets them again in ten minutes", () => {
  let now = 0;
  const limit = createTryLimit(TRIES, () => now);
  const admit = (times: number) =>
    Array.from({ length: times }, () => limit.admit("203.0.113.5")).filter(Boolean).length;
  assert.equal(admit(5), TRIES);
  assert.equal(limit.hasTries("203.0.113.5"), false);
  now = 600_000;
  assert.equal(admit(5), TRIES);
});
