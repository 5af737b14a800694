import { readdirSync, readFileSync } from "node:fs";
import type { RequestListener, ServerResponse } from "node:http";
import { basename, join } from "node:path";
import { readAccentSheet } from "#lib/domain/merchants/accent-sheet.ts";

const LINK = /<link rel="stylesheet" href="([^"?]+)[^"]*"[^>]*\/>/g;
const HEAD_END = "</head>";
/** Heads are about 4 kB. A page without an end of its head is sent as it is. */
const MOST_HELD = 65_536;

/** Reads the built style sheets below a folder of Next's. Returns their texts by URL path. */
export function readStyles(nextFolder: string): ReadonlyMap<string, string> {
  const files = readdirSync(join(nextFolder, "static"), { recursive: true, encoding: "utf8" });
  const read = (file: string) => readFileSync(join(nextFolder, "static", file), "utf8");
  const styles = files.filter((file) => file.endsWith(".css"));
  return new Map(styles.map((file) => [`/_next/static/${file}`, read(file)]));
}

/** The sheet of a merchant's color is computed from its name. */
function findStyle(styles: ReadonlyMap<string, string>, path: string): string | null {
  return styles.get(path) ?? readAccentSheet(basename(path));
}

/**
 * Sends the style sheets of the payers' pages within the page: a file of its own costs a slow phone one more round trip before anything is
 * drawn. The console's visitors open many pages, and keep its files. Next's own `inlineCss` sends each sheet twice, and again with each
 * update of an open page.
 */
export function inlineStyles(page: RequestListener, styles: ReadonlyMap<string, string>): RequestListener {
  return (request, response) => {
    const nonce = /'nonce-([^']+)'/.exec(String(request.headers["content-security-policy"]))?.[1];
    if (nonce !== undefined && request.headers["x-paylink-console"] === undefined)
      rewriteHead(response, (head) => replaceLinks(head, nonce, styles));
    page(request, response);
  };
}

/** React adds a link that it does not find, so that each stays in the page, disabled. */
function replaceLinks(head: string, nonce: string, styles: ReadonlyMap<string, string>): string {
  return head.replaceAll(LINK, (link, path) => {
    const style = findStyle(styles, path);
    return style === null
      ? link
      : `<style nonce="${nonce}">${style}</style>${link.replace("/>", ' disabled=""/>')}`;
  });
}

type Chunk = string | Uint8Array;
type Pass<Result> = (...values: unknown[]) => Result;

/** Holds an HTML response until its head is complete, and sends what `rewrite` returns for that. */
function rewriteHead(response: ServerResponse, rewrite: (head: string) => string): void {
  const write = response.write.bind(response) as Pass<boolean>;
  const end = response.end.bind(response) as Pass<ServerResponse>;
  const writeHead = response.writeHead.bind(response) as Pass<ServerResponse>;
  /** Null: the rest is sent as it comes. */
  let held: Buffer | null = Buffer.alloc(0);
  const isHtml = () => String(response.getHeader("content-type") ?? "").startsWith("text/html");
  /** Returns what can be sent now. Null: nothing yet. */
  function add(chunk: Chunk, isLast: boolean): Chunk | null {
    if (held === null || !isHtml() || response.hasHeader("content-length")) {
      held = null;
      return chunk;
    }
    const html = Buffer.concat([held, typeof chunk === "string" ? Buffer.from(chunk) : chunk]);
    const length = html.indexOf(HEAD_END);
    held = length < 0 && !isLast && html.length < MOST_HELD ? html : null;
    if (held !== null) return null;
    if (length < 0) return html;
    return Buffer.concat([Buffer.from(rewrite(html.toString("utf8", 0, length))), html.subarray(length)]);
  }
  const replaced = {
    writeHead(...head: unknown[]) {
      // It would make the browser load the sheets all the same.
      if (!response.headersSent && isHtml()) response.removeHeader("link");
      return writeHead(...head);
    },
    write(chunk: Chunk, ...rest: unknown[]) {
      const bytes = add(chunk, false);
      // After false, Next waits until more can be written.
      return bytes === null || write(bytes, ...rest);
    },
    // Next ends the response to HEAD with null.
    end: (chunk?: Chunk | null, ...rest: unknown[]) => end(add(chunk ?? "", true), ...rest),
  };
  Object.assign(response, replaced);
}
