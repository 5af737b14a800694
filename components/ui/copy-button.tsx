"use client";

import { useEffect, useState } from "react";
import { Icon } from "./icon.tsx";

/** Copies `text`, and says so to eyes and ears. The style sheet hides it where scripts are off. */
export function CopyButton(props: { text: string; label: string; copy: string; copied: string }) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 2_000);
    return () => clearTimeout(timer);
  }, [done]);
  return (
    <button
      type="button"
      className="needs-script button-quiet min-w-24"
      aria-label={props.label}
      onClick={async () => setDone(await copyText(props.text))}
    >
      <Icon name={done ? "check" : "copy"} className="size-4" />
      <span aria-live="polite">{done ? props.copied : props.copy}</span>
    </button>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // No permission, or no secure context (a page on http in the local network): the old way.
    const area = Object.assign(document.createElement("textarea"), { value: text, readOnly: true });
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    return copied;
  }
}
