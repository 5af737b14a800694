import type { ReactNode } from "react";
import { Notice } from "./notice.tsx";
import type { NoticeCode } from "./notices.ts";

/** A page of the console before somebody works in it: one card in the middle. */
export function PlainPage({
  title,
  notice = null,
  children,
}: {
  title: string;
  notice?: NoticeCode | null;
  children: ReactNode;
}) {
  return (
    <main className="m-auto w-full max-w-md p-4">
      <div className="card">
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        <Notice code={notice} />
        {children}
      </div>
    </main>
  );
}

/** A labeled text field. */
export function Field({
  label,
  hint,
  ...input
}: { label: string; hint?: string } & React.ComponentProps<"input">) {
  return (
    <label className="block">
      <span className="label block">{label}</span>
      <input className="input" {...input} />
      {hint !== undefined && <span className="hint block">{hint}</span>}
    </label>
  );
}

/** The line between two ways to do the same. */
export function Or() {
  return (
    <p className="needs-script flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      or
    </p>
  );
}
