/** ECMAScript's JSON.parse source text access and JSON.rawJSON, which TypeScript's library does not know yet. */
type SourceReviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;
const { parse, rawJSON } = JSON as unknown as {
  parse(text: string, reviver: SourceReviver): unknown;
  rawJSON(text: string): object;
};

/** Digits of a number that a float always keeps. */
const KEPT_DIGITS = 15;

/** As JSON.parse; the reviver is told the source of numbers and texts. Throws SyntaxError. */
export function parseJsonWithSource(text: string, reviver: SourceReviver): unknown {
  return parse(text, reviver);
}

/**
 * As JSON.parse, but a number that a float might change is an object that JSON.stringify writes as it was written: for
 * what is passed on, not reckoned with. Throws SyntaxError.
 */
export function parseExactJson(text: string): unknown {
  return parse(text, (_, value, { source = "" }) =>
    typeof value === "number" && source.length > KEPT_DIGITS ? rawJSON(source) : value,
  );
}
