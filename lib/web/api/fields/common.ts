import { z } from "@hono/zod-openapi";
import { integerEnum } from "#lib/platform/integer-enum.ts";
import { apiReason, customField, fieldText, parseFieldJson } from "../field-reader.ts";

/** A timestamp of a response: ISO 8601 in UTC. */
export const timestamp = z.string().openapi({ format: "date-time" });

/** A flag of a response, 0 or 1. */
export function flag(description: string) {
  return integerEnum(0, 1).openapi({ description });
}

/** `data` of an operation that returns none. A lone `type: "null"` stops most generators of clients. */
export const noData = z.null().openapi({ type: ["object", "null"], description: "Always null." });

/** A timestamp for the deletion of a record that is never deleted. */
export const neverDeleted = timestamp.nullable().openapi({ description: "Always null." });

/** A flag of a request, 0 or 1, as a number or a text. */
export function flagField(description: string) {
  return customField((value) => {
    const text = fieldText(value);
    if (text !== "0" && text !== "1") return { ok: false, reason: "not_a_flag" };
    return { ok: true, value: text === "1" };
  }).openapi({ type: "integer", enum: [0, 1], description });
}

/** The merchant's own reference of a payment link. */
export const paymentReferenceField = z
  .string(apiReason("payment_reference_malformed"))
  .regex(/^[A-Za-z0-9]{1,20}$/, apiReason("payment_reference_malformed"));

/** A JSON list of texts, or its text in a form field. */
export function textList(items: object, description: string) {
  return customField<readonly string[]>((value) => {
    const list = parseFieldJson(value);
    const isList = Array.isArray(list) && list.every((one) => typeof one === "string");
    return isList ? { ok: true, value: list } : { ok: false, reason: "not_a_list" };
  }).openapi({ type: "array", items: { type: "string", ...items }, description });
}

/** A whole number of a request, as a number or a text. The use case checks its limits, which the document shows. */
export function wholeNumber(minimum: number, maximum: number, description: string) {
  return customField((value) => {
    const text = fieldText(value);
    if (!/^[0-9]{1,9}$/.test(text)) return { ok: false, reason: "not_a_number" };
    return { ok: true, value: Number(text) };
  }).openapi({ type: "integer", minimum, maximum, description });
}

/** The number of a row in a path. Any other text is the number of no row. */
export function readRowId(text: string): number {
  return /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : 0;
}
