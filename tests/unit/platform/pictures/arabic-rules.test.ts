import assert from "node:assert/strict";
import { test } from "node:test";
import { shapeArabicLine } from "#lib/platform/pictures/arabic-rules.ts";

/** The line in reading order with basic letters, as a reader understands it. */
const readFromRight = (line: string) => [...line].toReversed().join("").normalize("NFKC");
const points = (line: string) => [...line].map((one) => (one.codePointAt(0) ?? 0).toString(16));

test("gives letters the form that their neighbors require", () => {
  // Isolated, initial, medial and final form of beh (Unicode, Arabic Presentation Forms-B).
  assert.deepEqual(points(shapeArabicLine("ب")), ["fe8f"]);
  assert.deepEqual(points(shapeArabicLine("ببب")), ["fe90", "fe92", "fe91"]);
  // Dal and waw join only the previous letter. Hamza joins no letter.
  assert.deepEqual(points(shapeArabicLine("بدب")), ["fe8f", "feaa", "fe91"]);
  assert.deepEqual(points(shapeArabicLine("بءب")), ["fe8f", "fe80", "fe8f"]);
  // Yeh is the last letter of the block. Ghain and feh are on either side of a gap.
  assert.deepEqual(points(shapeArabicLine("ي")), ["fef1"]);
  assert.deepEqual(points(shapeArabicLine("غ")), ["fecd"]);
  assert.deepEqual(points(shapeArabicLine("فيف")), ["fed2", "fef4", "fed3"]);
});

test("joins lam and alef to one glyph", () => {
  assert.deepEqual(points(shapeArabicLine("لا")), ["fefb"]);
  assert.deepEqual(points(shapeArabicLine("بلا")), ["fefc", "fe91"]);
  assert.deepEqual(points(shapeArabicLine("لأ")), ["fef7"]);
});

test("puts a sentence into visual order", () => {
  for (const text of ["متجر القهوة في كانو", "في انتظار الدفع", "مدفوع جزئيا"]) {
    assert.equal(readFromRight(shapeArabicLine(text)), text);
  }
});

test("keeps the order of names and numbers in other scripts", () => {
  const forms = (text: string) => shapeArabicLine(text);
  assert.equal(shapeArabicLine("متجر Kaduna Coffee"), `Kaduna Coffee ${forms("متجر")}`);
  assert.equal(shapeArabicLine("Kaduna متجر القهوة Ltd"), `Kaduna ${forms("متجر القهوة")} Ltd`);
  assert.equal(shapeArabicLine("ادفع 25,000.50 الآن"), `${forms("الآن")} 25,000.50 ${forms("ادفع")}`);
  assert.equal(shapeArabicLine("متجر (كانو)"), `(${forms("كانو")}) ${forms("متجر")}`);
});

test("keeps a price in the place that its direction mark gives it", () => {
  assert.equal(shapeArabicLine("25,000.50 ₦ NGN", true), "NGN ₦ 25,000.50");
  assert.equal(shapeArabicLine("الدفع 9.375 USDT"), `USDT 9.375 ${shapeArabicLine("الدفع")}`);
  assert.equal(shapeArabicLine("الدفع TRC20 3"), `TRC20 3 ${shapeArabicLine("الدفع")}`);
});

test("leaves text without Arabic unchanged", () => {
  for (const text of ["", "Kaduna Coffee (Lagos)", "Ọjà 25,000.00"])
    assert.equal(shapeArabicLine(text), text);
});
