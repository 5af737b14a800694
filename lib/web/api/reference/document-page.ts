import { html, raw } from "hono/html";
import { isJsonObject } from "#lib/platform/json-text.ts";
import type { CodeSample } from "../code-samples.ts";

type Json = Record<string, unknown>;
type Html = ReturnType<typeof html>;

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Json & { readonly name: string; readonly in: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Json>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Json>> }>>;
  readonly "x-codeSamples"?: readonly CodeSample[];
}

/** The parts of the OpenAPI document that the page shows, as plain JSON. */
export interface ShownDocument {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly schemas: Schemas };
}

type Schemas = Readonly<Record<string, Json>>;

interface Entry extends Operation {
  readonly method: string;
  readonly path: string;
}

/**
 * The reference as HTML without scripts: the operations by their groups, each folded. `codePage`: the URL of the page of error codes,
 * as the page links it.
 */
export function referenceBody(document: ShownDocument, codePage: string): Html {
  const entries = [
    ...Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => ({ ...one, method: method.toUpperCase(), path })),
    ),
    ...Object.entries(document.webhooks).map(([path, { post }]) => ({ ...post, method: "EVENT", path })),
  ];
  const groups = document.tags.map((tag) => ({
    ...tag,
    id: anchorOf(tag.name),
    entries: entries.filter(({ tags }) => tags.includes(tag.name)),
  }));
  return html`<main class="reference">
<h1>Paylink API</h1>
<p><a href="docs/try">Try it out</a> · <a href="${codePage}">Error codes</a> · <a href="openapi.json">OpenAPI document</a></p>
<details><summary>How requests and answers work</summary>${paragraphs(document.info.description)}</details>
<nav aria-label="Groups"><ul>${groups.map(({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
${groups.map(
  ({ id, name, description, entries: shown }) => html`<section id="${id}">
<h2>${name}</h2>
<p>${description}</p>
${shown.map((entry) => operation(entry, codePage, document.components.schemas))}
</section>
`,
)}
</main>`;
}

const anchorOf = (name: string) => name.toLowerCase().replaceAll(" ", "-");

/** A fragment that names the part inside of a fold opens it. */
function operation(entry: Entry, codePage: string, schemas: Schemas): Html {
  const { method, path, operationId, summary, description, parameters = [], requestBody } = entry;
  const body = (requestBody?.content["application/json"] ?? {}) as { schema?: Json; example?: unknown };
  const samples = entry["x-codeSamples"] ?? [];
  return html`<details class="operation"><summary><b>${method}</b> <code>${path}</code> <span>${summary}</span></summary>
<div id="${operationId}">
${description === undefined ? "" : paragraphs(description)}
${fields(
  "Parameters",
  parameters.map(({ name, in: place, required, schema, description: text }) => ({
    name,
    note: `${place}${required ? ", required" : ""}`,
    schema: { ...(schema as Json), description: text },
  })),
)}
${method === "EVENT" ? "" : fields("Fields of the body", bodyFields(body.schema, schemas))}
${samples.length === 0 ? "" : html`<h3>Samples</h3><div class="samples">${samples.map((sample, at) => sampleFold(sample, `${operationId}-sample`, at === 0))}</div>`}
${answer(entry, body, schemas)}
${errors(entry, codePage)}
</div></details>
`;
}

interface Field {
  readonly name: string;
  readonly note: string;
  readonly schema: Json;
}

function bodyFields(body: unknown, schemas: Schemas): Field[] {
  const { properties = {}, required = [] } = resolve(body, schemas);
  return Object.entries(properties as Record<string, Json>).map(([name, schema]) => ({
    name,
    note: (required as readonly string[]).includes(name) ? "required" : "optional",
    schema: resolve(schema, schemas),
  }));
}

