import type { Actor } from "#lib/domain/authority/types.ts";
import { isOperator } from "#lib/domain/authority/verb-rules.ts";
import { isPlainLine } from "#lib/platform/plain-text.ts";

/** Characters of a note. */
export const MAX_NOTE_TEXT = 2_000;
/** Notes on one payment or customer. */
export const MAX_NOTES = 100;

/** The text of a note: plain lines, without the empty ones around them. null if it is empty, too long or malformed. */
export function readNoteText(given: string): string | null {
  const lines = given
    .replaceAll("\t", " ")
    .split(/\r\n?|\n/)
    .map((line) => line.trimEnd());
  const text = lines.join("\n").trim();
  const isGood = text !== "" && lines.every(isPlainLine) && [...text].length <= MAX_NOTE_TEXT;
  return isGood ? text : null;
}

/** True for the author of a note, a merchant's owner and the operator. `name`: the actor, as the audit log names it. */
export function mayRemoveNote(actor: Actor, name: string, author: string): boolean {
  return name === author || isOperator(actor) || (actor.kind === "person" && actor.role === "owner");
}
