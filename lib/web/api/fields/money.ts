import { z } from "@hono/zod-openapi";
import { parseAmount } from "#lib/platform/money/amount.ts";
import { MAX_WHOLE } from "#lib/platform/money/currency-amount.ts";
import { isTokenCode, TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import type { ApiReason } from "../errors.ts";
import { apiReason, customField, type FieldResult, fieldText } from "../field-reader.ts";

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
/** The same without a sign and above 0, for the document. Not every language has lookaheads. */
export const ABOVE_ZERO = "^(?:[1-9][0-9]*(?:[.][0-9]+)?|0[.]0*[1-9][0-9]*)(?:[eE][+-]?[0-9]+)?$";

/**
 * A decimal above 0, kept as text. How many decimals it may have depends on the token or currency: see `parseUnits`.
 * The caller adds a description.
 */
export const amountField = customField((value) => readAmountText(fieldText(value))).openapi({
  // A JSON number is accepted too, but a generated client would send a float.
  type: "string",
  pattern: ABOVE_ZERO,
  maxLength: 100,
});

function readAmountText(text: string): FieldResult<string> {
  if (!NUMBER.test(text)) return { ok: false, reason: "not_a_number" };
  const [mantissa = ""] = text.toLowerCase().split("e");
  if (text.startsWith("-") || !/[1-9]/.test(mantissa)) return { ok: false, reason: "amount_not_positive" };
  return { ok: true, value: text };
}

/** The amount of a refund: as `amountField`, or a word. The caller adds a description. */
export const refundAmountField = customField((value) => {
  const text = fieldText(value);
  return text === "all" || text === "excess" ? { ok: true, value: text } : readAmountText(text);
}).openapi({ type: "string", pattern: `^(?:all|excess)$|${ABOVE_ZERO}`, maxLength: 100 });

/** Converts the text of an `amountField` to units of 10^-decimals. At most 1e12 whole tokens. */
export function parseUnits(
  text: string,
  decimals: number,
): { ok: true; units: bigint } | { ok: false; reason: ApiReason } {
  const parsed = parseAmount(text, decimals, MAX_WHOLE * 10n ** BigInt(decimals));
  if (parsed.ok) return parsed;
  // The text is a number but longer than any amount: it has too many decimals or is too large.
  const tooLong = /\.|e-/i.test(text) ? "too_many_decimals" : "too_large";
  const problem = parsed.reason === "malformed" ? tooLong : parsed.reason;
  return { ok: false, reason: problem === "too_large" ? "amount_too_large" : "amount_too_many_decimals" };
}

/** The symbol of a token, in upper or lower case. The caller adds a description. */
export const tokenField = z
  .string()
  .transform((text, context): TokenCode => {
    const code = text.toLowerCase();
    if (isTokenCode(code)) return code;
    context.addIssue({ code: "custom", message: apiReason("token_unknown") });
    return z.NEVER;
  })
  .openapi({ type: "string", enum: Object.keys(TOKENS) });
