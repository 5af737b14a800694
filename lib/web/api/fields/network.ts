import { z } from "@hono/zod-openapi";
import { NETWORK_CODES } from "#lib/chains/networks.ts";
import type { ApiReason } from "../errors.ts";
import { apiReason, withMissingReason } from "../field-reader.ts";

/** A network code of the service, enabled or not. Anything else is `unsupported network`. */
export const networkField = networkCodeField(NETWORK_CODES, "network_unknown");

/** One of these network codes. Anything else is `network not supported`. */
export function supportedNetworkField<Code extends string>(codes: readonly Code[]) {
  return networkCodeField(codes, "network_not_supported");
}

function networkCodeField<Code extends string>(codes: readonly Code[], reason: ApiReason) {
  const field = z
    .string()
    .refine((text) => codes.some((code) => code === text), apiReason(reason))
    .transform((text) => text as Code)
    .openapi({ type: "string", enum: [...codes], description: "Network code, lowercase.", example: "bep20" });
  return withMissingReason(field, "field_missing");
}
