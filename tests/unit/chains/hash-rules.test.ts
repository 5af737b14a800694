import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalizeTransactionHash, listTransactionHashForms } from "#lib/chains/hash-rules.ts";

const SMALL = "ab".repeat(32);
const LARGE = "AB".repeat(32);
const SIGNATURE = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";

test("a hash has one form on each network, however it is written", () => {
  for (const text of [SMALL, LARGE, `0x${SMALL}`, `0x${LARGE}`, `0X${LARGE}`]) {
    assert.equal(canonicalizeTransactionHash("evm", text), `0x${SMALL}`, text);
    assert.equal(canonicalizeTransactionHash("tron", text), SMALL, text);
  }
  for (const text of [SMALL, LARGE]) {
    assert.equal(canonicalizeTransactionHash("utxo", text), SMALL);
    assert.equal(canonicalizeTransactionHash("xrp", text), LARGE);
  }
  assert.equal(canonicalizeTransactionHash("utxo", `0x${SMALL}`), null);
  assert.equal(canonicalizeTransactionHash("xrp", `0x${SMALL}`), null);
  assert.equal(canonicalizeTransactionHash("solana", SIGNATURE), SIGNATURE);
});

test("what is no hash has none", () => {
  for (const text of [
    "",
    "0x",
    SMALL.slice(2),
    `${SMALL}ab`,
    ` ${SMALL}`,
    `${SMALL}\n`,
    "zz".repeat(32),
    "\0",
  ]) {
    for (const family of ["utxo", "evm", "tron", "solana", "xrp"] as const) {
      assert.equal(canonicalizeTransactionHash(family, text), null, `${family} ${text}`);
    }
    assert.deepEqual(listTransactionHashForms(text), []);
  }
});

test("where the network is not known every form is looked for, each once", () => {
  assert.deepEqual([...listTransactionHashForms(LARGE)].sort(), [LARGE, `0x${SMALL}`, SMALL].sort());
  assert.deepEqual([...listTransactionHashForms(`0x${LARGE}`)].sort(), [`0x${SMALL}`, SMALL].sort());
  assert.deepEqual(listTransactionHashForms(SIGNATURE), [SIGNATURE]);
});
