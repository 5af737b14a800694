/** One line of an import: an address, and where it stands below the operator's words if the file says so. */
export interface PoolEntry {
  readonly line: number;
  readonly address: string;
  /** "m/44'/501'/7'/0'"; null: not told. */
  readonly path: string | null;
}

export interface PoolFile {
  /** Each address once. */
  readonly entries: readonly PoolEntry[];
  /** Lines that repeat an address of an earlier one. */
  readonly repeated: number;
  /** What no import may hold, in words; the file is refused as a whole. */
  readonly problems: readonly string[];
}

/** Of one import. */
export const MAX_IMPORTED_ADDRESSES = 100_000;
/** Problems told of one file. */
const MOST_PROBLEMS = 20;

/**
 * Reads a file of one address a line, a path after it where there is one; empty lines and those that begin with # do not
 * count. `problemOf`: what is wrong with a text as a receiving address, null when nothing is.
 */
export function parsePoolFile(text: string, problemOf: (address: string) => string | null): PoolFile {
  const entries = new Map<string, PoolEntry>();
  const problems: string[] = [];
  let repeated = 0;
  for (const [i, content] of text.split(/\r?\n/).entries()) {
    const [address = "", path = null, ...rest] = content.trim().split(/[\s,]+/);
    if (address === "" || address.startsWith("#")) continue;
    const line = i + 1;
    const wrong = problemOf(address) ?? (rest.length > 0 || !isPath(path) ? "is followed by no path" : null);
    if (wrong !== null) problems.push(`line ${line} ${wrong}`);
    else if (entries.has(address)) repeated += 1;
    else entries.set(address, { line, address, path });
    if (problems.length === MOST_PROBLEMS) break;
  }
  if (entries.size > MAX_IMPORTED_ADDRESSES)
    problems.push(`it holds more than ${MAX_IMPORTED_ADDRESSES} addresses`);
  if (entries.size === 0 && problems.length === 0) problems.push("it holds no address");
  return { entries: [...entries.values()], repeated, problems };
}

function isPath(text: string | null): boolean {
  return text === null || /^m(?:\/[0-9]{1,10}'?){1,10}$/.test(text);
}

/** A pool of which so many are left, or so small a part, is low. */
const LOW_AT_MOST = 100;
const LOW_PART = 10;

/** How a pool of `size` addresses stands that has `left` to give out. */
export function poolLevel({ size, left }: { readonly size: number; readonly left: number }) {
  if (left <= 0) return "empty";
  return left <= Math.min(LOW_AT_MOST, Math.ceil(size / LOW_PART)) ? "low" : "well";
}
