import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FormView } from "#lib/domain/forms/types.ts";

const ROOT = join(import.meta.dirname, "../..");

/** HTML that opens a form in a dialog, and without scripts as a page. */
export interface FormSnippets {
  /** Follows the server's version. */
  readonly snippet: string;
  /** The script of this version only, with its integrity. Null before `npm run build`. */
  readonly snippet_pinned: string | null;
}

/** The snippets of docs/integrate/embed.md for this form. */
export function formSnippets({ code, url }: Pick<FormView, "code" | "url">): FormSnippets {
  const button = `<a href="${url}" data-paylink-form="${code}">Buy</a>`;
  const script = (name: string, more: string) =>
    `<script async src="${new URL(name, url).href}"${more}></script>\n${button}`;
  const pinned = readPinnedScript();
  return {
    snippet: script("/checkout.js", ""),
    snippet_pinned:
      pinned && script(`/${pinned.name}`, ` crossorigin="anonymous" integrity="${pinned.integrity}"`),
  };
}

/** As lib/widget/build.ts names it. */
function readPinnedScript(): { readonly name: string; readonly integrity: string } | null {
  try {
    const code = readFileSync(join(ROOT, "public/checkout.js"));
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
    const digest = createHash("sha384").update(code).digest();
    return {
      name: `checkout-${version}-${digest.toString("hex").slice(0, 8)}.js`,
      integrity: `sha384-${digest.toString("base64")}`,
    };
  } catch {
    return null;
  }
}
