"use client";

import { Icon } from "./icon.tsx";

/** Opens the browser's own dialogue, which also saves as a file. The style sheet hides it where scripts are off. */
export function PrintButton({ label }: { label: string }) {
  return (
    <button type="button" className="needs-script button-quiet print:hidden" onClick={() => window.print()}>
      <Icon name="print" className="size-4" />
      {label}
    </button>
  );
}
