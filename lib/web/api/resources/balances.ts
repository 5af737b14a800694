import { z } from "@hono/zod-openapi";
import { merchantBalances } from "#lib/domain/ledger/list-balances.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { askingEndpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { failure } from "../errors.ts";
import { exactNumber, type Json } from "../json-text.ts";
import { tokenSymbol } from "./money-fields.ts";

const moment = z.string().openapi({ format: "date-time" });
const CODES = Object.keys(TOKENS) as TokenCode[];

/** Is it the merchant's own address, however it is written? */
export function isOwnEmail(given: string | undefined, merchant: { readonly email: string }): boolean {
  return given === undefined || given.toLowerCase() === merchant.email.toLowerCase();
}

export const ownEmail = z
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
        email: ownEmail.optional(),
        token: tokenSymbol.optional().openapi({ description: "Only this one.", example: "btc" }),
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
  async ({ edge, caller, input }) => {
    const { merchant, env } = caller;
    if (!isOwnEmail(input.email, merchant)) return failure("email_not_merchants");
    const { units, updatedAt } = await merchantBalances(edge.database.db, env, merchant.id);
    const shown = input.token === undefined ? CODES : [input.token];
    const amounts = shown.map((code): [TokenCode, Json] => [
      code,
      exactNumber(units.get(code) ?? 0n, TOKENS[code].ledgerDecimals),
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
