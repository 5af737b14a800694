import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isArabic, isArabicLetter } from "./arabic-rules.ts";
import { readGlyphs } from "./read-glyphs.ts";

/** Subsets of the font with their packages. For Arabic, only the presentation forms of letters are used. */
const SUBSETS = [
  ...["latin", "latin-ext", "vietnamese", "cyrillic", "greek"].map(
    (subset) => ["noto-sans", subset] as const,
  ),
  ["noto-sans-arabic", "arabic"] as const,
];
const WEIGHTS = [400, 700] as const;

interface Font {
  readonly name: string;
  readonly weight: (typeof WEIGHTS)[number];
  readonly style: "normal";
  readonly data: Buffer;
}

/** Noto Sans from npm, so that drawing needs no network. */
export interface CardFonts {
  readonly fonts: Font[];
  /** For `fontFamily`. Each subset is a family; they are searched in this order. */
  readonly family: string;
  hasGlyph(codePoint: number): boolean;
}

export function loadCardFonts(): CardFonts {
  const require = createRequire(import.meta.url);
  const fonts = SUBSETS.flatMap(([font, subset]) =>
    WEIGHTS.map((weight): Font => {
      const path = require.resolve(`@fontsource/${font}/files/${font}-${subset}-${weight}-normal.woff`);
      return { name: `Noto Sans ${subset}`, weight, style: "normal", data: readFileSync(path) };
    }),
  );
  // Characters are drawn in both weights, so both fonts must have the glyph.
  const [regular, bold] = WEIGHTS.map((weight) => {
    const ofWeight = fonts.filter((font) => font.weight === weight);
    return new Set(ofWeight.flatMap(({ data }) => [...readGlyphs(data)]));
  }) as [Set<number>, Set<number>];
  return {
    fonts,
    family: SUBSETS.map(([, subset]) => `'Noto Sans ${subset}'`).join(", "),
    // The drawing library fails on Arabic letters as written. Only those that arabic-rules.ts converts are
    // drawn.
    hasGlyph: (codePoint) =>
      isArabicLetter(codePoint) ||
      (!isArabic(String.fromCodePoint(codePoint)) && regular.has(codePoint) && bold.has(codePoint)),
  };
}
