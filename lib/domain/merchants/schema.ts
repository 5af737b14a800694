import * as z from "zod";
import { findLinkPair } from "#lib/chains/networks.ts";
import { isFiatCurrency, parseFixedRates } from "#lib/domain/rates/rules.ts";
import { findUrlProblem } from "#lib/platform/http/outward-url.ts";
import { findTimeZone } from "#lib/platform/time-zone.ts";
import { isColor } from "./accent-rules.ts";
import { supportLink } from "./support-rules.ts";

/** The largest limit of what may be missing, in whole units of a currency. */
export const MOST_MISSING = 999_999_999;

const bps = (maximum: number) => z.number().int().min(0).max(maximum);

function isWebUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return ["http:", "https:"].includes(protocol) && username === "" && password === "";
}

/** One rule per field that an operator can set. A refusal names the key. */
const merchantFields = {
  email: z.email().max(254),
  /** One line that the database can store: no control characters, no half of a character. */
  name: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text)),
  webhookUrl: z
    .string()
    .max(2_000)
    .refine((text) => findUrlProblem(text) === null)
    .nullable(),
  latePolicy: z.enum(["hold", "accept"]),
  /** Percent, at most four decimals, 0 to 100. */
  feePercentage: z
    .string()
    .regex(/^(0|[1-9][0-9]?|100)(\.[0-9]{1,4})?$/)
    .refine((text) => Number(text) <= 100),
  toleranceUnderBps: bps(9_999),
  toleranceUnderMax: z.number().int().min(0).max(MOST_MISSING).nullable(),
  toleranceOverBps: bps(10_000),
  roundStablecoins: z.boolean(),
  rateMarkupBps: bps(10_000),
  fixedRates: z
    .string()
    .refine((text) => parseFixedRates(text).ok)
    .nullable(),
  paymentPairs: z
    .array(z.string().refine((code) => findLinkPair(code) !== null))
    .min(1)
    .refine((codes) => new Set(codes).size === codes.length)
    .nullable(),
  allowOrigins: z.array(z.string().refine((text) => isWebUrl(text) && new URL(text).origin === text)).max(50),
  accent: z.string().refine(isColor).nullable(),
  support: z
    .string()
    .refine((text) => supportLink(text) !== null)
    .nullable(),
  timeZone: z.string().refine((text) => findTimeZone(text) === text),
  displayCurrency: z.string().refine(isFiatCurrency),
  status: z.enum(["active", "disabled"]),
};

type MerchantField = keyof typeof merchantFields;

/** The first field of `values` that breaks its rule, or null. */
export function findInvalidField<Field extends MerchantField>(
  values: {
    readonly [Name in Field]?: unknown;
  },
): `invalid_${Field}` | null {
  for (const field of Object.keys(merchantFields) as Field[]) {
    const value = values[field];
    if (value !== undefined && !merchantFields[field].safeParse(value).success) return `invalid_${field}`;
  }
  return null;
}
