/** Drawn as pictures of their own, for which the drawing library would ask the internet. */
const PICTOGRAM = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}/u;
/** Controls, marks of direction, private characters: nothing to see. */
const INVISIBLE = /\p{C}/u;
/** Blanks and marks that a font lacks, and what stands for them. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  ...{ "\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u2011": "-" },
  // Arabic comma, semicolon, question mark.
  ...{ "\u060c": ",", "\u061b": ";", "\u061f": "?" },
};

/**
 * What can be drawn of a text: its characters that `has` a glyph, composed, with single spaces. All others are left
 * out, since a library that meets one without a glyph goes and fetches a font.
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

/** The largest size at which a line of text fits into `width`, at most `size`; pixels, `em` is a character's usual share. */
export function fitFontSize(text: string, width: number, size: number, em: number): number {
  return Math.min(size, Math.floor(width / (Math.max(1, [...text].length) * em)));
}
