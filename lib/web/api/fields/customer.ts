import { z } from "@hono/zod-openapi";
import { CUSTOMER_EMAIL, MAX_CUSTOMER_TEXT } from "#lib/domain/merchants/customer-rules.ts";
import type { ApiReason } from "../errors.ts";
import { apiReason, isStorableText } from "../field-reader.ts";

/** Reasons for a field that is absent or empty, and, where they differ, too long or not storable. */
interface CustomerReasons {
  readonly missing: ApiReason;
  /** For a malformed e-mail address. */
  readonly notEmail: ApiReason;
  readonly tooLong?: ApiReason;
  readonly unstorable?: ApiReason;
}

/** The three fields that every customer has. */
export function customerFields({
  missing,
  notEmail,
  tooLong = missing,
  unstorable = missing,
}: CustomerReasons) {
  const text = (pattern: RegExp, mismatch: ApiReason) =>
    z
      .string(apiReason(missing))
      .regex(/\S/, apiReason(missing))
      .regex(pattern, apiReason(mismatch))
      .max(MAX_CUSTOMER_TEXT, apiReason(tooLong))
      .refine(isStorableText, apiReason(unstorable));
  const name = text(/\S/, missing);
  return z.object({ email: text(CUSTOMER_EMAIL, notEmail), first_name: name, last_name: name });
}

const TEXT = { type: "string", minLength: 1, maxLength: MAX_CUSTOMER_TEXT } as const;

/** A customer field in the OpenAPI document. Its text is accepted too, but a generated client needs one type. */
export const CUSTOMER_SHAPE = {
  type: "object" as const,
  properties: { email: TEXT, first_name: TEXT, last_name: TEXT },
  required: ["email", "first_name", "last_name"],
};

/** The e-mail address of the merchant itself: see `isMerchantEmail`. */
export const merchantEmailField = z
  .string()
  .openapi({ format: "email", description: "The merchant's own.", example: "owner@shop.example.com" });

/** True if the address is absent or is the merchant's, in upper or lower case. */
export function isMerchantEmail(given: string | undefined, merchant: { readonly email: string }): boolean {
  return given === undefined || given.toLowerCase() === merchant.email.toLowerCase();
}
