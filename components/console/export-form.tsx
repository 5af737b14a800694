"use client";

import { type FormEvent, useRef, useState } from "react";
import { NoticeBox } from "#components/ui/notice-box.tsx";

type Progress =
  | { readonly kind: "idle" }
  | { readonly kind: "running"; readonly bytes: number }
  | { readonly kind: "done"; readonly bytes: number }
  | { readonly kind: "cut" };

/** How often the page says how much has arrived. */
const REPORT_MS = 200;
/** How long the browser has to begin saving. */
const SAVING_MS = 60_000;

const size = (bytes: number) =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/**
 * Downloads an export. Nobody knows how large the file will be, so the page says what has arrived, and if it was cut. Without
 * scripts it is a plain form that downloads.
 */
export function ExportForm({
  action,
  choices,
  what,
  from,
  to,
}: {
  action: string;
  choices: readonly (readonly [name: string, title: string])[];
  what: string;
  /** The first and the last day, like "2026-11-01". */
  from: string;
  to: string;
}) {
  const [progress, setProgress] = useState<Progress>({ kind: "idle" });
  const stopping = useRef<AbortController | null>(null);
  const run = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (progress.kind === "running") return;
    const query = new URLSearchParams(
      [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]),
    );
    const controller = new AbortController();
    stopping.current = controller;
    setProgress({ kind: "running", bytes: 0 });
    try {
      const bytes = await download(`${action}?${query}`, controller.signal, (arrived) =>
        setProgress({ kind: "running", bytes: arrived }),
      );
      setProgress({ kind: "done", bytes });
    } catch {
      setProgress(controller.signal.aborted ? { kind: "idle" } : { kind: "cut" });
    }
  };
  return (
    <form action={action} onSubmit={run} className="panel max-w-xl" aria-label="Export">
      <div className="grid gap-4 sm:grid-cols-2">
        <Choice label="What" name="what" value={what} choices={choices} />
        <Choice
          label="File"
          name="format"
          value="xlsx"
          choices={[
            ["xlsx", "Spreadsheet (XLSX)"],
            ["csv", "CSV"],
          ]}
        />
        <Day label="From" name="from" value={from} />
        <Day label="To" name="to" value={to} />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <button type="submit" className="button-small" disabled={progress.kind === "running"}>
          Export
        </button>
        {progress.kind === "running" && (
          <button type="button" className="button-quiet" onClick={() => stopping.current?.abort()}>
            Stop
          </button>
        )}
        <Arrived progress={progress} />
      </div>
      {progress.kind === "cut" && (
        <NoticeBox tone="bad" icon="alert">
          <span role="alert">The download was cut. Nothing was saved. Try again.</span>
        </NoticeBox>
      )}
    </form>
  );
}

function Arrived({ progress }: { progress: Progress }) {
  return (
    <span role="status" className="text-sm text-muted tabular-nums">
      {progress.kind === "running" && `${size(progress.bytes)} so far …`}
      {progress.kind === "done" && `Complete: ${size(progress.bytes)}.`}
    </span>
  );
}

function Day({ label, name, value }: { label: string; name: string; value: string }) {
  return (
    <label className="block">
      <span className="label block">{label}</span>
      <input type="date" name={name} required defaultValue={value} min="2020-01-01" className="input" />
    </label>
  );
}

function Choice({
  label,
  name,
  value,
  choices,
}: {
  label: string;
  name: string;
  value: string;
  choices: readonly (readonly [string, string])[];
}) {
  return (
    <label className="block">
      <span className="label block">{label}</span>
      <select name={name} defaultValue={value} className="input">
        {choices.map(([code, text]) => (
          <option key={code} value={code}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Fetches a file, and saves it once it is complete: a cut file looks complete to a person. Returns its size in bytes. */
async function download(url: string, signal: AbortSignal, report: (bytes: number) => void): Promise<number> {
  const response = await fetch(url, { signal });
  const disposition = response.headers.get("content-disposition");
  if (!response.ok || response.body === null || disposition === null) throw new Error("there is no file");
  let bytes = 0;
  let reportedAt = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (Date.now() - reportedAt > REPORT_MS) {
          reportedAt = Date.now();
          report(bytes);
        }
        controller.enqueue(chunk);
      },
    }),
  );
  // The browser keeps a large Blob on its disk.
  const file = URL.createObjectURL(await new Response(counted).blob());
  const link = Object.assign(document.createElement("a"), {
    href: file,
    download: /filename="([^"]+)"/.exec(disposition)?.[1] ?? "export",
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(file), SAVING_MS);
  return bytes;
}
