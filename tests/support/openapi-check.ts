import assert from "node:assert/strict";
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type AmountForm, ANSWER_TYPES } from "#lib/web/api/amount-form.ts";
import { ENDPOINTS } from "#lib/web/api/endpoints.ts";
import { buildApiDocument } from "#lib/web/api/openapi.ts";

interface Response {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: AnySchemaObject }>>;
}

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly literals: number;
  readonly path: RegExp;
  readonly responses: Readonly<Record<string, Response>>;
}

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

interface Document {
  readonly paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, Response> }>
  >;
  readonly components: { readonly schemas: Record<string, AnySchemaObject> };
}

const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats.default(ajv);
/** By the form of the amounts that their document describes. */
const operations = new Map<AmountForm, readonly Operation[]>();

/** The operations of a document. Its components become schemas of ajv under the name of the form. */
function readOperations(form: AmountForm): readonly Operation[] {
  const known = operations.get(form);
  if (known !== undefined) return known;
  const document = JSON.parse(JSON.stringify(buildApiDocument(ENDPOINTS, form))) as Document;
  for (const schema of Object.values(document.components.schemas)) close(schema, false);
  ajv.addSchema({ $id: form, components: document.components });
  const all = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, responses }]) => ({
        name: operationId,
        method: method.toUpperCase(),
        literals: path.split("/").filter((part) => !part.startsWith("{")).length,
        path: new RegExp(`^${path.replace(/\{[^}]+\}/g, "[^/]*")}$`),
        responses,
      })),
    )
    // Paths with more fixed parts come first: "/forms/new" is not the form "new".
    .sort((first, second) => second.literals - first.literals);
  operations.set(form, all);
  return all;
}

/** The schema of an operation's response with one HTTP status. */
interface Rule {
  readonly headers: Response["headers"];
  readonly validate: ValidateFunction;
  /** The texts of a failure that the document lists, and how to recognize them. */
  readonly texts: readonly string[];
  readonly patterns: readonly RegExp[];
}
/** By form, operation and status. */
const rules = new Map<string, Rule>();
/** By the source of the schema: most failures have the same. */
const compiled = new Map<string, ValidateFunction>();

/**
 * Asserts that the OpenAPI document describes a response of the operation: its HTTP status, the rate limit
 * headers, every member of the body and no others, and the exact text of a failure. The media type of the response chooses the
 * document: for amounts as numbers or as strings. Requests that match no operation (an unknown path, a wrong method) are not checked. `path`: below /v1, without the query.
 */
export function checkResponse(
  method: string,
  path: string,
  status: number,
  body: unknown,
  headers: Headers,
): void {
  const form = headers.get("content-type")?.startsWith(ANSWER_TYPES.string) ? "string" : "number";
  const operation = readOperations(form).find((one) => one.method === method && one.path.test(path));
  if (operation === undefined) return;
  const what = () => `${operation.name} answered ${status} ${JSON.stringify(body).slice(0, 2000)}`;
  const rule = findRule(form, operation, status);
  if (rule === null) assert.fail(`${what()}\nThe OpenAPI document has no such status for it`);
  for (const name of ["RateLimit-Policy", "RateLimit"]) {
    if (headers.has(name) && !rule.headers?.[name])
      assert.fail(`${what()}\nThe OpenAPI document has no ${name}`);
  }
  if (!rule.validate(body))
    assert.fail(`${what()}\nThe OpenAPI document: ${ajv.errorsText(rule.validate.errors)}`);
  if (status === 200) return;
  const { message } = body as { message: string };
  if (!rule.patterns.some((pattern) => pattern.test(message)))
    assert.fail(`${what()}\nThe OpenAPI document lists for it only ${rule.texts.join(", ")}`);
}

function findRule(form: AmountForm, { name, responses }: Operation, status: number): Rule | null {
  const known = rules.get(`${form} ${name} ${status}`);
  const response = responses[status];
  if (known !== undefined || response === undefined) return known ?? null;
  const schema = response.content[ANSWER_TYPES[form]]?.schema;
  const source = JSON.stringify(schema).replaceAll('"#/components/', `"${form}#/components/`);
  const validate = compiled.get(source) ?? ajv.compile(close(JSON.parse(source) as AnySchemaObject, true));
  compiled.set(source, validate);
  const texts = [...response.description.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);
  const rule = { headers: response.headers, validate, texts, patterns: texts.map(pattern) };
  rules.set(`${form} ${name} ${status}`, rule);
  return rule;
}

function pattern(text: string): RegExp {
  const [before = "", after] = text
    .split("{name}")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${after === undefined ? before : `${before}.*${after}`}$`, "s");
}

/** Forbids members that the document does not name. Parts of an allOf are closed where they are combined. */
function close<Schema>(schema: Schema, here: boolean): Schema {
  if (Array.isArray(schema)) for (const one of schema) close(one, here);
  else if (isNode(schema)) {
    if (here && ("properties" in schema || "allOf" in schema || "$ref" in schema)) {
      (schema as Node).unevaluatedProperties = false;
    }
    for (const [name, child] of Object.entries(schema)) {
      if (name === "properties" && isNode(child)) for (const one of Object.values(child)) close(one, true);
      else if (name === "allOf") close(child, false);
      else if (["items", "anyOf", "oneOf", "additionalProperties"].includes(name)) close(child, true);
    }
  }
  return schema;
}
