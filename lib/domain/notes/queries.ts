import { desc, eq } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { MAX_NOTES } from "./rules.ts";
import { notes } from "./tables.ts";
import type { Note, NoteSubject } from "./types.ts";

/** The condition that a note is about the subject. */
export const isAbout = (subject: NoteSubject) =>
  "customerId" in subject
    ? eq(notes.customerId, subject.customerId)
    : eq(notes.paymentLinkId, subject.paymentLinkId);

/** The notes about a payment or a customer, newest first. At most MAX_NOTES. */
export function listNotes(db: Db | Tx, subject: NoteSubject): Promise<Note[]> {
  const { id, author, text, createdAt } = notes;
  return db
    .select({ id, author, text, createdAt })
    .from(notes)
    .where(isAbout(subject))
    .orderBy(desc(id))
    .limit(MAX_NOTES);
}
