import { z } from "@hono/zod-openapi";
import type { ApiReason } from "../errors.ts";
import { apiReason, isStorableText } from "../field-reader.ts";

const MAX_NAME = 255;
const EMAIL = /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+\.[^\s@.\p{Cc}\p{Cs}]+$/u;

/** What is answered when one of the three is absent or says nothing; and, where that differs, when it cannot be kept. */
interface Complaints {
  readonly missing: ApiReason;
  readonly tooLong?: ApiReason;
  readonly unstorable?: ApiReason;
}

/** The three things said of every customer. */
export function customerFields({ missing, tooLong = missing, unstorable = missing }: Complaints) {
  const text = (pattern: RegExp) =>
    z
      .string(apiReason(missing))
      .regex(pattern, apiReason(missing))
      .max(MAX_NAME, apiReason(tooLong))
      .refine(isStorableText, apiReason(unstorable));
  return z.object({ email: text(EMAIL), first_name: text(/\S/), last_name: text(/\S/) });
}

const TEXT = { type: "string" } as const;

/** What the OpenAPI document says of them: a JSON object, or its text. */
export const CUSTOMER_SHAPE = {
  type: ["string" as const, "object" as const],
  properties: { email: TEXT, first_name: TEXT, last_name: TEXT },
  required: ["email", "first_name", "last_name"],
};
