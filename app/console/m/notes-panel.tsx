import { type Draft, readDraft } from "#app/console/draft.ts";
import type { Desk } from "#app/console/session.ts";
import { LocalTime } from "#components/console/local-time.tsx";
import { PlaceFields } from "#components/console/place-fields.tsx";
import { actorOf, userOf } from "#lib/domain/authority/actor.ts";
import { type Action, may } from "#lib/domain/authority/role-rules.ts";
import { listPeople } from "#lib/domain/members/queries.ts";
import { listNotes } from "#lib/domain/notes/queries.ts";
import { MAX_NOTE_TEXT, MAX_NOTES } from "#lib/domain/notes/rules.ts";
import type { Note, NoteSubject } from "#lib/domain/notes/types.ts";
import { getServices } from "#lib/web/services.ts";

type Fields = Readonly<Record<string, string | number>>;
type FormAction = (posted: FormData) => Promise<void>;

interface NotesProps {
  desk: Desk;
  about: NoteSubject;
  /** The permission to write here. */
  action: Action;
  /** The hidden fields of the forms. */
  place: Fields;
  add: FormAction;
  remove: FormAction;
  /** The notice in the URL of the page. */
  notice: string | string[] | undefined;
}

/** The notes about a payment or a customer, newest first. Nothing for people who may not write where nothing was written. */
export async function NotesPanel({ desk, about, action, place, add, remove, notice }: NotesProps) {
  const { db } = getServices().database;
  const { role } = desk.workplace;
  const notes = await listNotes(db, about);
  const mayWrite = may(role, action);
  if (notes.length === 0 && !mayWrite) return null;
  const people = await listPeople(db, [...new Set(notes.flatMap(({ author }) => userOf(author) ?? []))]);
  const own = actorOf(desk.signedIn.userId);
  const draft = await readDraft(`${desk.base}/${desk.page}`, notice);
  return (
    <section id="notes" className="panel" aria-labelledby="notes-title">
      <div>
        <h2 id="notes-title" className="font-semibold">
          Notes
        </h2>
        <p className="text-sm text-muted">For the people who work here. The customer does not see them.</p>
      </div>
      {/* Another newest note closes the form again. */}
      {mayWrite && (
        <Write
          key={notes[0]?.id ?? 0}
          draft={draft}
          place={place}
          add={add}
          isFull={notes.length >= MAX_NOTES}
        />
      )}
      {notes.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {notes.map((note) => (
            <NoteItem
              key={note.id}
              note={note}
              who={people.get(userOf(note.author) ?? 0)?.name ?? "The operator"}
              remove={mayWrite && (role === "owner" || note.author === own) ? remove : null}
              place={place}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function Write({
  draft,
  place,
  add,
  isFull,
}: {
  draft: Draft;
  place: Fields;
  add: FormAction;
  isFull: boolean;
}) {
  if (isFull)
    return <p className="text-sm text-muted">There are {MAX_NOTES} notes. Delete one to write another.</p>;
  const text = draft.value("note");
  return (
    <details key={draft.key} open={text !== undefined}>
      <summary className="link w-fit cursor-pointer text-sm">Write a note</summary>
      <form action={add} className="mt-3 grid gap-3">
        <PlaceFields of={place} />
        <textarea
          name="note"
          aria-label="Note"
          rows={3}
          required
          maxLength={MAX_NOTE_TEXT}
          defaultValue={text}
          className="input"
        />
        <button type="submit" className="button-small justify-self-start">
          Add the note
        </button>
      </form>
    </details>
  );
}

/** `remove` is null for people who may not remove it. */
function NoteItem({
  note: { id, text, createdAt },
  who,
  remove,
  place,
}: {
  note: Note;
  who: string;
  remove: FormAction | null;
  place: Fields;
}) {
  return (
    <li className="grid gap-1 py-3 text-sm last:pb-0">
      <p className="break-words whitespace-pre-line" dir="auto">
        {text}
      </p>
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-muted">
        <span className="min-w-0 break-words">
          <bdi>{who}</bdi>, <LocalTime at={createdAt} />
        </span>
        {remove !== null && (
          <details className="open:grid open:gap-2">
            <summary className="link w-fit cursor-pointer">Delete</summary>
            <form action={remove}>
              <PlaceFields of={{ ...place, note: id }} />
              <button type="submit" className="button-danger">
                Delete this note
              </button>
            </form>
          </details>
        )}
      </div>
    </li>
  );
}
