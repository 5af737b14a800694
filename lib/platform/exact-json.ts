/**
 * ECMAScript's JSON.parse source text access and JSON.rawJSON. TypeScript's library does not have them yet.
 */
type SourceReviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;
const { parse, rawJSON } = JSON as unknown as {
  parse(text: string, reviver: SourceReviver): unknown;
  rawJSON(text: string): object;
};

/** Digits of a number that a float always keeps. */
const KEPT_DIGITS = 15;

/** As JSON.parse. The reviver also receives the source text of numbers and strings. Throws SyntaxError. */
export function parseJsonWithSource(text: string, reviver: SourceReviver): unknown {
  return parse(text, reviver);
}

/**
 * As JSON.parse, but a number that a float might change becomes an object that JSON.stringify writes
 * unchanged. For values that are passed on, not for computing. Throws SyntaxError.
 */
export function parseExactJson(text: string): unknown {
  return parse(text, (_, value, { source = "" }) =>
    typeof value === "number" && source.length > KEPT_DIGITS ? rawJSON(source) : value,
  );
}
