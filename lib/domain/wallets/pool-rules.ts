/** A line of an import file: an address, and its derivation path if the file has it. */
export interface PoolEntry {
  readonly line: number;
  readonly address: string;
  /** "m/44'/501'/7'/0'". Null if the file does not have it. */
  readonly path: string | null;
}

export interface PoolFile {
  /** Each address once. */
  readonly entries: readonly PoolEntry[];
  /** Lines that repeat an earlier address. */
  readonly repeated: number;
  /** The problems of the file. Any problem refuses the whole file. */
  readonly problems: readonly string[];
}

/** The limit of one import. */
export const MAX_IMPORTED_ADDRESSES = 100_000;
/** Problems reported of one file. */
const MAX_PROBLEMS = 20;

/**
 * Parses a file with one address per line, optionally followed by its path. Empty lines and lines that start with # are
 * ignored. `findProblem` says what is wrong with a text as a receiving address, or null.
 */
export function parsePoolFile(text: string, findProblem: (address: string) => string | null): PoolFile {
  const entries = new Map<string, PoolEntry>();
  const problems: string[] = [];
  let repeated = 0;
  for (const [i, content] of text.split(/\r?\n/).entries()) {
    const [address = "", path = null, ...rest] = content.trim().split(/[\s,]+/);
    if (address === "" || address.startsWith("#")) continue;
    const line = i + 1;
    const wrong =
      findProblem(address) ??
      (rest.length > 0 || !isPath(path) ? "has text after the address that is not a path" : null);
    if (wrong !== null) problems.push(`line ${line} ${wrong}`);
    else if (entries.has(address)) repeated += 1;
    else entries.set(address, { line, address, path });
    if (problems.length === MAX_PROBLEMS) break;
  }
  if (entries.size > MAX_IMPORTED_ADDRESSES)
    problems.push(`the file has more than ${MAX_IMPORTED_ADDRESSES} addresses`);
  if (entries.size === 0 && problems.length === 0) problems.push("the file has no address");
  return { entries: [...entries.values()], repeated, problems };
}

function isPath(text: string | null): boolean {
  return text === null || /^m(?:\/[0-9]{1,10}'?){1,10}$/.test(text);
}

/** A pool is low if at most this many addresses, or at most a tenth of it, are left. */
const LOW_AT_MOST = 100;
const LOW_PART = 10;

/** The level of a pool of `size` addresses with `left` addresses to allocate. */
export function poolLevel({ size, left }: { readonly size: number; readonly left: number }) {
  if (left <= 0) return "empty";
  return left <= Math.min(LOW_AT_MOST, Math.ceil(size / LOW_PART)) ? "low" : "well";
}
