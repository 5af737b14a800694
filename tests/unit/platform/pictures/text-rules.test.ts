import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { loadCardFonts } from "#lib/platform/pictures/fonts.ts";
import { readGlyphs } from "#lib/platform/pictures/read-glyphs.ts";
import { fitFontSize, keepDrawable, truncate } from "#lib/platform/pictures/text-rules.ts";

const { hasGlyph } = loadCardFonts();

test("the fonts have the letters of the page's languages and the signs of its currencies", () => {
  const words = ["Àçéîñõüß", "Ọjà ẹ̀kọ́ ṣe", "Đặng", "Привет", "Ελλάδα", "₦€£$₹", "«»„“”‘’–—…·"];
  for (const word of words.map((text) => text.normalize("NFC")))
    assert.equal(keepDrawable(word, hasGlyph), word);
});

test("what the fonts lack is left out, with the blanks around it", () => {
  assert.equal(keepDrawable("😀 Kaduna ☕ Coffee 東京 🇳🇬", hasGlyph), "Kaduna Coffee");
  assert.equal(keepDrawable("東京", hasGlyph), "");
  assert.equal(keepDrawable("a\u0000b\u200dc\ufe0f\u2068d\u2069\ue000", hasGlyph), "abcd");
  assert.equal(keepDrawable("12\u202f500,00\u00a0€", hasGlyph), "12 500,00 €");
  // Signs that are letters to the font and pictures to the drawing library.
  assert.equal(keepDrawable("Shop™ © 2026", hasGlyph), "Shop 2026");
});

test("of Arabic, the letters whose forms are known are kept, and its marks become everybody's", () => {
  assert.equal(keepDrawable("جزئيًا، هل؟", hasGlyph), "جزئيا, هل?");
  assert.equal(keepDrawable("\u2068پاکستان\u2069 بـب", hasGlyph), "استان بب");
});

test("a font of another kind, or none, is refused", () => {
  assert.throws(() => readGlyphs(Buffer.from("OTTO and more that is not a WOFF font")), /not a WOFF font/);
  const icon = readFileSync(new URL("../../../../app/icon.svg", import.meta.url));
  assert.throws(() => readGlyphs(icon), /not a WOFF font/);
});

test("a long text ends in an ellipsis, and a line becomes as small as it must", () => {
  assert.equal(truncate("Kaduna Coffee", 13), "Kaduna Coffee");
  assert.equal(truncate("Kaduna Coffee", 8), "Kaduna…");
  assert.equal(fitFontSize("12345", 1_000, 100, 0.6), 100);
  assert.equal(fitFontSize("1234567890", 300, 100, 0.6), 50);
});
