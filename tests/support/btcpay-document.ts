import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";

type Json = Record<string, unknown>;

/** An answer to compare with the document. */
export interface CheckedAnswer {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly status: number;
  readonly text: string;
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Puts the members of one document into another. */
function merge(into: Json, from: Json): Json {
  for (const [name, value] of Object.entries(from)) {
    const before = into[name];
    into[name] = isObject(before) && isObject(value) ? merge(before, value) : value;
  }
  return into;
}

/**
 * A schema of OpenAPI 3.0 as JSON Schema: references are resolved, and an object has no member that the document does not name. `isPart`: the
 * schema is a part of another, which has more members.
 */
function toJsonSchema(document: Json, given: unknown, isPart = false): unknown {
  if (Array.isArray(given)) return given.map((one) => toJsonSchema(document, one));
  if (!isObject(given)) return given;
  const reference = given.$ref;
  if (typeof reference === "string") {
    const names = reference.slice(2).split("/");
    const found = names.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), document);
    return toJsonSchema(document, found, isPart);
  }
  const { nullable, properties, allOf, additionalProperties, items, enum: names, type, oneOf, anyOf } = given;
  const parts = (list: unknown) => (list as unknown[]).map((one) => toJsonSchema(document, one, true));
  const isClosed =
    !isPart && additionalProperties === undefined && (properties !== undefined || allOf !== undefined);
  const schema: Json = {
    ...(typeof type === "string" && { type }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [
          name,
          // The metadata are the shop's own, and are answered as they came.
          name === "metadata" ? { type: "object" } : toJsonSchema(document, one),
        ]),
      ),
    }),
    ...(Array.isArray(given.required) && { required: given.required }),
    ...(items !== undefined && { items: toJsonSchema(document, items) }),
    ...(Array.isArray(names) && { enum: names }),
    ...(Array.isArray(allOf) && { allOf: parts(allOf) }),
    ...(Array.isArray(oneOf) && { anyOf: oneOf.map((one) => toJsonSchema(document, one)) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((one) => toJsonSchema(document, one)) }),
    ...(isClosed && { unevaluatedProperties: false }),
  };
  return nullable === true ? { anyOf: [{ type: "null" }, schema] } : schema;
}

/** The operations of a path: of those that fit the one with the fewest parameters. The document has some paths without their store. */
function findPath(paths: Json, path: string): Json | null {
  const [bare = ""] = path.split("?");
  const clean = bare.replace(/\/$/, "");
  const short = clean.replace(/\/stores\/[^/]+(?=\/)/, "");
  const fitting = (text: string) =>
    Object.keys(paths)
      .filter((one) => new RegExp(`^${one.replace(/\{[^}]+\}/g, "[^/]+")}$`).test(text))
      .sort((a, b) => a.split("{").length - b.split("{").length);
  const fits = [...fitting(clean), ...fitting(short)];
  const found = paths[fits[0] ?? ""];
  return isObject(found) ? found : null;
}

/**
 * A check of answers against BTCPay Server's own OpenAPI document, whose templates are in the folder that the variable BTCPAY_SWAGGER names
 * (BTCPayServer/wwwroot/swagger/v1 of its sources). null: the variable is not set.
 */
export function openBtcpayDocument(
  folder = process.env.BTCPAY_SWAGGER,
): ((answer: CheckedAnswer) => void) | null {
  if (folder === undefined) return null;
  const document = readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8").replace(/^\uFEFF/, "")) as Json)
    .reduce<Json>((all, one) => merge(all, one), {});
  const ajv = new Ajv2019({ strict: false, allErrors: true });
  return ({ method, path, status, text }) => {
    const operation = findPath(document.paths as Json, path)?.[method.toLowerCase()];
    const responses = isObject(operation) ? operation.responses : undefined;
    const response = isObject(responses) ? responses[String(status)] : undefined;
    if (!isObject(response)) {
      // The document names neither every path nor every refusal.
      assert.ok(
        status !== 200 || operation === undefined,
        `${method} ${path} has no answer of the status 200`,
      );
      return;
    }
    const content = response.content;
    const media = isObject(content) ? content["application/json"] : undefined;
    const schema = isObject(media) ? toJsonSchema(document, media.schema) : undefined;
    if (schema === undefined) return;
    const body = JSON.parse(text === "" ? "null" : text);
    // BTCPay Server itself answers some refusals with a code, for which its document has a list.
    const isProblem = status !== 200 && typeof body?.code === "string" && typeof body.message === "string";
    const isValid = isProblem || ajv.validate(schema as object, body);
    assert.ok(
      isValid,
      `${method} ${path} ${status}: ${ajv.errorsText(ajv.errors, { separator: "\n" })}\n${text}`,
    );
  };
}
