import type { Logger } from "pino";
import type { Env } from "./network-data.ts";
import { NodeError } from "./node-error.ts";
import type { NodeCounters } from "./node-metrics.ts";

/** An entry of an answer that could not be parsed. */
export interface UnreadableEntry {
  readonly entry: unknown;
  readonly error: NodeError;
}

/** Counts and logs transactions of others that could not be parsed. */
export type ReportUnreadable = (error: NodeError) => void;

/** At most one line in this time, so that a chain full of them does not fill the log. */
const LOG_EVERY_MS = 60_000;

export function createUnreadableReport(
  scope: { readonly env: Env; readonly network: string },
  { log, counters }: { readonly log?: Logger; readonly counters?: NodeCounters },
): ReportUnreadable {
  let loggedAt = Number.NEGATIVE_INFINITY;
  counters?.unreadable.inc(scope, 0);
  return (error) => {
    counters?.unreadable.inc(scope);
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    log?.warn({ ...scope, err: error }, "a transaction of others cannot be read and was left out");
  };
}

/** Parses each entry. Malformed entries go to `unreadable`. Other errors than a malformed entry are thrown. */
export function parseEach<T>(
  entries: readonly unknown[],
  parse: (entry: unknown) => T,
  unreadable: UnreadableEntry[],
): T[] {
  const parsed: T[] = [];
  for (const entry of entries) {
    try {
      parsed.push(parse(entry));
    } catch (error) {
      if (!(error instanceof NodeError) || error.kind !== "malformed") throw error;
      unreadable.push({ entry, error });
    }
  }
  return parsed;
}

/**
 * Leaves out entries that are certainly not ours. `listNames` returns every address that an entry could pay, in the form
 * that `ours` takes, or null when that cannot be known. Throws the entry's own error when it names one of our addresses, or
 * when its names are not known: money must not be passed over (docs/adr/0022-unreadable-transactions.md).
 */
export async function leaveOutOthers(
  unreadable: readonly UnreadableEntry[],
  listNames: (entry: unknown) => readonly string[] | null,
  ours: (names: readonly string[]) => Promise<ReadonlySet<string>>,
  report: ReportUnreadable,
): Promise<void> {
  if (unreadable.length === 0) return;
  const named = unreadable.map(({ entry, error }) => {
    const names = listNames(entry);
    if (names === null) throw error;
    return { names, error };
  });
  const known = await ours([...new Set(named.flatMap(({ names }) => names))]);
  for (const { names, error } of named) if (names.some((name) => known.has(name))) throw error;
  for (const { error } of named) report(error);
}

/** Most hex digits of an entry that are searched. More than any transfer has. */
const MAX_DIGITS = 200_000;

/**
 * Every 20 bytes that follow each other in these hexadecimal texts (0x… or not), as 0x…: an address in any place. Null: one
 * is not hexadecimal, or they are too long to be searched.
 */
export function listHexAddresses(texts: readonly unknown[]): readonly string[] | null {
  const found = new Set<string>();
  let digits = 0;
  for (const text of texts) {
    const match = typeof text === "string" ? /^(?:0x)?([0-9a-f]*)$/i.exec(text) : null;
    if (match === null) return null;
    const hex = (match[1] ?? "").toLowerCase();
    digits += hex.length;
    if (digits > MAX_DIGITS) return null;
    for (let at = 0; at + 40 <= hex.length; at += 2) found.add(`0x${hex.slice(at, at + 40)}`);
  }
  return [...found];
}
