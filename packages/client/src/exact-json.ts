/** The places of decimals in a response: member names that lead to them, "*" for every item of a list. */
export interface DecimalPlaces {
  readonly [member: string]: DecimalPlaces | true;
}

/**
 * A string or a number of JSON, and the colon after it if it is the name of a member. A string without its end counts as one too, so that
 * JSON.parse refuses it: a number in it would get a quotation mark, which ends it.
 */
const TOKEN = /(?:"[^"\\]*(?:\\.[^"\\]*)*"?|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(\s*:)?/g;

/**
 * Like JSON.parse, but returns the numbers in these places as exact text, for example
 * "0.000000000000000001".
 */
export function parseExactly(text: string, places: DecimalPlaces): unknown {
  return unmark(JSON.parse(text.replace(TOKEN, mark)), places);
}

/** Writes a number as a string that begins with "n". Other strings begin with "s" then. */
function mark(token: string, colon: string | undefined): string {
  if (colon !== undefined) return token;
  return token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`;
}

function unmark(value: unknown, place: DecimalPlaces | true | undefined): unknown {
  if (typeof value === "string") {
    const text = value.slice(1);
    return value.startsWith("s") || place === true ? text : Number(text);
  }
  if (typeof value !== "object" || value === null) return value;
  const below = place === true ? undefined : place;
  if (Array.isArray(value)) return value.map((item) => unmark(item, below?.["*"]));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, unmark(member, findPlace(below, name))]),
  );
}

function findPlace(places: DecimalPlaces | undefined, name: string): DecimalPlaces | true | undefined {
  if (places === undefined) return undefined;
  return Object.hasOwn(places, name) ? places[name] : places["*"];
}
