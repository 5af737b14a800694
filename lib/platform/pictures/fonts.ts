import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isArabic, isArabicLetter } from "./arabic-rules.ts";
import { readGlyphs } from "./read-glyphs.ts";

/** Parts of the font, and the package each is in. Of Arabic, the forms of letters alone are ever asked for. */
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

/** Noto Sans as npm ships it: what can be drawn without asking anybody. */
export interface CardFonts {
  readonly fonts: Font[];
  /** For `fontFamily`: each subset is a family, looked through in this order. */
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
  // A character is drawn in either weight, so both must have it.
  const [regular, bold] = WEIGHTS.map((weight) => {
    const ofWeight = fonts.filter((font) => font.weight === weight);
    return new Set(ofWeight.flatMap(({ data }) => [...readGlyphs(data)]));
  }) as [Set<number>, Set<number>];
  return {
    fonts,
    family: SUBSETS.map(([, subset]) => `'Noto Sans ${subset}'`).join(", "),
    // Arabic as it is written makes the drawing library fail: only what arabic-rules.ts turns into forms is drawn.
    hasGlyph: (codePoint) =>
      isArabicLetter(codePoint) ||
      (!isArabic(String.fromCodePoint(codePoint)) && regular.has(codePoint) && bold.has(codePoint)),
  };
}
