import assert from "node:assert/strict";
import { test } from "node:test";
import { random128Bits } from "#lib/platform/random-128-bits.ts";

test("gives 16 bytes that were never given before, and that stay as they are", () => {
  // More than are drawn at once, several times.
  const given = Array.from({ length: 2_000 }, random128Bits);
  const texts = given.map((bytes) => bytes.toString("hex"));
  assert.ok(texts.every((text) => text.length === 32));
  assert.equal(new Set(texts).size, given.length);
  // Each of the 128 bits is set in about half of them.
  for (let bit = 0; bit < 128; bit++) {
    const set = given.filter((bytes) => ((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1).length;
    assert.ok(set > 700 && set < 1_300, `bit ${bit}: ${set} of ${given.length}`);
  }
});
