import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context, Hono } from "hono";
import { html, raw } from "hono/html";
import type { ApiEnv } from "./endpoint.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { sendResponse, toApiResponse } from "./envelope.ts";
import { failure } from "./errors.ts";
import { buildApiDocument } from "./openapi.ts";

interface Page {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Addresses of what the page loads carry a hash of it: whoever has it need never ask again. */
const FOR_EVER = { "cache-control": "public, max-age=31536000, immutable" };
const ASK_AGAIN = { "cache-control": "no-cache" };
/** Everything from here, nothing inline; the library's icons are data: images. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** What the page does once its library is there. `validatorUrl` null: the library would send the document abroad. */
const START = `SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: "list",
  filter: true,
  validatorUrl: null,
});
`;

/** `GET /openapi.json`, and `GET /docs`: the same for people to read and try. Neither needs a key. */
export function mountReference(app: Hono<ApiEnv>): void {
  const document = once(async () => page("application/json; charset=utf-8", openApiJson(), ASK_AGAIN));
  const files = once(loadFiles);
  const docs = once(async () =>
    page("text/html; charset=utf-8", docsHtml(await files()), {
      ...ASK_AGAIN,
      "content-security-policy": POLICY,
    }),
  );
  app.get("/openapi.json", async (context) => send(context, await document()));
  app.get("/docs", async (context) => send(context, await docs()));
  // The page's own addresses are relative to /docs: below a slash they would lead nowhere.
  app.get("/docs/", (context) => context.redirect("../docs", 308));
  app.get("/docs/:file", async (context) => {
    const file = (await files()).get(context.req.param("file"));
    return file === undefined
      ? sendResponse(context, toApiResponse(failure("not_found")))
      : send(context, file);
  });
  for (const path of ["/openapi.json", "/docs", "/docs/", "/docs/:file"]) {
    app.all(path, (context) =>
      sendResponse(context, toApiResponse(failure("method_not_allowed")), { allow: "GET, HEAD" }),
    );
  }
}

function openApiJson(): string {
  return JSON.stringify(buildApiDocument(ENDPOINTS));
}

/** The library's files and ours, by their names with a hash: style sheet, library, start. */
async function loadFiles(): Promise<ReadonlyMap<string, Page>> {
  const folder = createRequire(import.meta.url)
    .resolve("swagger-ui-dist/package.json")
    .replace(/[^/\\]+$/, "");
  const sources = [
    ["swagger-ui.css", "text/css; charset=utf-8", await readFile(`${folder}swagger-ui.css`)],
    ["swagger-ui.js", "text/javascript; charset=utf-8", await readFile(`${folder}swagger-ui-bundle.js`)],
    ["start.js", "text/javascript; charset=utf-8", Buffer.from(START)],
  ] as const;
  const files = new Map<string, Page>();
  for (const [name, type, content] of sources) {
    const hash = createHash("sha256").update(content).digest("hex").slice(0, 12);
    files.set(`${hash}-${name}`, await page(type, content, FOR_EVER));
  }
  return files;
}

function docsHtml(files: ReadonlyMap<string, Page>): string {
  const names = [...files.keys()];
  const styles = names.filter((name) => name.endsWith(".css"));
  const scripts = names.filter((name) => name.endsWith(".js"));
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Paylink API</title>
<link rel="icon" href="data:,">
${styles.map((name) => html`<link rel="stylesheet" href="docs/${name}">`)}
</head>
<body>
<main id="reference"><noscript>This reference needs JavaScript. <a href="openapi.json">openapi.json</a> has it all.</noscript></main>
${scripts.map((name) => raw(`<script src="docs/${name}"></script>`))}
</body>
</html>
`);
}

async function page(
  type: string,
  content: string | Buffer,
  headers: Readonly<Record<string, string>>,
): Promise<Page> {
  const plain = Buffer.from(content);
  return { type, plain, gzipped: await promisify(gzip)(plain, { level: 9 }), headers };
}

function send(context: Context<ApiEnv>, { type, plain, gzipped, headers }: Page): Response {
  const zipped = /\bgzip\b/.test(context.req.header("accept-encoding") ?? "");
  const body = zipped ? gzipped : plain;
  context.env.outgoing
    .writeHead(200, {
      "content-type": type,
      "content-length": body.length,
      ...(zipped && { "content-encoding": "gzip" }),
      vary: "accept-encoding",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      ...headers,
    })
    .end(body);
  return RESPONSE_ALREADY_SENT;
}

/** Does it at the first call; a failure is not kept. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make().catch((error) => {
      made = null;
      throw error;
    });
    return made;
  };
}
