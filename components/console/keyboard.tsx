"use client";

import { useEffect, useRef, useState } from "react";

/** Sections by the key that follows "g". */
const SECTION_KEYS: ReadonlyMap<string, string> = new Map([
  ["o", "overview"],
  ["p", "payments"],
  ["f", "forms"],
  ["u", "customers"],
  ["m", "money"],
  ["d", "developers"],
  ["e", "members"],
  ["s", "settings"],
]);
/** How long "g" waits for the next key. */
const CHORD_MS = 1_500;
const OFF = "paylink-keyboard-off";

interface KeyboardProps {
  /** Path of the merchant's console. */
  readonly base: string;
  /** The sections that the person may open, with their names. */
  readonly sections: readonly (readonly [string, string])[];
}

/**
 * Keys for people who work here all day, and a sheet behind "?" that lists them. Single keys can be switched off
 * (WCAG 2.2, success criterion 2.1.4).
 */
export function Keyboard({ base, sections }: KeyboardProps) {
  const sheet = useRef<HTMLDialogElement>(null);
  // Outside the effect: a refresh of the page runs it again, perhaps between the two keys.
  const chordUntil = useRef(0);
  const [isOff, setOff] = useState(false);
  useEffect(() => setOff(localStorage.getItem(OFF) !== null), []);
  useEffect(() => {
    const open = (section: string) => {
      if (sections.some(([name]) => name === section)) window.location.assign(`${base}/${section}`);
    };
    const press = (event: KeyboardEvent) => {
      const { key, target } = event;
      const isTyping =
        target instanceof Element && target.closest("input, textarea, select, dialog") !== null;
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (key === "?") return sheet.current?.showModal();
      if (isOff) return;
      const isChord = Date.now() < chordUntil.current;
      chordUntil.current = key === "g" ? Date.now() + CHORD_MS : 0;
      if (isChord) return open(SECTION_KEYS.get(key) ?? "");
      if (key === "c") return open("new");
      if (key !== "/") return;
      event.preventDefault();
      const search = document.querySelector<HTMLInputElement>('input[type="search"]');
      if (search === null) open("payments");
      else search.focus();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [base, sections, isOff]);
  const keep = (off: boolean) => {
    if (off) localStorage.setItem(OFF, "yes");
    else localStorage.removeItem(OFF);
    setOff(off);
  };
  return (
    <>
      <button
        type="button"
        className="nav-item needs-script hidden text-xs md:flex"
        onClick={() => sheet.current?.showModal()}
      >
        Keyboard: ?
      </button>
      <dialog
        ref={sheet}
        aria-labelledby="keyboard"
        className="m-auto w-full max-w-sm rounded-2xl border border-line bg-card p-6 text-ink backdrop:bg-black/40"
      >
        <Sheet sections={sections} isOff={isOff} keep={keep} />
      </dialog>
    </>
  );
}

/** Which key does what. */
function Sheet({
  sections,
  isOff,
  keep,
}: Pick<KeyboardProps, "sections"> & { isOff: boolean; keep: (off: boolean) => void }) {
  const lines = [
    ["/", "Search payments"],
    ...(sections.some(([name]) => name === "new") ? [["c", "New link"]] : []),
    ...Object.entries(SECTION_KEYS).flatMap(([key, section]) => {
      const [, text] = sections.find(([name]) => name === section) ?? [];
      return text === undefined ? [] : [[`g ${key}`, text]];
    }),
    ["?", "This sheet"],
  ];
  return (
    <form method="dialog" className="grid gap-4">
      <h2 id="keyboard" className="font-semibold">
        Keyboard
      </h2>
      <dl className="grid grid-cols-[5rem_1fr] gap-y-2 text-sm">
        {lines.map(([key, text]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded border border-line bg-page px-1.5 font-mono">{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <label className="flex items-center gap-2 text-sm">
        <input type="checkbox" checked={isOff} onChange={({ target }) => keep(target.checked)} />
        Switch these keys off in this browser
      </label>
      <button type="submit" className="button-quiet justify-self-start">
        Close
      </button>
    </form>
  );
}
