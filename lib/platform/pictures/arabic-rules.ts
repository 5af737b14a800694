/**
 * Prepares Arabic text for a library that draws characters as they come, from left to right. Each letter
 * gets the form that its neighbors require (Unicode's Arabic Presentation Forms-B). The line gets visual
 * order (the part of the Unicode Bidirectional Algorithm, UAX #9, that a single line of letters, numbers and
 * brackets needs).
 */

/**
 * Number of forms of each letter from U+0621: 1 joins no neighbor, 2 joins only the previous one, 4 joins
 * both.
 */
const FORMS = [..."12222424244444222244444444", ..."000000", ..."4444444224"].map(Number);
const FIRST_LETTER = 0x0621;
const FIRST_FORM = 0xfe80;
const LAM = "\u0644";
/**
 * Lam followed by one of these letters is one glyph. The value is its isolated form; the next code point
 * joins the previous letter.
 */
const LAM_ALEF: Readonly<Record<string, number>> = {
  "\u0622": 0xfef5,
  "\u0623": 0xfef7,
  "\u0625": 0xfef9,
  "\u0627": 0xfefb,
};
const RIGHT_TO_LEFT = /[\u0600-\u06ff\ufb50-\ufdff\ufe70-\ufefc]/;
const MIRRORED: Readonly<Record<string, string>> = {
  "(": ")",
  ")": "(",
  "[": "]",
  "]": "[",
  "«": "»",
  "»": "«",
};

/** True if the text contains Arabic characters. */
export function isArabic(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/** True for a letter whose forms are known here. */
export function isArabicLetter(codePoint: number): boolean {
  return findLetter(String.fromCodePoint(codePoint)) !== null;
}

/**
 * The line as it must be drawn from left to right. `fromRight` is for a line that a direction mark makes run from right to
 * left (Intl puts one before an Arabic price). Another line without Arabic is returned unchanged.
 */
export function shapeArabicLine(text: string, fromRight = false): string {
  if (!fromRight && !isArabic(text)) return text;
  return toVisualOrder(joinLetters(text), fromRight);
}

interface Letter {
  /** Code point of the isolated form. */
  readonly form: number;
  readonly forms: number;
}

function findLetter(character: string | undefined): Letter | null {
  const index = (character?.codePointAt(0) ?? 0) - FIRST_LETTER;
  const forms = FORMS[index] ?? 0;
  if (forms === 0) return null;
  return { form: FIRST_FORM + FORMS.slice(0, index).reduce((sum, count) => sum + count, 0), forms };
}

/** Replaces every letter by the form for its position in the word. */
function joinLetters(text: string): string {
  const characters = [...text];
  let out = "";
  for (let i = 0; i < characters.length; i++) {
    const [before, character = "", after] = [characters[i - 1], characters[i], characters[i + 1]];
    const letter = findLetter(character);
    if (letter === null) {
      out += character;
      continue;
    }
    const toPrevious = joinsNext(before) && letter.forms > 1;
    const pair = character === LAM ? LAM_ALEF[after ?? ""] : undefined;
    if (pair !== undefined) {
      out += String.fromCodePoint(pair + (toPrevious ? 1 : 0));
      i++;
      continue;
    }
    const toNext = letter.forms === 4 && joinsPrevious(after);
    // The block lists the forms in this order: isolated, final, initial, medial.
    out += String.fromCodePoint(letter.form + (toPrevious ? 1 : 0) + (toNext ? 2 : 0));
  }
  return out;
}

const joinsNext = (character: string | undefined) => findLetter(character)?.forms === 4;

const joinsPrevious = (character: string | undefined) => (findLetter(character)?.forms ?? 0) > 1;

type Direction = "right" | "left" | "neutral";

function directionOfPart(part: string): Direction | "number" {
  if (RIGHT_TO_LEFT.test(part)) return "right";
  if (/\p{N}/u.test(part)) return "number";
  return /\p{L}/u.test(part) ? "left" : "neutral";
}

/**
 * A number after Latin letters is part of their run. Any other has the place of an Arabic word, its digits in their order
 * (UAX #9, W7 and N1).
 */
function directionsOfParts(parts: readonly string[], fromRight: boolean): Direction[] {
  let strong: Direction | null = fromRight ? "right" : null;
  return parts.map((part) => {
    const direction = directionOfPart(part);
    if (direction === "number") return strong ?? "right";
    if (direction !== "neutral") strong = direction;
    return direction;
  });
}

/** Puts the parts into visual order. A text that begins with Arabic runs from right to left. */
function toVisualOrder(text: string, fromRight: boolean): string {
  // A number keeps its points and commas. Every other character that is not a letter is a part of its own.
  const parts = text.match(/\p{N}+(?:[.,:/]\p{N}+)*|[\p{L}\p{M}]|[^\p{L}\p{M}\p{N}]/gu) ?? [];
  const directions = directionsOfParts(parts, fromRight);
  const base = fromRight ? "right" : (directions.find((direction) => direction !== "neutral") ?? "right");
  const resolved = directions.map((direction, i) => {
    if (direction !== "neutral") return direction;
    const before = directions.slice(0, i).findLast((other) => other !== "neutral") ?? base;
    const after = directions.slice(i).find((other) => other !== "neutral") ?? base;
    return before === after ? before : base;
  });
  const runs: { direction: Direction; parts: string[] }[] = [];
  parts.forEach((part, i) => {
    const direction = resolved[i] ?? base;
    const last = runs.at(-1);
    if (last?.direction === direction) last.parts.push(part);
    else runs.push({ direction, parts: [part] });
  });
  const drawn = runs.map(({ direction, parts: own }) =>
    direction === "right"
      ? own
          .toReversed()
          .map((part) => MIRRORED[part] ?? part)
          .join("")
      : own.join(""),
  );
  return (base === "right" ? drawn.toReversed() : drawn).join("");
}
