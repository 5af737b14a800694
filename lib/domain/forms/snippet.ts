import type { FormView } from "./types.ts";

/** HTML that opens a form in a dialog, and without scripts as a page (docs/integrate/embed.md). `more` goes into the script's tag. */
export function formSnippet(
  { code, url }: Pick<FormView, "code" | "url">,
  { script, more }: { readonly script: string; readonly more: string },
): string {
  return `<script async src="${new URL(script, url).href}"${more}></script>\n<a href="${url}" data-paylink-form="${code}">Buy</a>`;
}

/** The script that follows the server's version. */
export const CURRENT_SCRIPT = { script: "/checkout.js", more: "" } as const;
