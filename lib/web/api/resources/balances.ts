import { z } from "@hono/zod-openapi";
import { getMerchantBalances } from "#lib/domain/ledger/list-balances.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { askingEndpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { failure } from "../errors.ts";
import { tokenField } from "../fields/money.ts";
import { type JsonValue, toJsonNumber } from "../json-text.ts";

const moment = z.string().openapi({ format: "date-time" });
const CODES = Object.keys(TOKENS) as TokenCode[];

/** Is it the merchant's own address, however it is written? */
export function isMerchantEmail(given: string | undefined, merchant: { readonly email: string }): boolean {
  return given === undefined || given.toLowerCase() === merchant.email.toLowerCase();
}

export const merchantEmailField = z
  .string()
  .openapi({ format: "email", description: "The merchant's own.", example: "owner@shop.example.com" });

/** Endpoint 10. */
const balances = askingEndpoint(
  {
    method: "post",
    path: "/balances",
    operationId: "getBalances",
    tag: "Balances",
    summary: "What the merchant can spend of each token",
    description: "What is reserved for withdrawals is not in it.",
    scopes: ["read"],
    body: () =>
      z.object({
        email: merchantEmailField.optional(),
        token: tokenField.optional().openapi({ description: "Only this one.", example: "btc" }),
      }),
    data: z.object({
      balance: z
        .object({
          id: z.number().int(),
          ...Object.fromEntries(
            CODES.map((code) => [
              code,
              z
                .number()
                .optional()
                .openapi({
                  description: `${TOKENS[code].name}, whole tokens. Absent when another token was asked for.`,
                }),
            ]),
          ),
          created_at: moment,
          updated_at: moment,
          deleted_at: z.null(),
        })
        .openapi("Balance"),
    }),
    errors: ["email_not_merchants", "token_unknown", "not_a_string"],
  },
  async ({ api, caller, input }) => {
    const { merchant, env } = caller;
    if (!isMerchantEmail(input.email, merchant)) return failure("email_not_merchants");
    const { units, updatedAt } = await getMerchantBalances(api.database.db, env, merchant.id);
    const shown = input.token === undefined ? CODES : [input.token];
    const amounts = shown.map((code): [TokenCode, JsonValue] => [
      code,
      toJsonNumber(units.get(code) ?? 0n, TOKENS[code].ledgerDecimals),
    ]);
    return success("balances retrieved successfully", {
      balance: {
        id: merchant.id,
        ...Object.fromEntries(amounts),
        created_at: merchant.createdAt,
        updated_at: updatedAt ?? merchant.createdAt,
        deleted_at: null,
      },
    });
  },
);

export const balanceEndpoints = [balances];
