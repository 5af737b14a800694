import { z } from "@hono/zod-openapi";
import { apiReason } from "../field-reader.ts";

/** One of these network codes; anything else is `network not supported`. */
export function supportedNetworkField<Code extends string>(codes: readonly Code[]) {
  return z
    .string()
    .refine((text) => isOneOf(codes, text), apiReason("network_not_supported"))
    .transform((text) => text as Code)
    .openapi({ type: "string", enum: [...codes], description: "Network code, lowercase.", example: "bep20" });
}

function isOneOf<Code extends string>(codes: readonly Code[], text: string): text is Code {
  return codes.some((code) => code === text);
}
