import type { Logger } from "pino";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { PaymentLinkSettings } from "#lib/domain/payment-links/types.ts";
import type { Rates } from "#lib/domain/rates/types.ts";
import type { Sandbox } from "#lib/domain/sandbox/types.ts";
import type { Database } from "#lib/platform/db/connection.ts";

/** What the edge is given by the process that serves it. */
export interface ApiServices {
  readonly database: Database;
  readonly networks: NetworkRegistry;
  readonly rates: Rates;
  readonly settings: PaymentLinkSettings;
  readonly log: Logger;
  /** Addresses and CIDRs whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly rateLimit: RateLimit;
  /** How much of each token the desk may owe those who bought it, in whole USD. */
  readonly deskLimitUsd: number;
  /** null: off. */
  readonly sandbox: Sandbox | null;
  readonly now?: () => Date;
}

/** Per key: `perSecond` requests in the long run, `burst` at once. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}
