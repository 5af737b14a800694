import assert from "node:assert/strict";
import { test } from "node:test";
import { findTotpStep, totpSecretFrom, totpUri } from "#lib/platform/one-time-codes.ts";

const SECRET = totpSecretFrom(Buffer.from("12345678901234567890"));

test("accepts the codes of RFC 6238, appendix B, and of the steps before and after", () => {
  for (const [seconds, code] of [
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_234_567_890, "005924"],
    [20_000_000_000, "353130"],
  ] as const) {
    const step = Math.floor(seconds / 30);
    const at = (offset: number) => new Date((seconds + offset) * 1_000);
    for (const offset of [-30, 0, 30]) assert.equal(findTotpStep(SECRET, code, at(offset)), step, code);
    for (const offset of [-60, 60]) assert.equal(findTotpStep(SECRET, code, at(offset)), null, code);
  }
});

test("refuses what is no code", () => {
  for (const wrong of ["", "28708", "2870822", "28708a", "２８７０８２"])
    assert.equal(findTotpStep(SECRET, wrong, new Date(59_000)), null, wrong);
});

test("the URI has the secret that the app needs", () => {
  const uri = new URL(totpUri(SECRET, "ada@example.com"));
  assert.equal(uri.searchParams.get("secret"), SECRET);
  assert.equal(uri.searchParams.get("issuer"), "Paylink");
});
