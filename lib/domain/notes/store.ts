import { and, eq } from "drizzle-orm";
import type { Tx } from "#lib/platform/db/connection.ts";
import { isAbout } from "./queries.ts";
import { notes } from "./tables.ts";
import type { Note, NoteSubject } from "./types.ts";

export function countNotes(tx: Tx, subject: NoteSubject): Promise<number> {
  return tx.$count(notes, isAbout(subject));
}

export async function insertNote(tx: Tx, subject: NoteSubject, note: Omit<Note, "id">): Promise<number> {
  const [row] = await tx
    .insert(notes)
    .values({ ...subject, ...note })
    .returning({ id: notes.id });
  if (row === undefined) throw new Error("an inserted note was not returned");
  return row.id;
}

/** Locks a note about the subject until the transaction ends. null if there is no such note. */
export async function lockNote(tx: Tx, subject: NoteSubject, id: number): Promise<{ author: string } | null> {
  const [note] = await tx
    .select({ author: notes.author })
    .from(notes)
    .where(and(eq(notes.id, id), isAbout(subject)))
    .for("update");
  return note ?? null;
}

export async function deleteNote(tx: Tx, id: number): Promise<void> {
  await tx.delete(notes).where(eq(notes.id, id));
}
