"use client";

import { type ReactNode, useEffect, useState } from "react";
import { useFormStatus } from "react-dom";
import { announce } from "./announcer.tsx";
import { Icon } from "./icon.tsx";

/** How long the button shows the result. */
const SHOWN_MS = 2_500;

interface CopyButtonProps {
  /** KeepFocus (live.tsx) finds the button by this id after a rendering. */
  id: string;
  text: string;
  /** Accessible name of the button, such as "Copy the amount". */
  label: string;
  /** Announced after copying, such as "Amount copied". */
  spoken: string;
  words: { copy: string; copied: string; failed: string };
}

/**
 * Copies `text`, and shows and announces the result. The style sheet hides the button where scripts are off.
 */
export function CopyButton({ id, text, label, spoken, words }: CopyButtonProps) {
  const [word, setWord] = useState<keyof typeof words>("copy");
  useEffect(() => {
    if (word === "copy") return;
    const timer = setTimeout(() => setWord("copy"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [word]);
  return (
    <button
      id={id}
      type="button"
      className={`needs-script button-quiet min-h-11 ${word === "copied" ? "border-good text-good" : ""}`}
      aria-label={label}
      onClick={async () => {
        const copied = await copyText(text);
        setWord(copied ? "copied" : "failed");
        announce(copied ? spoken : words.failed);
      }}
    >
      <Icon name={word === "copied" ? "check" : "copy"} className="size-4" />
      {/* Both words occupy the same cell, so the button keeps the width of the longer word. */}
      <span className="grid text-center">
        <span className={`col-start-1 row-start-1 ${word === "copied" ? "invisible" : ""}`}>
          {word === "failed" ? words.failed : words.copy}
        </span>
        <span className={`col-start-1 row-start-1 ${word === "copied" ? "" : "invisible"}`}>
          {words.copied}
        </span>
      </span>
    </button>
  );
}

/** Copies `text`. Returns whether that worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The clipboard API needs permission and a secure context. A page on http in a local network uses
    // execCommand.
    const focused = document.activeElement;
    const area = Object.assign(document.createElement("textarea"), { value: text, readOnly: true });
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return copied;
  }
}

/**
 * Opens the browser's print dialog, which can also save a file. The style sheet hides the button where
 * scripts are off. Browsers before 2025 do not know `::details-content`, by which the style sheet unfolds what paper shows.
 */
export function PrintButton({ label }: { label: string }) {
  useEffect(() => {
    const unmounted = new AbortController();
    const { signal } = unmounted;
    let unfolded: HTMLDetailsElement[] = [];
    const setOpen = (open: boolean) => {
      for (const fold of unfolded) fold.open = open;
    };
    const unfold = () => {
      unfolded = [...document.querySelectorAll<HTMLDetailsElement>("details.printed:not([open])")];
      setOpen(true);
    };
    addEventListener("beforeprint", unfold, { signal });
    addEventListener("afterprint", () => setOpen(false), { signal });
    return () => unmounted.abort();
  }, []);
  return (
    <button
      type="button"
      className="needs-script button-quiet min-h-11 print:hidden"
      onClick={() => window.print()}
    >
      <Icon name="print" className="size-4" />
      {label}
    </button>
  );
}

/**
 * Shows a spinner instead of `children` while the form is being submitted by the button with this name and
 * value.
 */
export function SubmitSpinner({
  name,
  value,
  children,
}: {
  name: string;
  value: string;
  children: ReactNode;
}) {
  const { data } = useFormStatus();
  if (data?.get(name) !== value) return children;
  return (
    <span className="size-5 shrink-0 rounded-full border-2 border-line border-t-accent motion-safe:animate-spin" />
  );
}
