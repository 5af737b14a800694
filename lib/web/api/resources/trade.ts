import { z } from "@hono/zod-openapi";
import { buyToken, recordRefusedBuy } from "#lib/domain/ledger/buy-token.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { endpoint, type MerchantCall } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { failure } from "../errors.ts";
import { noData } from "../fields/common.ts";
import { amountField, parseUnits, tokenField } from "../fields/money.ts";
import { authorityOf, performAsProgram, programActOf } from "../perform.ts";

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
    ...authorityOf("trade.buy"),
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
  async ({ input, ...call }) => {
    const read = readBuy(call, input);
    if (!read.ok) return failure(read.reason);
    const result = await performAsProgram(buyToken, call, read);
    if (result.ok) return success(null);
    const refused = { ...programActOf(call), db: call.api.database.db };
    call.afterwards(() => recordRefusedBuy(refused, read.order, result.reason));
    return "limit" in result ? failure(result.reason, result.limit) : failure(result.reason);
  },
  async ({ input, ...call }, once) => {
    const read = readBuy(call, input);
    return read.ok && (await performAsProgram(buyToken, call, { ...read, once })).ok;
  },
);

type BuyInput = { readonly token: TokenCode; readonly amount: string };

function readBuy({ api, caller }: Pick<MerchantCall<string>, "api" | "caller">, input: BuyInput) {
  const { database, rates, deskLimitUsd, deskSpreadBps } = api;
  const amount = parseUnits(input.amount, TOKENS[input.token].ledgerDecimals);
  if (!amount.ok) return amount;
  const { feePercentage } = caller.merchant;
  const order = { feePercentage, token: input.token, amount: amount.units };
  return { ok: true, order, deps: { db: database.db, rates, deskLimitUsd, deskSpreadBps } } as const;
}
