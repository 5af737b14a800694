/** Words of the most frequent passwords in published leaks that are long enough to be part of one with 12 characters. */
const WORDS = [
  ..."password passwort passw0rd motdepasse contrasena letmein welcome iloveyou loveyou love changeme secret".split(
    " ",
  ),
  ..."administrator admin login master default access manager system computer internet google facebook".split(
    " ",
  ),
  ..."football baseball basketball superman batman pokemon starwars naruto minecraft samsung liverpool".split(
    " ",
  ),
  ..."arsenal chelsea barcelona monkey dragon shadow sunshine princess butterfly chocolate cookie flower".split(
    " ",
  ),
  ..."michael jordan jessica ashley charlie thomas daniel jennifer trustno whatever nothing freedom forever".split(
    " ",
  ),
  ..."hello jesus blessed godisgood nigeria lagos summer winter spring autumn monday friday january december".split(
    " ",
  ),
  ..."test user guest root demo paylink crypto bitcoin payment company office".split(" "),
];
/** Rows of keys and orders that fingers and heads know. */
const RUNS = [
  ..."01234567890123456789 abcdefghijklmnopqrstuvwxyz qwertyuiop qwertzuiop azertyuiop asdfghjkl zxcvbnm".split(
    " ",
  ),
  ..."1q2w3e4r5t6y7u8i9o0p 1qaz2wsx3edc4rfv5tgb6yhn7ujm q1w2e3r4t5y6u7i8o9p0 1a2b3c4d5e6f qazwsxedcrfvtgbyhnujm".split(
    " ",
  ),
].flatMap((run) => [run, [...run].reverse().join("")]);
const SHORTEST_RUN = 3;
/** Fewer characters than these, besides words and runs, add little that is unknown. */
const FEWEST_OTHER = 4;
const LOOKALIKES: ReadonlyMap<string, string> = new Map([
  ["@", "a"],
  ["4", "a"],
  ["3", "e"],
  ["1", "i"],
  ["!", "i"],
  ["0", "o"],
  ["$", "s"],
  ["5", "s"],
]);

/**
 * True for a password that attackers try early (NIST SP 800-63B-4, section 3.1.1.2): frequent words, rows of keys, repetitions and the
 * person's own e-mail address, and little else.
 */
export function isGuessable(password: string, email: string): boolean {
  const text = password.toLowerCase();
  if (/^(.{1,6})\1+.{0,3}$/su.test(text)) return true;
  const own = email.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const words = [...WORDS, ...own].filter(({ length }) => length >= SHORTEST_RUN);
  // "P@ssw0rd1234": the digits at the end are no letters.
  const variants = [text, asLetters(text), asLetters(text.replace(/[^\p{L}]+$/u, ""))];
  return variants.some((one) => withoutKnown(one, words).length < FEWEST_OTHER);
}

const asLetters = (text: string) =>
  Array.from(text, (character) => LOOKALIKES.get(character) ?? character).join("");

/** Returns the rest of a text without words, runs, repeated characters and separators. */
function withoutKnown(text: string, words: readonly string[]): string {
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  const spaced = longestFirst.reduce((left, word) => left.replaceAll(word, " "), text);
  const compact = spaced.replaceAll(/[^\p{L}\p{N}]+/gu, " ").replaceAll(/(.)\1{2,}/gu, " ");
  return removeRuns(compact).replaceAll(" ", "");
}

function removeRuns(text: string): string {
  let left = text;
  for (let at = 0; at < left.length; at++) {
    const length = longestRun(left.slice(at));
    if (length >= SHORTEST_RUN) left = `${left.slice(0, at)} ${left.slice(at + length)}`;
  }
  return left;
}

/** How many characters at the start of a text follow one of the RUNS. */
function longestRun(text: string): number {
  let length = 0;
  while (length < text.length && RUNS.some((run) => run.includes(text.slice(0, length + 1)))) length += 1;
  return length;
}
