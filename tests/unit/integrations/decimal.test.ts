import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CURRENCIES } from "#lib/platform/money/currencies.ts";
import {
  addDecimals,
  compareDecimals,
  currencyPlaces,
  fromMinorUnits,
  roundDecimal,
  scaleDecimal,
  toMinorUnits,
} from "../../../integrations/shop/src/decimal.ts";

test("compares, adds and rounds decimals exactly", () => {
  assert.equal(compareDecimals("2.50", "2.5"), 0);
  assert.equal(compareDecimals("0.1", "0.10000000000000000001"), -1);
  assert.equal(compareDecimals("10", "9.99"), 1);
  assert.equal(addDecimals(["0.1", "0.2", "10"]), "10.3");
  assert.equal(addDecimals([]), "0");
  assert.equal(roundDecimal("12.345", 2), "12.35");
  assert.equal(roundDecimal("12.344999", 2), "12.34");
  assert.equal(roundDecimal("123.45", 0), "123");
});

test("converts minor units, and refuses what they cannot hold", () => {
  assert.equal(fromMinorUnits(1234, 2), "12.34");
  assert.equal(fromMinorUnits(5, 3), "0.005");
  assert.equal(toMinorUnits("12.34", 2), 1234);
  assert.equal(toMinorUnits("12", 2), 1200);
  assert.equal(toMinorUnits("12.345", 2), null);
  assert.equal(toMinorUnits("99999999999999999", 2), null);
  assert.throws(() => fromMinorUnits(0.1, 2), RangeError);
  assert.throws(() => fromMinorUnits(-1, 2), RangeError);
  for (const text of ["", "-1", "1e3", ".5", "1.", "0x1", "1,5", "NaN"])
    assert.throws(() => roundDecimal(text, 2), TypeError);
});

test("minor units survive a round trip", () => {
  fc.assert(
    fc.property(fc.nat(Number.MAX_SAFE_INTEGER), fc.nat(6), (amount, places) => {
      assert.equal(toMinorUnits(fromMinorUnits(amount, places), places), amount);
    }),
  );
});

test("scales without floats, rounded down", () => {
  assert.equal(scaleDecimal("10.01", "4", { by: "16000.5", places: 6 }), "0.002502");
  assert.equal(scaleDecimal("1", "1", { by: "3", places: 8 }), "0.33333333");
  assert.throws(() => scaleDecimal("1", "1", { by: "0", places: 8 }), RangeError);
});

test("knows the places of every currency of a link that shops count in", () => {
  for (const [code, places] of Object.entries(CURRENCIES).filter(([, decimals]) => decimals <= 3))
    assert.equal(currencyPlaces(code.toUpperCase()), places, code);
});
