import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context, Hono } from "hono";
import { html, raw } from "hono/html";
import type { AmountForm } from "./amount-form.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { sendResponse, toApiResponse } from "./envelope.ts";
import { type ErrorCode, failure, listErrorCodes } from "./errors.ts";
import { buildApiDocument } from "./openapi.ts";
import { composePostmanCollection } from "./postman.ts";
import { referenceBody, type ShownDocument } from "./reference/document-page.ts";
import type { ApiEnv } from "./types.ts";

interface StaticFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

type Files = ReadonlyMap<string, StaticFile>;

/** The URLs of these files contain a hash of their content, so they can be cached for ever. */
const CACHE_FOREVER = { "cache-control": "public, max-age=31536000, immutable" };
const REVALIDATE = { "cache-control": "no-cache" };
/** Loads everything from this host and nothing inline. The library's icons are data: images. */
const CONTENT_SECURITY_POLICY = [
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

/** Mounts `GET /openapi.json`, with `?amounts=string` for answers with strings, `GET /postman.json`, `GET /docs` to read it and `GET /docs/try` to try it out. None needs a key. */
export function mountReference(app: Hono<ApiEnv>): void {
  const document = (amounts: AmountForm) =>
    memoize(async () =>
      createStaticFile("application/json; charset=utf-8", openApiJson(amounts), REVALIDATE),
    );
  const documents = { number: document("number"), string: document("string") };
  const postman = memoize(async () =>
    createStaticFile("application/json; charset=utf-8", postmanJson(), REVALIDATE),
  );
  const files = memoize(loadFiles);
  const page = (body: (files: Files) => Promise<string> | string) =>
    memoize(async () =>
      createStaticFile("text/html; charset=utf-8", await body(await files()), {
        ...REVALIDATE,
        "content-security-policy": CONTENT_SECURITY_POLICY,
      }),
    );
  const docs = page(docsHtml);
  const tryOut = page(tryHtml);
  const errors = page(errorsHtml);
  app.get("/openapi.json", async (context) => {
    const amounts = context.req.query("amounts") || "number";
    if (amounts === "number" || amounts === "string") return sendFile(context, await documents[amounts]());
    return sendResponse(context, toApiResponse({ ...failure("bad_request"), hint: AMOUNTS_HINT }));
  });
  app.get("/postman.json", async (context) => sendFile(context, await postman()));
  app.get("/docs", async (context) => sendFile(context, await docs()));
  app.get("/docs/try", async (context) => sendFile(context, await tryOut()));
  app.get("/docs/errors", async (context) => sendFile(context, await errors()));
  // The page's URLs are relative to /docs. With a trailing slash they would not resolve.
  app.get("/docs/", (context) => context.redirect("../docs", 308));
  app.get("/docs/:file", async (context) => {
    const file = (await files()).get(context.req.param("file"));
    return file === undefined
      ? sendResponse(context, toApiResponse(failure("not_found")))
      : sendFile(context, file);
  });
  for (const path of [
    "/openapi.json",
    "/postman.json",
    "/docs",
    "/docs/",
    "/docs/errors",
    "/docs/try",
    "/docs/:file",
  ]) {
    app.all(path, (context) =>
      sendResponse(context, toApiResponse(failure("method_not_allowed")), { allow: "GET, HEAD" }),
    );
  }
}

const AMOUNTS_HINT = "amounts is string, or absent for numbers.";

function postmanJson(): string {
  return JSON.stringify(composePostmanCollection(buildApiDocument(ENDPOINTS)));
}

function openApiJson(amounts: AmountForm): string {
  return JSON.stringify(buildApiDocument(ENDPOINTS, amounts));
}

/** Our own styles, for the page of errors too. */
const PAGE_STYLES = "page.css";

/** The library with its style sheet, and ours, by file names with a hash. */
async function loadFiles(): Promise<Files> {
  const folder = createRequire(import.meta.url)
    .resolve("swagger-ui-dist/package.json")
    .replace(/[^/\\]+$/, "");
  const sources = [
    ["swagger-ui.css", "text/css; charset=utf-8", await readFile(`${folder}swagger-ui.css`)],
    ["swagger-ui.js", "text/javascript; charset=utf-8", await readFile(`${folder}swagger-ui-bundle.js`)],
    [PAGE_STYLES, "text/css; charset=utf-8", await readFile(new URL("reference/page.css", import.meta.url))],
    [
      "page.js",
      "text/javascript; charset=utf-8",
      await readFile(new URL("reference/page.js", import.meta.url)),
    ],
  ] as const;
  const files = new Map<string, StaticFile>();
  for (const [name, type, content] of sources) {
    const hash = createHash("sha256").update(content).digest("hex").slice(0, 12);
    files.set(`${hash}-${name}`, await createStaticFile(type, content, CACHE_FOREVER));
  }
  return files;
}

/** A page of this host. `folder`: where its files are, as the page links them. `library`: with the library and its styles. */
function pageHtml(
  {
    title,
    folder,
    library = false,
  }: { readonly title: string; readonly folder: string; readonly library?: boolean },
  files: Files,
  body: ReturnType<typeof html>,
): string {
  const names = [...files.keys()].filter((name) => library || name.endsWith(PAGE_STYLES));
  const styles = names.filter((name) => name.endsWith(".css"));
  const scripts = names.filter((name) => name.endsWith(".js"));
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
${styles.map((name) => html`<link rel="stylesheet" href="${folder}${name}">`)}
</head>
<body>
${body}
${scripts.map((name) => raw(`<script src="${folder}${name}"></script>`))}
</body>
</html>
`);
}

/** The reference to read: groups, fields, samples and errors, without scripts. */
function docsHtml(files: Files): string {
  const document = JSON.parse(openApiJson("number")) as ShownDocument;
  return pageHtml({ title: "Paylink API", folder: "docs/" }, files, referenceBody(document, "docs/errors"));
}

/** The library, in which a key tries the operations out. */
function tryHtml(files: Files): string {
  const body = html`<main id="reference"><noscript>This page needs JavaScript. The <a href="../docs">reference</a> does not.</noscript></main>`;
  return pageHtml({ title: "Try the Paylink API", folder: "", library: true }, files, body);
}

/** The page that `doc_url` of an error leads to. */
function errorsHtml(files: Files): string {
  const body = html`<main class="errors">
<h1>Errors</h1>
<p>Each error has a <code>code</code>, which never changes, a <code>message</code> and an HTTP status. The <a href="../docs">reference</a> lists the errors of each operation.</p>
${listErrorCodes().map(errorSection)}
</main>`;
  return pageHtml({ title: "Errors of the Paylink API", folder: "" }, files, body);
}

function errorSection({ code, status, message, hint }: ErrorCode) {
  return html`<section id="${code}">
<h2>${code}</h2>
<p>${status}: ${message}</p>
${hint === undefined ? "" : html`<p>${hint}</p>`}
</section>
`;
}

async function createStaticFile(
  type: string,
  content: string | Buffer,
  headers: Readonly<Record<string, string>>,
): Promise<StaticFile> {
  const plain = Buffer.from(content);
  return { type, plain, gzipped: await promisify(gzip)(plain, { level: 9 }), headers };
}

function sendFile(context: Context<ApiEnv>, { type, plain, gzipped, headers }: StaticFile): Response {
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

/** Runs `make` on the first call and keeps its result. A failure is not kept. */
function memoize<T>(make: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | null = null;
  return () => {
    result ??= make().catch((error) => {
      result = null;
      throw error;
    });
    return result;
  };
}
