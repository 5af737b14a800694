import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { loadCardFonts } from "#lib/platform/pictures/fonts.ts";
import { readGlyphs } from "#lib/platform/pictures/read-glyphs.ts";
import { fitFontSize, keepDrawable, truncate } from "#lib/platform/pictures/text-rules.ts";

const { hasGlyph } = loadCardFonts();

test("has glyphs for the page's languages and the currency symbols", () => {
  const words = ["Àçéîñõüß", "Ọjà ẹ̀kọ́ ṣe", "Đặng", "Привет", "Ελλάδα", "₦€£$₹", "«»„“”‘’–—…·"];
  for (const word of words.map((text) => text.normalize("NFC")))
    assert.equal(keepDrawable(word, hasGlyph), word);
});

test("removes characters that the fonts lack, with the spaces around them", () => {
  assert.equal(keepDrawable("😀 Kaduna ☕ Coffee 東京 🇳🇬", hasGlyph), "Kaduna Coffee");
  assert.equal(keepDrawable("東京", hasGlyph), "");
  assert.equal(keepDrawable("a\u0000b\u200dc\ufe0f\u2068d\u2069\ue000", hasGlyph), "abcd");
  assert.equal(keepDrawable("12\u202f500,00\u00a0€", hasGlyph), "12 500,00 €");
  // Characters that are letters in the font and pictures in the drawing library.
  assert.equal(keepDrawable("Shop™ © 2026", hasGlyph), "Shop 2026");
});

test("keeps Arabic letters with known forms, and replaces Arabic punctuation", () => {
  assert.equal(keepDrawable("جزئيًا، هل؟", hasGlyph), "جزئيا, هل?");
  assert.equal(keepDrawable("\u2068پاکستان\u2069 بـب", hasGlyph), "استان بب");
});

test("rejects a font of another kind, or a file that is not a font", () => {
  assert.throws(() => readGlyphs(Buffer.from("OTTO and more that is not a WOFF font")), /not a WOFF font/);
  const icon = readFileSync(new URL("../../../../app/icon.svg", import.meta.url));
  assert.throws(() => readGlyphs(icon), /not a WOFF font/);
});

test("cuts a long text with an ellipsis, and shrinks a line to fit", () => {
  assert.equal(truncate("Kaduna Coffee", 13), "Kaduna Coffee");
  assert.equal(truncate("Kaduna Coffee", 8), "Kaduna…");
  assert.equal(fitFontSize("12345", 1_000, 100, 0.6), 100);
  assert.equal(fitFontSize("1234567890", 300, 100, 0.6), 50);
});
