/** The hint names at most so many fields, each with at most so many characters. */
const MAX_NAMES = 5;
const MAX_NAME = 40;

/**
 * The hint about fields of a request that its operation does not have: they have no effect. Undefined if it has all of them. It fits
 * into a header, whatever their names are.
 */
export function hintUnknown(given: Iterable<string>, known: ReadonlySet<string>): string | undefined {
  const unknown = [...new Set(given)].filter((name) => !known.has(name));
  if (unknown.length === 0) return undefined;
  const names = unknown.slice(0, MAX_NAMES).map(printable).join(", ");
  const more = unknown.length > MAX_NAMES ? ` and ${unknown.length - MAX_NAMES} more` : "";
  return `Fields without effect: ${names}${more}.`;
}

function printable(name: string): string {
  const shown = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}...` : name;
  return shown === "" ? '""' : shown.replace(/[^\x21-\x7e]/g, "?");
}

/** Two hints as one. */
export function joinHints(first: string | undefined, second: string | undefined): string | undefined {
  return first !== undefined && second !== undefined ? `${first} ${second}` : (first ?? second);
}
