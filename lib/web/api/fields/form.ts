import { z } from "@hono/zod-openapi";
import { OPTIONAL_TERMS } from "#lib/domain/forms/manage-forms.ts";
import { FORM_QUESTIONS } from "#lib/domain/forms/question-rules.ts";
import {
  MAX_DESCRIPTION,
  MAX_FIELDS,
  MAX_LABEL,
  MAX_QUANTITY,
  MAX_STOCK,
  MAX_SUGGESTIONS,
  MAX_TITLE,
} from "#lib/domain/forms/rules.ts";
import type { FormInput } from "#lib/domain/forms/types.ts";
import { CURRENCIES } from "#lib/platform/money/currencies.ts";
import { textList, timestamp, wholeNumber } from "./common.ts";
import { amountField } from "./money.ts";
import { expiresAtField } from "./payment-link.ts";

/** The names of the interface for the members of FormInput. */
const NAMES = {
  title: "title",
  description: "description",
  amount: "amount",
  amount_currency: "currency",
  minimum_amount: "minimumAmount",
  maximum_amount: "maximumAmount",
  suggested_amounts: "suggestedAmounts",
  ask: "ask",
  fields: "fields",
  max_quantity: "maxQuantity",
  stock: "stock",
  total_limit: "totalLimit",
  payment_reference: "paymentReference",
  success_url: "successUrl",
  cancel_url: "cancelUrl",
  expires_at: "expiresAt",
} as const satisfies Record<string, keyof FormInput>;

const CLEARABLE = Object.entries(NAMES).flatMap(([name, member]) =>
  (OPTIONAL_TERMS as readonly string[]).includes(member) ? [name] : [],
);

const url = (description: string) => z.string().openapi({ format: "uri", description });

const changeable = {
  description: z
    .string()
    .openapi({ description: `Plain text, at most ${MAX_DESCRIPTION} characters.`, example: "Size M." }),
  amount: amountField.openapi({
    description: "The price of one unit. Without it, the payer chooses the amount.",
    example: "38250",
  }),
  minimum_amount: amountField.openapi({
    description: "Least amount that a payer can choose.",
    example: "500",
  }),
  maximum_amount: amountField.openapi({ description: "Most that a payer can choose.", example: "500000" }),
  suggested_amounts: textList(
    {},
    `At most ${MAX_SUGGESTIONS} amounts that the page offers where the payer chooses.`,
  ),
  ask: textList(
    { enum: [...FORM_QUESTIONS] },
    "What the payer is asked. All of it is required, except the note. Default: email and name.",
  ),
  fields: textList(
    {},
    `Labels of at most ${MAX_FIELDS} questions of your own, of at most ${MAX_LABEL} characters each. Answers are required.`,
  ),
  max_quantity: wholeNumber(
    1,
    MAX_QUANTITY,
    "Most units in one payment. Default: 1, which the page does not ask.",
  ),
  stock: wholeNumber(0, MAX_STOCK, "Units that can be sold in all."),
  total_limit: amountField.openapi({ description: "What the form may take in all.", example: "5000000" }),
  payment_reference: z.string().openapi({
    description:
      "1 to 20 letters and digits: the reference of every link. Default: the beginning of the form's identifier.",
    example: "SUMMERSALE",
  }),
  success_url: url("Where a payer continues after the payment. Default: the form's page."),
  cancel_url: url("Where a payer goes back to. Default: the form's page."),
  expires_at: expiresAtField("From then on the form is closed. UTC unless it has a time zone."),
};

const title = z
  .string()
  .openapi({ description: `At most ${MAX_TITLE} characters.`, example: "Summer sale T-shirt" });

const optional = <Shape extends Record<string, z.ZodType>>(shape: Shape) =>
  Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, field.optional()])) as {
    [Name in keyof Shape]: z.ZodOptional<Shape[Name]>;
  };

/** The body of POST /forms. The domain checks the values. */
export const newFormBody = z.object({
  title,
  ...optional(changeable),
  amount_currency: z
    .string()
    .optional()
    .openapi({ enum: Object.keys(CURRENCIES), description: "Default: `ngn`.", example: "ngn" }),
});

/** The body of PATCH /forms/:form. */
export const formChangesBody = z.object({
  title: title.optional(),
  ...optional(changeable),
  clear: textList(
    { enum: CLEARABLE },
    "Names of fields to remove, such as `stock` or `expires_at`.",
  ).optional(),
});

type Body = Partial<Record<keyof typeof NAMES, unknown>> & { readonly clear?: readonly string[] | undefined };

/** The given fields with the names of the domain. null if `clear` has a name that cannot be removed. */
export function toFormInput(body: Body): Partial<FormInput> | null {
  const input: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(NAMES)) {
    const value = body[name as keyof typeof NAMES];
    if (value !== undefined) input[member] = name === "amount_currency" ? String(value).toLowerCase() : value;
  }
  for (const name of body.clear ?? []) {
    if (!CLEARABLE.includes(name)) return null;
    input[NAMES[name as keyof typeof NAMES]] = null;
  }
  return input;
}

const decimal = z.number().nullable();

/** A form of a response: formRecord. */
export const formData = z
  .object({
    form: z.string().openapi({ description: "Identifier of the form." }),
    form_url: z.string().openapi({ description: "Address of its page." }),
    title: z.string(),
    description: z.string().nullable(),
    picture_url: z.string().nullable().openapi({ description: "WebP. The operator sets it with a command." }),
    amount: decimal.openapi({ description: "null: the payer chooses it." }),
    amount_currency: z.string().openapi({ description: "Currency code, lower case." }),
    minimum_amount: decimal,
    maximum_amount: decimal,
    suggested_amounts: z.array(z.number()),
    ask: z.array(z.string()),
    fields: z.array(z.string()),
    max_quantity: z.number().int(),
    stock: z.number().int().nullable(),
    total_limit: decimal,
    taken_quantity: z.number().int().openapi({
      description:
        "Units of the links that are paid or can still be. A link that expires or fails gives them back.",
    }),
    taken_amount: z.number().openapi({ description: "The amount of the same links." }),
    payment_reference: z.string(),
    success_url: z.string().nullable(),
    cancel_url: z.string().nullable(),
    expires_at: timestamp.nullable(),
    archived_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .openapi("Form");
