import { z } from "@hono/zod-openapi";
import { ALL_NETWORK_CODES } from "#lib/chains/networks.ts";
import { apiReason } from "../field-reader.ts";

/** A network code of the service, on or off; anything else is `unsupported network`. */
export const networkField = z
  .string()
  .refine(isCode, apiReason("network_unknown"))
  .transform((text) => text as (typeof ALL_NETWORK_CODES)[number])
  .openapi({
    type: "string",
    enum: [...ALL_NETWORK_CODES],
    description: "Network code, lowercase.",
    example: "bep20",
  });

function isCode(text: string): boolean {
  return ALL_NETWORK_CODES.some((code) => code === text);
}
