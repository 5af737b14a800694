/** True for text without line ends, control characters and marks that turn the direction of other text. It may be empty. */
export const isPlainLine = (text: string): boolean =>
  text.isWellFormed() && !/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text);

/** True for a plain line that says something, in at most so many UTF-16 units. */
export const isFilledLine = (text: string, most: number): boolean =>
  isPlainLine(text) && text.trim() !== "" && text.length <= most;

/** The text as one line: without what isPlainLine refuses, and with single spaces. */
export const oneLineOf = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, " ")
    .replace(/[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, "")
    .trim();