function fields(title: string, list: readonly Field[]): Html | string {
  if (list.length === 0) return "";
  const row = ({ name, note, schema }: Field) =>
    html`<div><dt><code>${name}</code> ${note}</dt><dd>${inline(String(schema.description ?? ""))} ${limits(schema)}</dd></div>`;
  return html`<h3>${title}</h3><dl>${list.map(row)}</dl>`;
}

/** The fields of an object or of the objects of a list, and of those within them. */
function dataFields(schema: unknown, schemas: Schemas, prefix: string): Field[] {
  const { items, properties } = resolve(schema, schemas);
  if (items !== undefined) return dataFields(items, schemas, prefix === "" ? "" : `${prefix}[]`);
  return Object.entries((properties ?? {}) as Record<string, unknown>).flatMap(([key, member]) => {
    const name = prefix === "" ? key : `${prefix}.${key}`;
    return [{ name, note: "", schema: resolve(member, schemas) }, ...dataFields(member, schemas, name)];
  });
}

/** The schema, or the one of the document that it refers to. Parts of an `allOf` are put together. */
function resolve(schema: unknown, schemas: Schemas): Json {
  if (!isJsonObject(schema)) return {};
  const { $ref, allOf } = schema;
  if (typeof $ref === "string") return resolve(schemas[$ref.replace(/^.*\//, "")], schemas);
  if (!Array.isArray(allOf)) return schema;
  const parts = [...allOf, { ...schema, allOf: undefined }].map((part) => resolve(part, schemas));
  const properties = Object.assign({}, ...parts.map((part) => part.properties));
  return Object.assign({}, ...parts, { properties });
}

/** "string, at most 300 characters". A long list of values is left to the document. */
function limits({ type, maxLength, minimum, maximum, enum: values, maxItems }: Json): string {
  const listed = Array.isArray(values) && values.length <= 12 ? `one of ${values.join(", ")}` : "";
  return [
    [type].flat().join(" or "),
    listed,
    maxLength === undefined ? "" : `at most ${maxLength} characters`,
    maxItems === undefined ? "" : `at most ${maxItems} entries`,
    minimum === undefined || maximum === undefined ? "" : `${minimum} to ${maximum}`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}

/** One sample is open at a time. */
function sampleFold({ label, source }: CodeSample, group: string, isOpen: boolean): Html {
  const open = raw(isOpen ? " open" : "");
  return html`<details name="${group}"${open}><summary>${label}</summary><pre tabindex="0"><code>${source}</code></pre></details>`;
}

/** The answer, or of an event the request: the fields of its `data`, and an example. */
function answer({ method, responses }: Entry, sent: Json, schemas: Schemas): Html | string {
  const isEvent = method === "EVENT";
  const { example, schema } = isEvent ? sent : (responses["200"]?.content?.["application/json"] ?? {});
  if (example === undefined) return "";
  const data = (resolve(schema, schemas).properties as Record<string, unknown> | undefined)?.data;
  const title = isEvent ? "Request" : "Answer";
  return html`${fields(`${title}: fields of data`, dataFields(data, schemas, ""))}<h3>${title}</h3><pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre>`;
}

function errors({ responses }: Entry, codePage: string): Html | string {
  const rows = Object.entries(responses).flatMap(([status, { content }]) => {
    const { examples } = content?.["application/json"] ?? {};
    if (!isJsonObject(examples)) return [];
    const codes = new Set(
      Object.values(examples).map((one) => (one as { value: { code: string } }).value.code),
    );
    const links = [...codes].map((code) => html`<a href="${codePage}#${code}"><code>${code}</code></a> `);
    return [html`<div><dt>${status}</dt><dd>${links}</dd></div>`];
  });
  return rows.length === 0 ? "" : html`<h3>Errors</h3><dl>${rows}</dl>`;
}

function paragraphs(text: string): Html[] {
  return text.split("\n\n").map((part) => html`<p>${inline(part)}</p>`);
}

/** The marks of the document's texts: code and bold. */
function inline(text: string): (Html | string)[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
    return part.startsWith("**") ? html`<strong>${part.slice(2, -2)}</strong>` : part;
  });
}
