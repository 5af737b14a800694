import { z } from "@hono/zod-openapi";
import { integerEnum } from "#lib/platform/integer-enum.ts";
import { apiReason, customField, fieldText } from "../field-reader.ts";

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
