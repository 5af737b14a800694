import assert from "node:assert/strict";
import { test } from "node:test";
import { isDescription, MAX_DESCRIPTION, readItems } from "#lib/domain/payment-links/order-rules.ts";

const item = (amount: string, given: object = {}) => ({ name: "Coffee", quantity: 1, amount, ...given });
/** The reason of a refusal, or the amounts of the items. */
const read = (items: readonly ReturnType<typeof item>[], amount = 2_500n) => {
  const result = readItems(items, { amount, currency: "usd" });
  return result.ok ? result.items.map((one) => one.amount) : result.reason;
};

test("accepts a description of one line of plain text", () => {
  for (const text of ["Two bags of coffee", "<b>&amp;</b>", "قهوة", "x".repeat(MAX_DESCRIPTION)])
    assert.equal(isDescription(text), true, text);
  const refused = ["", "  ", "a\nb", "a\u0000", "\ud800", "\u202eeno", "a\u2066b", "a\u2028b"];
  for (const text of [...refused, "x".repeat(MAX_DESCRIPTION + 1)])
    assert.equal(isDescription(text), false, JSON.stringify(text));
});

test("accepts items whose amounts add up to the amount of the link, exactly", () => {
  assert.deepEqual(read([item("10.00"), item("15")]), [1_000n, 1_500n]);
  assert.equal(read([item("10.00"), item("14.99")]), "items_sum_differs");
  assert.equal(read([item("10.00"), item("15.01")]), "items_sum_differs");
  // A float has 0.1 + 0.2 = 0.30000000000000004, and cannot tell these apart.
  assert.deepEqual(read([item("0.1"), item("0.2")], 30n), [10n, 20n]);
  const large = 999_999_999_999_99n;
  assert.deepEqual(read([item("999999999999.98"), item("0.01")], large), [large - 1n, 1n]);
  assert.equal(read([item("999999999999.98"), item("0.02")], large), "items_sum_differs");
});

test("counts the amount of an item for its whole quantity", () => {
  assert.deepEqual(read([item("25", { quantity: 3 })]), [2_500n]);
});

test("refuses amounts that are no amounts of the currency", () => {
  for (const amount of ["0", "-1", "1.001", "1e13", "x"])
    assert.equal(read([item(amount), item("25")]), "items_amount_malformed", amount);
});

test("refuses names, quantities and numbers of items out of their limits", () => {
  assert.equal(read([item("25", { name: "" })]), "items_malformed");
  assert.equal(read([item("25", { name: "x".repeat(101) })]), "items_malformed");
  assert.equal(read([item("25", { name: "a\nb" })]), "items_malformed");
  for (const quantity of [0, -1, 1.5, 1_000_001, Number.NaN])
    assert.equal(read([item("25", { quantity })]), "items_malformed", String(quantity));
  const items = (count: number) => Array.from({ length: count }, () => item("1"));
  assert.equal(Array.isArray(read(items(20), 2_000n)), true);
  assert.equal(read(items(21), 2_100n), "items_malformed");
});
