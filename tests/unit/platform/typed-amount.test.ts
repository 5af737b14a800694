import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAmount } from "#lib/platform/money/amount.ts";
import { readTypedAmount } from "#lib/platform/money/typed-amount.ts";

test("reads a comma as decimals, and groups of three as thousands", () => {
  const texts = {
    "25.50": "25.50",
    "25,50": "25.50",
    " 25,5 ": "25.5",
    "0,125": "0.125",
    "1000,125": "1000.125",
    "1.000,50": "1000.50",
    "1,000.50": "1000.50",
    "1,000,000": "1000000",
    "1.000.000,5": "1000000.5",
    "16 000": "16000",
    "16\u202f000,25": "16000.25",
    "1'000": "1000",
  };
  for (const [typed, text] of Object.entries(texts)) assert.equal(readTypedAmount(typed, 2), text, typed);
});

test("leaves what may mean two amounts, and what is no amount", () => {
  for (const typed of ["1,000", "16,000", "1,00,5", "1.00,5,2", "-5,5", "5,", ",5", "1 x", ""])
    assert.equal(readTypedAmount(typed, 2), typed, typed);
});

test("a point before three digits is of decimals where amounts have three, and refused where they have fewer", () => {
  const isRefused = (typed: string, decimals: number) =>
    !parseAmount(readTypedAmount(typed, decimals), decimals).ok;
  for (const typed of ["1.000", "12.500", "999.999", " 1.000 "]) {
    for (const decimals of [0, 2]) assert.ok(isRefused(typed, decimals), typed);
    assert.equal(readTypedAmount(typed, 3), typed.trim());
    // A person writes one and a half without a zero at the end.
    for (const decimals of [6, 18]) assert.equal(isRefused(typed, decimals), !typed.endsWith("9"), typed);
  }
  for (const typed of ["0.125", "1000.500", "1.0000", "1.00"]) assert.equal(readTypedAmount(typed, 2), typed);
});
