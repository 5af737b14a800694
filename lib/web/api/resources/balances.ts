import { z } from "@hono/zod-openapi";
import { getMerchantBalances } from "#lib/domain/ledger/queries.ts";
import { type JsonValue, toJsonNumber } from "#lib/platform/json-text.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { endpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { failure } from "../errors.ts";
import { neverDeleted, timestamp } from "../fields/common.ts";
import { isMerchantEmail, merchantEmailField } from "../fields/customer.ts";
import { tokenField } from "../fields/money.ts";

const CODES = Object.keys(TOKENS) as TokenCode[];

/** Endpoint 10. */
export const getBalancesEndpoint = endpoint(
  {
    method: "post",
    path: "/balances",
    operationId: "getBalances",
    tag: "Balances",
    summary: "Get the available balance of each token",
    description: "Amounts reserved for withdrawals are not included.",
    auth: ["read"],
    action: "money.view",
    body: () =>
      z.object({
        email: merchantEmailField.optional(),
        token: tokenField.optional().openapi({ description: "Only this token.", example: "btc" }),
      }),
    message: "balances retrieved successfully",
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
                  example: 0,
                  description: `${TOKENS[code].name}, whole tokens. Absent if another token was requested.`,
                }),
            ]),
          ),
          created_at: timestamp,
          updated_at: timestamp,
          deleted_at: neverDeleted,
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
    return success({
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
