import { z } from "@hono/zod-openapi";
import { PERCENTAGE_DECIMALS, parsePercentage, percentageFee } from "#lib/domain/ledger/fee-rules.ts";
import { toJsonNumber } from "#lib/platform/json-text.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { endpoint } from "../../endpoint.ts";
import { success } from "../../envelope.ts";
import { failure } from "../../errors.ts";
import { amountField, parseUnits, tokenField } from "../../fields/money.ts";

/** Endpoint 9. */
export const getTransactionFeeEndpoint = endpoint(
  {
    method: "get",
    path: "/transaction/fee",
    operationId: "getTransactionFee",
    tag: "Transactions",
    summary: "Get the merchant's fee rate, and the fee for an amount",
    description:
      "A fee is charged in the token of the trade or withdrawal. A buy costs at least the token's minimum fee, a " +
      "withdrawal at least its `send_fee`.",
    auth: ["read"],
    action: "payments.view",
    query: z.object({
      token: tokenField.optional().openapi({ default: "usdt", description: "Upper or lower case." }),
      amount: amountField.optional().openapi({
        description:
          "Whole tokens, with at most the token's decimals. If it is given, the response has `fee`.",
        example: "150.5",
      }),
    }),
    message: "fee retrieved successfully",
    data: z
      .object({
        percentage: z.number().openapi({ description: "Percent.", example: 1 }),
        symbol: z.string().openapi({ example: "usdt" }),
        fee: z.number().optional().openapi({
          description: "Fee for the amount, in whole tokens, rounded up to the token's smallest unit.",
          example: 1.505,
        }),
      })
      .openapi("FeeQuote"),
    errors: [
      "token_unknown",
      "not_a_number",
      "amount_not_positive",
      "amount_too_many_decimals",
      "amount_too_large",
    ],
  },
  async ({ caller, input }) => {
    const symbol = input.token ?? "usdt";
    const { feePercentage } = caller.merchant;
    const percentage = toJsonNumber(parsePercentage(feePercentage), PERCENTAGE_DECIMALS);
    if (input.amount === undefined) return success({ percentage, symbol });
    const decimals = TOKENS[symbol].ledgerDecimals;
    const amount = parseUnits(input.amount, decimals);
    if (!amount.ok) return failure(amount.reason);
    const fee = toJsonNumber(percentageFee(amount.units, feePercentage), decimals);
    return success({ percentage, symbol, fee });
  },
);
