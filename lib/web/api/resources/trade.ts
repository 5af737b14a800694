import { z } from "@hono/zod-openapi";
import { buyToken, recordRefusedBuy } from "#lib/domain/ledger/buy-token.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { endpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { failure } from "../errors.ts";
import { noData } from "../fields/common.ts";
import { amountField, parseUnits, tokenField } from "../fields/money.ts";

/** Endpoint 20. */
export const buyTokenEndpoint = endpoint(
  {
    method: "post",
    path: "/trade/buy",
    operationId: "buyToken",
    tag: "Trading",
    summary: "Buy a token with the merchant's USDT",
    description:
      "The price is that of `GET /tokens`; 1 USDT counts as 1 USD. The fee is charged in USDT in addition to the cost. " +
      "Either everything is booked or nothing. No webhook is sent: see balances and history.",
    auth: [],
    // It spends the balance, as a withdrawal does.
    action: "withdrawals.create",
    body: () =>
      z.object({
        amount: amountField.openapi({
          description:
            "Whole tokens to buy, with at most the token's decimals. Read exactly, never as a float.",
          example: "0.005",
        }),
        token: tokenField.openapi({ example: "btc" }),
      }),
    idempotent: true,
    message: "buy completed successfully",
    data: noData,
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
      "usdt_off_dollar",
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
    const { database, rates, deskLimitUsd, deskSpreadBps } = api;
    const deps = { db: database.db, rates, deskLimitUsd, deskSpreadBps };
    const result = await buyToken(db, deps, order, now);
    if (result.ok) return success(null);
    afterwards(() => recordRefusedBuy(database.db, order, result.reason, now));
    return "limit" in result ? failure(result.reason, result.limit) : failure(result.reason);
  },
);
