import type { networkSettings, tokenSettings } from "./tables.ts";

/** What a network may do in an environment. */
export type NetworkSettings = typeof networkSettings.$inferSelect;
/** What may be done with a token in an environment; amounts in its ledger units, `minimumFee` in those of USDT. */
export type TokenSettings = typeof tokenSettings.$inferSelect;

/** One row of what is open to receive: a network, or a token with its least amount as integer text of its ledger unit. */
export interface AvailabilityRow {
  readonly kind: "network" | "token";
  readonly name: string;
  readonly available: boolean;
  readonly minimum: string | null;
}

/** What the operator lets be received in an environment. */
export interface Availability {
  /** Networks that are on, may receive, and may give out addresses. */
  readonly networks: ReadonlySet<string>;
  /** Tokens that are on and may be received. */
  readonly tokens: ReadonlySet<string>;
  /** Least amount of each token that a payment link may ask for, ledger units. */
  readonly minimums: ReadonlyMap<string, bigint>;
}
