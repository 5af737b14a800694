import assert from "node:assert/strict";
import { test } from "node:test";
import { shapeArabicLine } from "#lib/platform/pictures/arabic-rules.ts";

/** A line read from the right, in letters without form: what a reader makes of it. */
const readFromRight = (line: string) => [...line].toReversed().join("").normalize("NFKC");
const points = (line: string) => [...line].map((one) => (one.codePointAt(0) ?? 0).toString(16));

test("letters take the form that their neighbours ask for", () => {
  // Isolated, initial, medial, final of beh (Unicode, Arabic Presentation Forms-B).
  assert.deepEqual(points(shapeArabicLine("ب")), ["fe8f"]);
  assert.deepEqual(points(shapeArabicLine("ببب")), ["fe90", "fe92", "fe91"]);
  // Dal and waw join only the letter before them; hamza joins nobody.
  assert.deepEqual(points(shapeArabicLine("بدب")), ["fe8f", "feaa", "fe91"]);
  assert.deepEqual(points(shapeArabicLine("بءب")), ["fe8f", "fe80", "fe8f"]);
  // Yeh is the last letter of the block, ghain and feh stand on either side of a gap.
  assert.deepEqual(points(shapeArabicLine("ي")), ["fef1"]);
  assert.deepEqual(points(shapeArabicLine("غ")), ["fecd"]);
  assert.deepEqual(points(shapeArabicLine("فيف")), ["fed2", "fef4", "fed3"]);
});

test("lam and alef are one sign", () => {
  assert.deepEqual(points(shapeArabicLine("لا")), ["fefb"]);
  assert.deepEqual(points(shapeArabicLine("بلا")), ["fefc", "fe91"]);
  assert.deepEqual(points(shapeArabicLine("لأ")), ["fef7"]);
});

test("a sentence reads from the right as it was written", () => {
  for (const text of ["متجر القهوة في كانو", "في انتظار الدفع", "مدفوع جزئيا"]) {
    assert.equal(readFromRight(shapeArabicLine(text)), text);
  }
});

test("names and numbers in other scripts keep their order within it", () => {
  const forms = (text: string) => shapeArabicLine(text);
  assert.equal(shapeArabicLine("متجر Kaduna Coffee"), `Kaduna Coffee ${forms("متجر")}`);
  assert.equal(shapeArabicLine("Kaduna متجر القهوة Ltd"), `Kaduna ${forms("متجر القهوة")} Ltd`);
  assert.equal(shapeArabicLine("ادفع 25,000.50 الآن"), `${forms("الآن")} 25,000.50 ${forms("ادفع")}`);
  assert.equal(shapeArabicLine("متجر (كانو)"), `(${forms("كانو")}) ${forms("متجر")}`);
});

test("what holds no Arabic stays as it is", () => {
  for (const text of ["", "Kaduna Coffee (Lagos)", "Ọjà 25,000.00"])
    assert.equal(shapeArabicLine(text), text);
});
