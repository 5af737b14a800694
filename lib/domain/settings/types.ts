import type { networkSettings, tokenSettings } from "./tables.ts";

/** The settings of a network in an environment. */
export type NetworkSettings = typeof networkSettings.$inferSelect;
/**
 * The settings of a token in an environment. Amounts are in ledger units of the token, `minimumFee` in ledger units of
 * USDT.
 */
export type TokenSettings = typeof tokenSettings.$inferSelect;

/** The part that a buy needs. */
export type TradeSettings = Pick<
  TokenSettings,
  "status" | "buy" | "minimumTrade" | "maximumTrade" | "minimumFee"
>;

/** The availability of a network or of a token. `minimum` is a token's smallest amount in ledger units, as text. */
export interface AvailabilityRow {
  readonly kind: "network" | "token";
  readonly name: string;
  readonly available: boolean;
  readonly minimum: string | null;
}

/** The networks and tokens that can be received in an environment. */
export interface Availability {
  /** Networks that are enabled, can receive, and can allocate addresses. */
  readonly networks: ReadonlySet<string>;
  /** Tokens that are enabled and can be received. */
  readonly tokens: ReadonlySet<string>;
  /** The smallest amount of each token that a payment link can ask for, in ledger units. */
  readonly minimums: ReadonlyMap<string, bigint>;
}
