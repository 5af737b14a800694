import type { Stack } from "./stack.ts";

/** A payer of whom every part would be recognised. */
export const PRIVATE_FIELDS = {
  customer_details: JSON.stringify({
    email: "ada.private@example.com",
    first_name: "Adaprivate",
    last_name: "Obiprivate",
    phone: "+2348035550123",
  }),
  metadata: JSON.stringify({ secret: "metaprivate" }),
} as const;

/** Numbers of the database, derivation paths, account keys, keys of the API, secrets of webhooks. */
const NEVER =
  /merchantId|merchant_id|customerId|addressId|paymentLinkId|derivation|"id":[0-9]|m\/[0-9]+'|[xtuvzd](?:pub|gub)[1-9A-HJ-NP-Za-km-z]{20}|pl_(?:live|test)_|whsec_|ada\.?private|obiprivate|metaprivate|8035550123|sourceMappingURL/i;
/** Chunks of a PNG that hold anything but its picture. */
const PNG_TEXTS = /tEXt|zTXt|iTXt|eXIf|tIME/;

/** What of a public answer should be in none: the text itself, or null. */
export function privateText(stack: Stack, bytes: Buffer | string, type = "text"): string | null {
  const text = Buffer.from(bytes).toString("latin1");
  for (const secret of ["shop@example.com", stack.testKey]) if (text.includes(secret)) return secret;
  // What NEVER looks for may stand in compressed pixels by chance; a picture's texts may not stand there at all.
  return (type === "image/png" ? PNG_TEXTS : NEVER).exec(text)?.[0] ?? null;
}
