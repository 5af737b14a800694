import type { TokenCode } from "#lib/platform/money/tokens.ts";
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

/** What is wrong with a token's settings as they would be; null: nothing. */
export function checkTokenSettings(settings: Limits): TokenSettingsProblem | null {
  const { minimumTrade, maximumTrade, minimumSend, maximumSend, minimumReceive, maximumReceive } = settings;
  const least = [minimumTrade, minimumSend, minimumReceive, settings.sendFee, settings.minimumFee];
  if (least.some((amount) => amount < 0n)) return "negative_amount";
  if (minimumTrade > maximumTrade) return "trade_limits_crossed";
  if (minimumSend > maximumSend) return "send_limits_crossed";
  if (minimumReceive > maximumReceive) return "receive_limits_crossed";
  // Buys are paid with it.
  return settings.token === "usdt" && settings.buy ? "usdt_cannot_be_bought" : null;
}

/** Gathers the rows of one environment into what can be asked of them. */
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

/** Least amount of a token that a payment link may ask for, ledger units. */
export function getMinimumAmount({ minimums }: Availability, token: TokenCode): bigint {
  const minimum = minimums.get(token);
  if (minimum === undefined) throw new Error(`no settings of ${token}`);
  return minimum;
}

/** Does the operator let new addresses of this network be given out, to be paid in this token? */
export function isAvailable(
  openings: Availability,
  pair: { readonly network: string; readonly token: TokenCode },
): boolean {
  return openings.networks.has(pair.network) && openings.tokens.has(pair.token);
}
