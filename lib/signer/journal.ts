import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { z } from "zod";
import { ENVS } from "#lib/chains/network-data.ts";
import { NETWORK_CODES } from "#lib/chains/networks.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { OperatorError } from "#lib/platform/operator-error.ts";
import type { JournalEntry } from "./types.ts";

const LINE = z.strictObject({
  v: z.literal(1),
  at: z.iso.datetime(),
  kind: z.enum(["payout", "cancel"]),
  env: z.enum(ENVS),
  network: z.enum(NETWORK_CODES),
  refid: z.string(),
  merchantId: z.int(),
  token: z.enum(Object.keys(TOKENS) as [TokenCode, ...TokenCode[]]),
  amount: z.string().regex(/^[0-9]+$/),
  to: z.string(),
  sender: z.string(),
  nonce: z.int().min(0),
  hash: z.string(),
  raw: z.string(),
});

/** The journal cannot be trusted or written. The signer stops: what it does not remember it could pay twice. */
export class JournalError extends OperatorError {}

/**
 * What this signer has signed: a file on its host that only grows, one line of JSON for each transaction. A line is on the disk before
 * anything else learns of the transaction. So the answer to "was this signed before" needs no database.
 */
export interface Journal {
  /** The oldest first. */
  readonly entries: readonly JournalEntry[];
  /** Writes an entry to the disk. Throws a JournalError, and then the entry is not in the journal. */
  append(entry: JournalEntry): void;
  close(): void;
}

/** Opens the journal, or makes an empty one. A last line without its end was never used: it is removed. Throws a JournalError. */
export function openJournal(path: string): Journal {
  const file = openSync(path, "a+", 0o600);
  const text = readFileSync(path, "utf8");
  const end = text.lastIndexOf("\n") + 1;
  let size = Buffer.byteLength(text.slice(0, end));
  if (fstatSync(file).size > size) ftruncateSync(file, size);
  const entries = text
    .slice(0, end)
    .split("\n")
    .slice(0, -1)
    .map((line, at) => parseLine(line, at + 1));
  return {
    entries,
    append(entry) {
      const line = Buffer.from(formatLine(entry));
      try {
        if (writeSync(file, line) !== line.length) throw new Error("a part of the line was written");
        fsyncSync(file);
      } catch (cause) {
        // A disk that is full may hold a part of the line.
        ftruncateSync(file, size);
        throw new JournalError(`the journal cannot be written: ${(cause as Error).message}`, { cause });
      }
      size += line.length;
      entries.push(entry);
    },
    close: () => closeSync(file),
  };
}

function formatLine({ at, amount, ...rest }: JournalEntry): string {
  const line: z.infer<typeof LINE> = { v: 1, at: at.toISOString(), amount: amount.toString(), ...rest };
  return `${JSON.stringify(line)}\n`;
}

function parseLine(text: string, number: number): JournalEntry {
  try {
    const { v: _version, at, amount, ...rest } = LINE.parse(JSON.parse(text));
    return { ...rest, at: new Date(at), amount: BigInt(amount) };
  } catch {
    throw new JournalError(
      `line ${number} of the journal is damaged: restore it from a copy, and sign nothing before`,
    );
  }
}
