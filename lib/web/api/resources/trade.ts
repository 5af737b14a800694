import { z } from "@hono/zod-openapi";
import { buyToken, recordRefusedBuy } from "#lib/domain/ledger/buy-token.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { creatingEndpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { failure } from "../errors.ts";
import { amountField, parseUnits, tokenField } from "../fields/money.ts";

/** Endpoint 20. */
const buy = creatingEndpoint(
  {
    method: "post",
    path: "/trade/buy",
    operationId: "buyToken",
    tag: "Trading",
    summary: "Buy a token with the merchant's USDT",
    description:
      "At the price of `GET /tokens`, where 1 USDT counts as 1 USD; the fee is taken from USDT on top of the cost. " +
      "All of it is booked at once, or nothing. No webhook is sent: balances and history tell.",
    scopes: [],
    body: () =>
      z.object({
        amount: amountField.openapi({
          type: ["number", "string"],
          description:
            "Whole tokens to buy, with at most the token's decimals. Read exactly, never as a float.",
          example: 0.005,
        }),
        token: tokenField.openapi({ example: "btc" }),
      }),
    data: z.null(),
    errors: [
      "not_a_number",
      "amount_not_positive",
      "not_a_string",
      "token_unknown",
      "amount_too_many_decimals",
      "amount_too_large",
      "buys_disabled",
      "amount_below_trade_minimum",
      "amount_above_trade_maximum",
      "token_data_unavailable",
      "fee_not_below_amount",
      "usdt_balance_too_small",
      "desk_limit_reached",
    ],
  },
  async ({ api, caller, input, now, db, afterwards }) => {
    const { token } = input;
    const amount = parseUnits(input.amount, TOKENS[token].ledgerDecimals);
    if (!amount.ok) return failure(amount.reason);
    const { env, merchant } = caller;
    const { id: merchantId, feePercentage } = merchant;
    const order = { env, merchantId, feePercentage, token, amount: amount.units };
    const { database, rates, deskLimitUsd } = api;
    const bought = await buyToken(db, { db: database.db, rates, deskLimitUsd }, order, now);
    if (bought.ok) return success("buy completed successfully", null);
    afterwards(() => recordRefusedBuy(database.db, order, bought.reason, now));
    return "limit" in bought ? failure(bought.reason, bought.limit) : failure(bought.reason);
  },
);

export const tradeEndpoints = [buy];
