import { z } from "@hono/zod-openapi";
import { JsonText, parseJson } from "#lib/platform/json-text.ts";
import { type ApiFailure, type ApiReason, failure, isApiReason } from "./errors.ts";
import type { FieldValue } from "./read-body.ts";

export type FieldResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: ApiReason };

/** A zod message that is one of our reasons. Zod's own messages never reach a caller. */
export function apiReason(reason: ApiReason): ApiReason {
  return reason;
}

/**
 * A field that is read by a function instead of a zod type. Describe its type with `.openapi({type: …})`. Without a
 * type, the document says that it may be any JSON.
 */
export function customField<T>(read: (value: FieldValue) => FieldResult<T>) {
  return z
    .unknown()
    .refine(isFieldValue)
    .transform((value, context): T => {
      const result = read(value);
      if (result.ok) return result.value;
      context.addIssue({ code: "custom", message: result.reason });
      return z.NEVER;
    });
}

function isFieldValue(value: unknown): value is FieldValue {
  return typeof value === "string" || value instanceof JsonText;
}

/** The text of a field: the content of a form field or JSON string, or the source text of another JSON value. */
export function fieldText(value: FieldValue): string {
  return value instanceof JsonText ? value.text : value;
}

/** The value of a field that contains JSON, or undefined if it is not JSON. */
export function parseFieldJson(value: FieldValue): unknown {
  return parseJson(fieldText(value));
}

/** True if the database can store the text and return it unchanged. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

export type FieldsSchema = z.ZodObject;

/**
 * Reasons that name every missing field at once. The texts of the interface document name one: the first.
 */
const NAMES_EVERY_FIELD: ReadonlySet<ApiReason> = new Set(["fields_missing", "customer_field_missing"]);

const missingReasons = new WeakMap<z.ZodType, ApiReason>();

/** Sets the reason for a required field that is missing. Default: `fields_missing`. */
export function withMissingReason<Schema extends z.ZodType>(schema: Schema, reason: ApiReason): Schema {
  missingReasons.set(schema, reason);
  return schema;
}

/** The reason for a request without this field, or null if the field is optional. */
export function findMissingReason(schema: z.ZodType | undefined): ApiReason | null {
  if (schema === undefined || z.safeParse(schema, undefined).success) return null;
  return missingReasons.get(schema) ?? "fields_missing";
}

/**
 * Returns a reader for the fields of a schema. It reports the first problem in the order of docs/shapes.md: missing
 * fields in the schema's order, then malformed fields in that order. Fields that are missing for the same reason are
 * reported together (NAMES_EVERY_FIELD). An empty text counts as absent.
 */
export function createFieldReader<Schema extends FieldsSchema>(
  schema: Schema,
): (
  fields: ReadonlyMap<string, FieldValue>,
) => { readonly ok: true; readonly input: z.output<Schema> } | ApiFailure {
  const names = Object.keys(schema.shape);
  const required = names.flatMap((name) => {
    const reason = findMissingReason(schema.shape[name]);
    return reason === null ? [] : [{ name, reason }];
  });
  return (fields) => {
    const values: Record<string, FieldValue> = {};
    for (const name of names) {
      const value = fields.get(name);
      if (value !== undefined && value !== "") values[name] = value;
    }
    const missing = required.filter(({ name }) => values[name] === undefined);
    if (missing[0] !== undefined) return nameFields(missing[0].reason, missing);
    const parsed = schema.safeParse(values, { error: defaultReason });
    if (parsed.success) return { ok: true, input: parsed.data };
    const position = (issue: z.core.$ZodIssue) => names.indexOf(String(issue.path[0]));
    const isMissing = ({ message }: z.core.$ZodIssue) =>
      isApiReason(message) && NAMES_EVERY_FIELD.has(message);
    const issues = parsed.error.issues.toSorted(
      (a, b) => position(a) - position(b) || Number(isMissing(b)) - Number(isMissing(a)),
    );
    const [first] = issues;
    if (first === undefined || !isApiReason(first.message)) {
      throw new Error("The message of a schema must be an API reason: use apiReason()", {
        cause: parsed.error,
      });
    }
    return nameFields(
      first.message,
      issues.map(({ message, path }) => ({ reason: message, name: String(path.at(-1)) })),
    );
  };
}

/** A failure that names the first field of the problems, or every field with this reason, in their order. */
function nameFields(
  reason: ApiReason,
  problems: readonly { readonly reason: string; readonly name: string }[],
): ApiFailure {
  const names = new Set(problems.filter((problem) => problem.reason === reason).map(({ name }) => name));
  return failure(reason, (NAMES_EVERY_FIELD.has(reason) ? [...names] : [...names].slice(0, 1)).join(", "));
}

/** The reason for plain z.string() and z.number(). */
const defaultReason: z.core.$ZodErrorMap = (issue) =>
  apiReason(issue.code === "invalid_type" && issue.expected === "number" ? "not_a_number" : "not_a_string");
