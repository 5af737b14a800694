import { z } from "@hono/zod-openapi";
import { LINK_PAIRS, pairCode } from "#lib/chains/networks.ts";
import { ROLES } from "#lib/domain/authority/role-rules.ts";
import { listMembers } from "#lib/domain/members/queries.ts";
import { MOST_MISSING } from "#lib/domain/merchants/schema.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import { type ProfileChanges, updateMerchant } from "#lib/domain/merchants/update-merchant.ts";
import { merchantPairs } from "#lib/domain/payment-links/availability-rules.ts";
import { endpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { failure } from "../errors.ts";
import { flag, flagField, textList, timestamp, wholeNumber } from "../fields/common.ts";
import { authorityOf, perform } from "../perform.ts";

const tag = "Merchant";
const PAIR_CODES = LINK_PAIRS.map(pairCode);
/** Fields that a merchant can be without. */
const CLEARABLE = ["support", "accent", "fixed_rates", "pairs", "tolerance_under_max"] as const;
type Clearable = (typeof CLEARABLE)[number];

/** The names of the interface for what merchants change, without the logo. */
const NAMES = {
  name: "name",
  support: "support",
  accent: "accent",
  late_policy: "latePolicy",
  tolerance_under_bps: "toleranceUnderBps",
  tolerance_under_max: "toleranceUnderMax",
  tolerance_over_bps: "toleranceOverBps",
  round_stablecoins: "roundStablecoins",
  rate_markup_bps: "rateMarkupBps",
  fixed_rates: "fixedRates",
  pairs: "paymentPairs",
  allow_origins: "allowOrigins",
} as const satisfies Record<string, keyof ProfileChanges>;

const bps = (maximum: number, description: string) =>
  z
    .number()
    .int()
    .openapi({ description: `${description}, 0 to ${maximum} basis points.`, example: 0 });

const merchantData = z
  .object({
    email: z.string(),
    name: z.string().openapi({ example: "Kaduna Coffee" }),
    support: z.string().nullable().openapi({
      description: "E-mail address, https URL or telephone number for help to customers.",
      example: "help@shop.example.com",
    }),
    accent: z.string().nullable().openapi({ description: "Color of the page.", example: "#c81e1e" }),
    logo: z.string().nullable().openapi({ description: "SHA-256 of the logo, in hex.", example: null }),
    late_policy: z.enum(["hold", "accept"]),
    tolerance_under_bps: bps(9_999, "What may be missing"),
    tolerance_under_max: z.number().int().nullable().openapi({
      description:
        "The most that may be missing, in whole units of the link's currency; null: no limit but the basis points.",
      example: 1,
    }),
    tolerance_over_bps: bps(10_000, "What may be too much"),
    round_stablecoins: flag("1: amounts of stablecoins that payers are asked for are rounded up to a cent."),
    rate_markup_bps: bps(10_000, "What is added to each rate"),
    fixed_rates: z.string().nullable().openapi({
      description: "Rates instead of the market's.",
      example: "usdt/ngn=1600",
    }),
    pairs: z.array(z.string()).openapi({
      description: "Networks and tokens that links offer, in their order.",
      example: ["bep20/usdt"],
    }),
    allow_origins: z.array(z.string()).openapi({
      description: "Web origins that may frame the page.",
      example: ["https://shop.example.com"],
    }),
    updated_at: timestamp,
  })
  .openapi("Merchant");

const changesBody = z.object({
  name: z.string().openapi({ description: "1 to 200 characters.", example: "Kaduna Coffee" }).optional(),
  support: z
    .string()
    .openapi({
      description: "E-mail address, https URL or telephone number.",
      example: "help@shop.example.com",
    })
    .optional(),
  accent: z.string().openapi({ description: "A color.", example: "#c81e1e" }).optional(),
  late_policy: z
    .string()
    .openapi({ enum: ["hold", "accept"], example: "hold" })
    .optional(),
  tolerance_under_bps: wholeNumber(0, 9_999, "What may be missing, in basis points.").optional(),
  tolerance_under_max: wholeNumber(
    0,
    MOST_MISSING,
    "The most that may be missing, in whole units of the link's currency.",
  ).optional(),
  tolerance_over_bps: wholeNumber(0, 10_000, "What may be too much, in basis points.").optional(),
  round_stablecoins: flagField("1: amounts of stablecoins are rounded up to a cent.").optional(),
  rate_markup_bps: wholeNumber(0, 10_000, "What is added to each rate, in basis points.").optional(),
  fixed_rates: z
    .string()
    .openapi({ description: "Rates instead of the market's.", example: "usdt/ngn=1600,btc/usd=60000" })
    .optional(),
  pairs: textList({ enum: PAIR_CODES }, "Networks and tokens that links offer, in their order.").optional(),
  allow_origins: textList({}, "Web origins that may frame the page, at most 50.").optional(),
  clear: textList({ enum: [...CLEARABLE] }, "Fields to be without.").optional(),
});

function merchantToJson(merchant: Merchant) {
  return {
    email: merchant.email,
    name: merchant.name,
    support: merchant.support,
    accent: merchant.accent,
    logo: merchant.logo,
    late_policy: merchant.latePolicy,
    tolerance_under_bps: merchant.toleranceUnderBps,
    tolerance_under_max: merchant.toleranceUnderMax,
    tolerance_over_bps: merchant.toleranceOverBps,
    round_stablecoins: Number(merchant.roundStablecoins),
    rate_markup_bps: merchant.rateMarkupBps,
    fixed_rates: merchant.fixedRates,
    pairs: merchantPairs(merchant).map(pairCode),
    allow_origins: merchant.allowOrigins,
    updated_at: merchant.updatedAt,
  };
}

export const getMerchantEndpoint = endpoint(
  {
    method: "get",
    path: "/merchant",
    operationId: "getMerchant",
    tag,
    summary: "Get the merchant's settings",
    description: "They are the same for live and test.",
    auth: ["read", "settings"],
    action: "settings.view",
    message: "merchant retrieved successfully",
    data: merchantData,
    errors: [],
  },
  async ({ caller }) => success(merchantToJson(caller.merchant)),
);

/** The changes that the request asks for. null if `clear` names an unknown field. */
function toChanges({ clear = [], ...given }: z.output<typeof changesBody>): ProfileChanges | null {
  const isClearable = (name: string): name is Clearable => (CLEARABLE as readonly string[]).includes(name);
  if (!clear.every(isClearable)) return null;
  const entries = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[NAMES[name as keyof typeof NAMES], value] as const],
  );
  // The rules of the merchant's fields (schema.ts) check the values.
  return Object.fromEntries([...entries, ...clear.map((name) => [NAMES[name as Clearable], null] as const)]);
}

