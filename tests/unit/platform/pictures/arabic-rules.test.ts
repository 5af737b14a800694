import assert from "node:assert/strict";
import { test } from "node:test";
import { arabicLine } from "#lib/platform/pictures/arabic-rules.ts";

/** A line read from the right, in letters without form: what a reader makes of it. */
const readFromRight = (line: string) => [...line].toReversed().join("").normalize("NFKC");
const points = (line: string) => [...line].map((one) => (one.codePointAt(0) ?? 0).toString(16));

test("letters take the form that their neighbours ask for", () => {
  // Isolated, initial, medial, final of beh (Unicode, Arabic Presentation Forms-B).
  assert.deepEqual(points(arabicLine("ب")), ["fe8f"]);
  assert.deepEqual(points(arabicLine("ببب")), ["fe90", "fe92", "fe91"]);
  // Dal and waw join only the letter before them; hamza joins nobody.
  assert.deepEqual(points(arabicLine("بدب")), ["fe8f", "feaa", "fe91"]);
  assert.deepEqual(points(arabicLine("بءب")), ["fe8f", "fe80", "fe8f"]);
  // Yeh is the last letter of the block, ghain and feh stand on either side of a gap.
  assert.deepEqual(points(arabicLine("ي")), ["fef1"]);
  assert.deepEqual(points(arabicLine("غ")), ["fecd"]);
  assert.deepEqual(points(arabicLine("فيف")), ["fed2", "fef4", "fed3"]);
});

test("lam and alef are one sign", () => {
  assert.deepEqual(points(arabicLine("لا")), ["fefb"]);
  assert.deepEqual(points(arabicLine("بلا")), ["fefc", "fe91"]);
  assert.deepEqual(points(arabicLine("لأ")), ["fef7"]);
});

test("a sentence reads from the right as it was written", () => {
  for (const text of ["متجر القهوة في كانو", "في انتظار الدفع", "مدفوع جزئيا"]) {
    assert.equal(readFromRight(arabicLine(text)), text);
  }
});

test("names and numbers in other scripts keep their order within it", () => {
  const forms = (text: string) => arabicLine(text);
  assert.equal(arabicLine("متجر Kaduna Coffee"), `Kaduna Coffee ${forms("متجر")}`);
  assert.equal(arabicLine("Kaduna متجر القهوة Ltd"), `Kaduna ${forms("متجر القهوة")} Ltd`);
  assert.equal(arabicLine("ادفع 25,000.50 الآن"), `${forms("الآن")} 25,000.50 ${forms("ادفع")}`);
  assert.equal(arabicLine("متجر (كانو)"), `(${forms("كانو")}) ${forms("متجر")}`);
});

test("what holds no Arabic stays as it is", () => {
  for (const text of ["", "Kaduna Coffee (Lagos)", "Ọjà 25,000.00"]) assert.equal(arabicLine(text), text);
});
