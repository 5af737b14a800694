/** Emoji. The drawing library would fetch their pictures from the internet. */
const PICTOGRAM = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}/u;
/** Control characters, direction marks and private characters, which are invisible. */
const INVISIBLE = /\p{C}/u;
/** Spaces and punctuation that the font lacks, with their replacements. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  "\u00a0": " ",
  "\u202f": " ",
  "\u2009": " ",
  "\u2011": "-",
  // Arabic comma, semicolon, question mark.
  "\u060c": ",",
  "\u061b": ";",
  "\u061f": "?",
};

/**
 * The drawable part of a text: composed characters that have a glyph, with single spaces. All others are
 * removed, because the drawing library fetches a font for a character without a glyph.
 */
export function keepDrawable(text: string, hasGlyph: (codePoint: number) => boolean): string {
  const kept = [...text.normalize("NFC")]
    .map((character) => REPLACEMENTS[character] ?? character)
    .filter((character) => !PICTOGRAM.test(character) && !INVISIBLE.test(character))
    .filter((character) => hasGlyph(character.codePointAt(0) ?? 0));
  return kept.join("").replace(/\s+/g, " ").trim();
}

/** The text, cut with an ellipsis after at most `most` characters. */
export function truncate(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}

/**
 * The largest font size, at most `size` pixels, at which a line fits into `width` pixels. `em` is the
 * average character width relative to the font size.
 */
export function fitFontSize(text: string, width: number, size: number, em: number): number {
  return Math.min(size, Math.floor(width / (Math.max(1, [...text].length) * em)));
}
