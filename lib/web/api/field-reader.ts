import { z } from "@hono/zod-openapi";
import { type ApiFailure, type ApiReason, failure, isApiReason } from "./errors.ts";
import { JsonText, parseJson } from "./json-text.ts";
import type { FieldValue } from "./read-body.ts";

type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: ApiReason };

/** A zod message that is one of our reasons: zod's own words never reach a caller. */
export function apiReason(reason: ApiReason): ApiReason {
  return reason;
}

/**
 * One of these integers, as a flag or a status is. z.literal alone would do, but the OpenAPI document would know of its
 * first value only.
 */
export function integerEnum<const Values extends readonly [number, ...number[]]>(...values: Values) {
  return z.literal(values).openapi({ type: "integer", enum: [...values] });
}

/** A field read by a function of ours instead of a zod type; say what it is with `.openapi({type: …})`. */
export function customField<T>(read: (value: FieldValue) => Reading<T>) {
  return z.custom<FieldValue>(isFieldValue).transform((value, context): T => {
    const reading = read(value);
    if (reading.ok) return reading.value;
    context.addIssue({ code: "custom", message: reading.reason });
    return z.NEVER;
  });
}

function isFieldValue(value: unknown): boolean {
  return typeof value === "string" || value instanceof JsonText;
}

/** The JSON text of a field: a form's or a string's content, else the value's own source. */
export function fieldText(value: FieldValue): string {
  return value instanceof JsonText ? value.text : value;
}

/** The value of a field that holds JSON; undefined when it does not. */
export function parseFieldJson(value: FieldValue): unknown {
  return parseJson(fieldText(value));
}

/** A text that a database can keep and give back unchanged. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

export type FieldsSchema = z.ZodObject;

const absences = new WeakMap<z.ZodType, ApiReason>();

/** A required field with a text of its own for when it is not there. */
export function withMissingReason<Schema extends z.ZodType>(schema: Schema, reason: ApiReason): Schema {
  absences.set(schema, reason);
  return schema;
}

/** Why a request without this field is refused; null when it may be absent. */
export function findMissingReason(schema: z.ZodType | undefined): ApiReason | null {
  if (schema === undefined || z.safeParse(schema, undefined).success) return null;
  return absences.get(schema) ?? "field_missing";
}

/**
 * Reads a body's fields by their schema. The order of complaints is that of docs/shapes.md: presence of each
 * field in the schema's order, then the form of each in that order. An empty text counts as absent.
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
    const missing = required.find(({ name }) => values[name] === undefined);
    if (missing !== undefined) return failure(missing.reason, missing.name);
    const parsed = schema.safeParse(values, { error: defaultReason });
    if (parsed.success) return { ok: true, input: parsed.data };
    const position = (issue: z.core.$ZodIssue) => names.indexOf(String(issue.path[0]));
    const [first] = parsed.error.issues.toSorted((a, b) => position(a) - position(b));
    if (first === undefined || !isApiReason(first.message)) {
      throw new Error("a schema complains in words that are no reason of ours", { cause: parsed.error });
    }
    return failure(first.message, String(first.path.at(-1)));
  };
}

/** What plain z.string() and z.number() say. */
const defaultReason: z.core.$ZodErrorMap = (issue) =>
  apiReason(issue.code === "invalid_type" && issue.expected === "number" ? "not_a_number" : "not_a_string");