const refused = (name: keyof typeof NAMES) => failure("setting_malformed", name);

/** The answer for a refused field has its name in the interface. */
const REFUSED_FIELDS = {
  invalid_name: refused("name"),
  invalid_support: refused("support"),
  invalid_accent: refused("accent"),
  invalid_latePolicy: refused("late_policy"),
  invalid_toleranceUnderBps: refused("tolerance_under_bps"),
  invalid_toleranceUnderMax: refused("tolerance_under_max"),
  invalid_toleranceOverBps: refused("tolerance_over_bps"),
  invalid_roundStablecoins: refused("round_stablecoins"),
  invalid_rateMarkupBps: refused("rate_markup_bps"),
  invalid_fixedRates: refused("fixed_rates"),
  invalid_paymentPairs: refused("pairs"),
  invalid_allowOrigins: refused("allow_origins"),
} as const;

async function change(call: Parameters<typeof perform>[1], changes: ProfileChanges) {
  const changed = await perform(updateMerchant, call, changes, REFUSED_FIELDS);
  return changed.ok ? success(merchantToJson(changed.merchant)) : changed;
}

export const updateMerchantEndpoint = endpoint(
  {
    method: "patch",
    path: "/merchant",
    operationId: "updateMerchant",
    tag,
    summary: "Change the merchant's settings",
    description: "Changes the given fields, for live and test. `clear` removes fields.",
    ...authorityOf("merchant.update"),
    body: () => changesBody,
    message: "merchant updated successfully",
    data: merchantData,
    errors: [
      "not_a_string",
      "not_a_number",
      "not_a_flag",
      "not_a_list",
      "setting_malformed",
      "clear_unknown",
      "nothing_to_change",
    ],
  },
  async ({ input, ...call }) => {
    const changes = toChanges(input);
    if (changes === null) return failure("clear_unknown");
    if (Object.keys(changes).length === 0) return failure("nothing_to_change");
    return change(call, changes);
  },
);

export const setLogoEndpoint = endpoint(
  {
    method: "post",
    path: "/merchant/logo",
    operationId: "setLogo",
    tag,
    summary: "Set the logo of the payment page",
    description: "A picture of at most 48 kB. The console takes larger ones.",
    ...authorityOf("merchant.update"),
    body: () =>
      z.object({
        logo: z.string().openapi({ description: "PNG, JPEG or WebP in base64.", example: "iVBORw0KGgo=" }),
      }),
    message: "logo updated successfully",
    data: merchantData,
    errors: ["not_a_string", "picture_malformed", "picture_busy", "setting_malformed"],
  },
  async ({ input, ...call }) => {
    const { api, caller } = call;
    const converted = await api.convertLogo(Buffer.from(input.logo, "base64"), caller.merchant.id);
    if (!converted.ok)
      return failure(converted.reason === "picture_busy" ? "picture_busy" : "picture_malformed");
    return change(call, { logo: converted.picture });
  },
);

export const removeLogoEndpoint = endpoint(
  {
    method: "delete",
    path: "/merchant/logo",
    operationId: "removeLogo",
    tag,
    summary: "Remove the logo of the payment page",
    description: "The page then shows the first letter of the name.",
    ...authorityOf("merchant.update"),
    message: "logo removed successfully",
    data: merchantData,
    errors: ["setting_malformed"],
  },
  async (call) => change(call, { logo: null }),
);

export const listMembersEndpoint = endpoint(
  {
    method: "get",
    path: "/members",
    operationId: "listMembers",
    tag,
    summary: "List the people who work for the merchant in the console",
    description: "By name. People are invited in the console.",
    auth: ["settings"],
    action: "members.view",
    message: "members retrieved successfully",
    data: z.array(
      z
        .object({
          name: z.string().openapi({ example: "Ada Obi" }),
          email: z.string(),
          role: z.enum(ROLES).openapi({ example: "owner" }),
          since: timestamp,
        })
        .openapi("Member"),
    ),
    errors: [],
  },
  async ({ api, caller }) => {
    const members = await listMembers(api.database.db, caller.merchant.id);
    return success(members.map(({ name, email, role, createdAt: since }) => ({ name, email, role, since })));
  },
);
