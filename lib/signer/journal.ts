import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { OperatorError } from "#lib/platform/operator-error.ts";
import { formatEntry, formatSettled, parseLine } from "./journal-lines.ts";
import { policyName } from "./policy-rules.ts";
import type { EntryKind, JournalEntry, Payout, TransactionOutcome } from "./types.ts";

const PART_BYTES = 65_536;

/** The journal cannot be trusted or written. The signer stops: what it does not remember it could pay twice. */
export class JournalError extends OperatorError {}

/**
 * The transactions that this signer has signed: a file on its host that only grows, one line of JSON for each transaction. A line is on the
 * disk before anything else learns of the transaction. So the answer to "was this signed before" needs no database.
 */
export interface Journal {
  /** The oldest first. */
  readonly entries: readonly JournalEntry[];
  /** The transactions of one network, the oldest first. `name`: "test.bep20". */
  listSigned(name: string): readonly JournalEntry[];
  /** The transactions of one network that are not dead, the oldest first. */
  listLive(name: string): readonly JournalEntry[];
  /** The transactions of one network that are not settled. */
  listOpen(name: string): readonly JournalEntry[];
  /** Every transaction that names a withdrawal, the oldest first. */
  listOfWithdrawal(withdrawal: Pick<Payout, "env" | "refid">): readonly JournalEntry[];
  /** Null if the journal lacks it. */
  kindOf(hash: string): EntryKind | null;
  /** Null if the chain can still decide. */
  outcomeOf(hash: string): TransactionOutcome | null;
  /** Writes an entry to the disk. Throws a JournalError if it cannot, another error if the entry has no form; then the journal lacks it. */
  append(entry: JournalEntry): void;
  /** Remembers what the chain has decided for good. */
  settle(entry: JournalEntry, outcome: TransactionOutcome, at: Date): void;
  close(): void;
}

/** Opens the journal, or makes an empty one. A last line without its end was never used: it is removed. Throws a JournalError. */
export function openJournal(path: string): Journal {
  const file = openSync(path, "a+", 0o600);
  const { index, bytes } = readWhole(file);
  let size = bytes;
  if (fstatSync(file).size > size) ftruncateSync(file, size);
  const write = (text: string) => {
    const now = fstatSync(file);
    // Another signer uses the journal, or somebody replaced it. Their entries are not known here.
    if (now.size !== size || now.nlink === 0)
      throw new JournalError(
        "the journal was changed or removed while it is in use: sign nothing before you know why",
      );
    const line = Buffer.from(text);
    try {
      if (writeSync(file, line) !== line.length) throw new Error("a part of the line was written");
      fsyncSync(file);
    } catch (cause) {
      // A disk that is full may hold a part of the line.
      ftruncateSync(file, size);
      throw new JournalError(`the journal cannot be written: ${(cause as Error).message}`, { cause });
    }
    size += line.length;
  };
  return {
    ...index,
    append(entry) {
      write(readable(formatEntry(entry)));
      index.add(entry);
    },
    settle({ hash }, outcome, at) {
      write(readable(formatSettled(hash, outcome, at)));
      index.settle(hash, outcome);
    },
    close: () => closeSync(file),
  };
}

/** A line that cannot be read again would stop the signer for good. Throws an Error that ends this step of this network. */
function readable(line: string): string {
  if (parseLine(line) !== null) return line;
  throw new Error(`not signed: the journal could not be read after this line: ${line.slice(0, 200)}`);
}

/** Reads the journal, also while a signer writes it. A missing journal is empty. Throws a JournalError. */
export function readJournal(path: string): Omit<Journal, "append" | "settle" | "close"> {
  if (!existsSync(path)) return indexEntries();
  const file = openSync(path, "r");
  try {
    return readWhole(file).index;
  } finally {
    closeSync(file);
  }
}

/** Reads the index of a journal's whole lines, and their bytes. */
function readWhole(file: number) {
  const index = indexEntries();
  let read = 0;
  const bytes = readLines(file, (line) => {
    read += 1;
    const parsed = parseLine(line);
    if (parsed === null)
      throw new JournalError(
        `line ${read} of the journal is damaged: restore it from a copy, and sign nothing before`,
      );
    if (parsed.kind === "settled") index.settle(parsed.hash, parsed.outcome);
    else index.add(parsed);
  });
  return { index, bytes };
}

/** Calls `use` with each whole line, and returns their bytes. Reads in parts: after some years a journal is longer than a text can be. */
function readLines(file: number, use: (line: string) => void): number {
  const part = Buffer.alloc(PART_BYTES);
  let rest = Buffer.alloc(0);
  for (let size = 0; ; ) {
    const length = readSync(file, part, 0, PART_BYTES, size + rest.length);
    if (length === 0) return size;
    const bytes = Buffer.concat([rest, part.subarray(0, length)]);
    const end = bytes.lastIndexOf("\n") + 1;
    for (const line of bytes.toString("utf8", 0, end).split("\n").slice(0, -1)) use(line);
    rest = bytes.subarray(end);
    size += end;
  }
}

/** The entries by what they are asked for, so that no question reads a whole journal. */
function indexEntries() {
  const entries: JournalEntry[] = [];
  const byHash = new Map<string, JournalEntry>();
  const byWithdrawal = new Map<string, JournalEntry[]>();
  const outcomes = new Map<string, TransactionOutcome>();
  const signed = new Map<string, JournalEntry[]>();
  const live = new Map<string, JournalEntry[]>();
  const open = new Map<string, JournalEntry[]>();
  const key = ({ env, refid }: Pick<Payout, "env" | "refid">) => `${env} ${refid}`;
  const push = (map: Map<string, JournalEntry[]>, name: string, entry: JournalEntry) => {
    const found = map.get(name);
    if (found === undefined) map.set(name, [entry]);
    else found.push(entry);
  };
  const remove = (map: Map<string, JournalEntry[]>, name: string, entry: JournalEntry) =>
    map.set(name, map.get(name)?.filter((one) => one !== entry) ?? []);
  return {
    entries,
    listSigned: (name: string): readonly JournalEntry[] => signed.get(name) ?? [],
    listLive: (name: string): readonly JournalEntry[] => live.get(name) ?? [],
    listOpen: (name: string): readonly JournalEntry[] => open.get(name) ?? [],
    listOfWithdrawal: (withdrawal: Pick<Payout, "env" | "refid">): readonly JournalEntry[] =>
      byWithdrawal.get(key(withdrawal)) ?? [],
    kindOf: (hash: string) => byHash.get(hash)?.kind ?? null,
    outcomeOf: (hash: string) => outcomes.get(hash) ?? null,
    add(entry: JournalEntry) {
      entries.push(entry);
      byHash.set(entry.hash, entry);
      for (const payout of entry.payouts) push(byWithdrawal, key(payout), entry);
      push(signed, policyName(entry), entry);
      push(live, policyName(entry), entry);
      push(open, policyName(entry), entry);
    },
    settle(hash: string, outcome: TransactionOutcome) {
      const entry = byHash.get(hash);
      if (entry === undefined || outcomes.has(hash)) return;
      outcomes.set(hash, outcome);
      remove(open, policyName(entry), entry);
      if (outcome === "dead") remove(live, policyName(entry), entry);
    },
  };
}
