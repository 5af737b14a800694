import assert from "node:assert/strict";
import { test } from "node:test";
import { findHold } from "#lib/signer/solana/transfer-rules.ts";

const SYSTEM = "11111111111111111111111111111111";
const TRANSFER = { token: "sol", decimals: 9, mint: null, to: "x", value: 1_000_000n } as const;
const PLAIN = { lamports: 5n, owner: SYSTEM, data: new Uint8Array(0), space: 0, executable: false };
const hold = (changes: Partial<typeof PLAIN> | null, given: object = {}) =>
  findHold(TRANSFER, {
    destination: changes === null ? null : { ...PLAIN, ...changes },
    rent: { empty: 890_880n, tokenAccount: 2_039_280n },
    held: 1_000_000n,
    reserved: 0n,
    ...given,
  });

test("only an account of a person is paid: without data, also if no byte of it was read", () => {
  assert.equal(hold({}), null);
  assert.equal(hold({ space: 10_485_760 }), "destination_unsafe");
  assert.equal(hold({ owner: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" }), "destination_unsafe");
  assert.equal(hold({ executable: true }), "destination_unsafe");
});

test("a new account gets at least its rent, and no more is promised than is held", () => {
  assert.equal(hold(null), null);
  assert.equal(hold(null, { rent: { empty: 1_000_001n, tokenAccount: 0n } }), "below_minimum");
  assert.equal(hold({}, { reserved: 1n }), "hot_balance_too_low");
});
