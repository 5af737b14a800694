/** The places of decimals in a response: member names that lead to them, "*" for every item of a list. */
export interface DecimalPlaces {
  readonly [member: string]: DecimalPlaces | true;
}

/** A number with its source text, until it is known if it may become a float. */
class NumberText {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/** JSON.parse source text access of ECMAScript. TypeScript's library does not have its type yet. */
type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** True if JSON.parse gives access to the source text: Node 22 and later, browsers since 2025. */
export function hasExactJsonParse(): boolean {
  return parse("1.0", (_, value, context) => context?.source ?? value) === "1.0";
}

/**
 * Like JSON.parse, but returns the numbers in these places as exact text, for example
 * "0.000000000000000001".
 */
export function parseExactly(text: string, places: DecimalPlaces): unknown {
  const parsed = parse(text, (_, value, context) =>
    typeof value === "number" && context?.source !== undefined ? new NumberText(context.source) : value,
  );
  return convertNumbers(parsed, places);
}

function convertNumbers(value: unknown, place: DecimalPlaces | true | undefined): unknown {
  if (value instanceof NumberText) return place === true ? value.source : Number(value.source);
  if (typeof value !== "object" || value === null) return value;
  const below = place === true ? undefined : place;
  if (Array.isArray(value)) return value.map((item) => convertNumbers(item, below?.["*"]));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, convertNumbers(member, findPlace(below, name))]),
  );
}

function findPlace(places: DecimalPlaces | undefined, name: string): DecimalPlaces | true | undefined {
  if (places === undefined) return undefined;
  return Object.hasOwn(places, name) ? places[name] : places["*"];
}
