import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CURRENT_SCRIPT, formSnippet } from "#lib/domain/forms/snippet.ts";
import type { FormView } from "#lib/domain/forms/types.ts";
import { readVersion } from "./read-version.ts";

const ROOT = join(import.meta.dirname, "../..");

/** HTML that opens a form in a dialog, and without scripts as a page. */
export interface FormSnippets {
  /** Follows the server's version. */
  readonly snippet: string;
  /** The script of this version only, with its integrity. Null before `npm run build`. */
  readonly snippet_pinned: string | null;
}

/** The snippets of docs/integrate/embed.md for this form. */
export function formSnippets(form: Pick<FormView, "code" | "url">): FormSnippets {
  const pinned = readPinnedScript();
  const more = pinned && ` crossorigin="anonymous" integrity="${pinned.integrity}"`;
  return {
    snippet: formSnippet(form, CURRENT_SCRIPT),
    snippet_pinned: pinned && formSnippet(form, { script: `/${pinned.name}`, more: more ?? "" }),
  };
}

/** As packages/widget/build.ts names it. */
function readPinnedScript(): { readonly name: string; readonly integrity: string } | null {
  try {
    const code = readFileSync(join(ROOT, "public/checkout.js"));
    const digest = createHash("sha384").update(code).digest();
    return {
      name: `checkout-${readVersion()}-${digest.toString("hex").slice(0, 8)}.js`,
      integrity: `sha384-${digest.toString("base64")}`,
    };
  } catch {
    return null;
  }
}
