import { z } from "@hono/zod-openapi";
import { parseAmount } from "#lib/platform/money/amount.ts";
import { isTokenCode, TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import type { ApiReason } from "../errors.ts";
import { apiReason, customField, fieldText } from "../field-reader.ts";

const MAX_WHOLE = 10n ** 12n;

/** A decimal above 0, as its text: how many decimals it may have depends on what is counted. Describe it further. */
export const amountField = customField((value) => {
  const text = fieldText(value);
  if (!/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(text))
    return { ok: false, reason: "not_a_number" };
  const [mantissa = ""] = text.toLowerCase().split("e");
  if (text.startsWith("-") || !/[1-9]/.test(mantissa)) return { ok: false, reason: "amount_not_positive" };
  return { ok: true, value: text };
});

/** The units of 10^-decimals that such a text says, at most 1e12 whole ones; or why there are none. */
export function parseUnits(
  text: string,
  decimals: number,
): { ok: true; units: bigint } | { ok: false; reason: ApiReason } {
  const parsed = parseAmount(text, decimals, MAX_WHOLE * 10n ** BigInt(decimals));
  if (parsed.ok) return parsed;
  // A number by its grammar, yet longer than any amount: by its decimals, or by its size.
  const long = /\.|e-/i.test(text) ? "too_many_decimals" : "too_large";
  const problem = parsed.reason === "malformed" ? long : parsed.reason;
  return { ok: false, reason: problem === "too_large" ? "amount_too_large" : "amount_too_many_decimals" };
}

/** One of the fifteen tokens, in either case. Describe it further. */
export const tokenField = z
  .string()
  .transform((text, context): TokenCode => {
    const code = text.toLowerCase();
    if (isTokenCode(code)) return code;
    context.addIssue({ code: "custom", message: apiReason("token_unknown") });
    return z.NEVER;
  })
  .openapi({ type: "string", enum: Object.keys(TOKENS) });
