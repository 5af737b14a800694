/** Where the decimals of an answer are: the members that lead to them, "*" for every one of a list. */
export interface DecimalPlaces {
  readonly [member: string]: DecimalPlaces | true;
}

/** A number as it was written, until it is known whether it may become a float. */
class Written {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/** ECMAScript's JSON.parse source text access, which TypeScript's library does not know yet. */
type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** True where JSON.parse can say how a number was written: Node from 22 on, and browsers since 2025. */
export function hasExactJsonParse(): boolean {
  return parse("1.0", (_, value, context) => context?.source ?? value) === "1.0";
}

/** As JSON.parse, and numbers in these places come as their text: "0.000000000000000001", never rounded. */
export function parseExactly(text: string, places: DecimalPlaces): unknown {
  const read = parse(text, (_, value, context) =>
    typeof value === "number" && context?.source !== undefined ? new Written(context.source) : value,
  );
  return settle(read, places);
}

function settle(value: unknown, place: DecimalPlaces | true | undefined): unknown {
  if (value instanceof Written) return place === true ? value.source : Number(value.source);
  if (typeof value !== "object" || value === null) return value;
  const below = place === true ? undefined : place;
  if (Array.isArray(value)) return value.map((one) => settle(one, below?.["*"]));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, settle(one, memberOf(below, name))]),
  );
}

function memberOf(places: DecimalPlaces | undefined, name: string): DecimalPlaces | true | undefined {
  if (places === undefined) return undefined;
  return Object.hasOwn(places, name) ? places[name] : places["*"];
}
