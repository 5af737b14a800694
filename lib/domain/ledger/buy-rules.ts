import type { Rate } from "#lib/domain/rates/types.ts";
import type { TradeSettings } from "#lib/domain/settings/types.ts";
import { divCeil, formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { feeWithMinimum } from "./fee-rules.ts";
import { PRICE_DECIMALS, parsePriceUnits, USD_DECIMALS, usdValue } from "./value-rules.ts";

export type BuyRefusal =
  | { readonly reason: "amount_below_trade_minimum"; readonly limit: string }
  | { readonly reason: "amount_above_trade_maximum"; readonly limit: string }
  | {
      readonly reason:
        | "buys_disabled"
        | "token_data_unavailable"
        | "usdt_off_dollar"
        | "fee_not_below_amount"
        | "usdt_balance_too_small"
        | "desk_limit_reached"
        | "idempotency_key_in_progress";
    };

export interface BuyTerms {
  readonly settings: TradeSettings;
  /** The merchant's fee, in percent. */
  readonly feePercentage: string;
  /** USD for one whole token, the spread included. Null if there is no fresh price. */
  readonly price: string | null;
  /** USD for one USDT. Null if there is no fresh price. */
  readonly usdtPrice: string | null;
}

/** Prices that are older value no buy: the trading desk would sell at the price of a market that has moved. */
export const DESK_PRICE_AGE_MS = 90_000;
const BPS = 10_000n;
/** How far USDT may be from its dollar, in basis points: a buy counts it as one. */
const MAX_OFF_DOLLAR_BPS = 100n;

/** The rate at which the trading desk sells. Null if it is not fresh. */
export function deskRate(rate: Rate | null, spreadBps: number, now: Date): Rate | null {
  if (rate === null || now.getTime() - rate.at.getTime() > DESK_PRICE_AGE_MS) return null;
  if (spreadBps === 0) return rate;
  const units = divCeil(parsePriceUnits(rate.price) * (BPS + BigInt(spreadBps)), BPS);
  const source = `${rate.source} +${formatAmount(BigInt(spreadBps), 2)}%`;
  return { ...rate, price: formatAmount(units, PRICE_DECIMALS), source };
}

function isOffDollar(usdtPrice: string): boolean {
  const dollar = 10n ** BigInt(PRICE_DECIMALS);
  const off = parsePriceUnits(usdtPrice) - dollar;
  return (off < 0n ? -off : off) * BPS > dollar * MAX_OFF_DOLLAR_BPS;
}

/**
 * Prices a buy of `amount` ledger units, in ledger units of USDT. 1 USDT counts as 1 USD. The cost is
 * ceil(amount × price), and the fee is added to it. Returns the first rule that refuses, in the order of
 * docs/decisions.md.
 */
export function priceBuy(
  token: TokenCode,
  amount: bigint,
  { settings, feePercentage, price, usdtPrice }: BuyTerms,
):
  | { readonly ok: true; readonly cost: bigint; readonly fee: bigint }
  | ({ readonly ok: false } & BuyRefusal) {
  const { status, buy, minimumTrade, maximumTrade, minimumFee } = settings;
  const limit = (units: bigint) => formatAmount(units, TOKENS[token].ledgerDecimals);
  // Merchants pay for buys with USDT.
  if (!status || !buy || token === "usdt") return { ok: false, reason: "buys_disabled" };
  if (amount < minimumTrade)
    return { ok: false, reason: "amount_below_trade_minimum", limit: limit(minimumTrade) };
  if (amount > maximumTrade)
    return { ok: false, reason: "amount_above_trade_maximum", limit: limit(maximumTrade) };
  if (price === null || usdtPrice === null) return { ok: false, reason: "token_data_unavailable" };
  if (isOffDollar(usdtPrice)) return { ok: false, reason: "usdt_off_dollar" };
  const cost = buyCost(token, amount, price);
  const fee = feeWithMinimum(cost, feePercentage, minimumFee);
  return fee < cost ? { ok: true, cost, fee } : { ok: false, reason: "fee_not_below_amount" };
}

/** ceil(amount × price) in ledger units of USDT. */
function buyCost(token: TokenCode, amount: bigint, price: string): bigint {
  const decimals = TOKENS[token].ledgerDecimals + PRICE_DECIMALS;
  const usdt = 10n ** BigInt(TOKENS.usdt.ledgerDecimals);
  return divCeil(amount * parsePriceUnits(price) * usdt, 10n ** BigInt(decimals));
}

/** True if a trading desk debt of `debt` ledger units of a token is worth at most `limitUsd` whole dollars. */
export function isWithinDeskLimit(token: TokenCode, debt: bigint, price: string, limitUsd: number): boolean {
  return usdValue(token, debt, price) <= BigInt(limitUsd) * 10n ** BigInt(USD_DECIMALS);
}
