import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import type { Availability, AvailabilityRow, TokenSettings } from "./types.ts";

type Limits = Pick<
  TokenSettings,
  | "token"
  | "buy"
  | "minimumTrade"
  | "maximumTrade"
  | "minimumSend"
  | "maximumSend"
  | "minimumReceive"
  | "maximumReceive"
  | "sendFee"
  | "minimumFee"
>;

export type TokenSettingsProblem =
  | "negative_amount"
  | "trade_limits_crossed"
  | "send_limits_crossed"
  | "receive_limits_crossed"
  | "usdt_cannot_be_bought";

/** Amounts of a token's settings, with the decimals of the token: all but the fee of buys, which is in USDT. */
export const TOKEN_AMOUNTS = [
  "minimumTrade",
  "maximumTrade",
  "minimumSend",
  "maximumSend",
  "minimumReceive",
  "maximumReceive",
  "sendFee",
  "minimumFee",
] as const;

/** Decimals of an amount in a token's settings. */
export function amountDecimals(token: TokenCode, name: string): number {
  return TOKENS[name === "minimumFee" ? "usdt" : token].ledgerDecimals;
}

/** The first rule that a token's new settings break, or null. */
export function checkTokenSettings(settings: Limits): TokenSettingsProblem | null {
  const { minimumTrade, maximumTrade, minimumSend, maximumSend, minimumReceive, maximumReceive } = settings;
  const least = [minimumTrade, minimumSend, minimumReceive, settings.sendFee, settings.minimumFee];
  if (least.some((amount) => amount < 0n)) return "negative_amount";
  if (minimumTrade > maximumTrade) return "trade_limits_crossed";
  if (minimumSend > maximumSend) return "send_limits_crossed";
  if (minimumReceive > maximumReceive) return "receive_limits_crossed";
  // Merchants pay for buys with USDT.
  return settings.token === "usdt" && settings.buy ? "usdt_cannot_be_bought" : null;
}

/** Builds the availability of one environment from its rows. */
export function buildAvailability(rows: readonly AvailabilityRow[]): Availability {
  return {
    networks: new Set(
      rows.flatMap(({ kind, name, available }) => (kind === "network" && available ? name : [])),
    ),
    tokens: new Set(rows.flatMap(({ kind, name, available }) => (kind === "token" && available ? name : []))),
    minimums: new Map(
      rows.flatMap(({ kind, name, minimum }) =>
        kind === "token" && minimum !== null ? [[name, BigInt(minimum)]] : [],
      ),
    ),
  };
}

/** The smallest amount of a token that a payment link can ask for, in ledger units. */
export function getMinimumAmount({ minimums }: Availability, token: TokenCode): bigint {
  const minimum = minimums.get(token);
  if (minimum === undefined) throw new Error(`there are no settings of ${token}`);
  return minimum;
}

/** True if new addresses of the network can be allocated for payments in the token. */
export function isAvailable(
  availability: Availability,
  pair: { readonly network: string; readonly token: TokenCode },
): boolean {
  return availability.networks.has(pair.network) && availability.tokens.has(pair.token);
}
