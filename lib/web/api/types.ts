import type { HttpBindings } from "@hono/node-server";
import type { Logger } from "pino";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { PaymentLinkSettings } from "#lib/domain/payment-links/types.ts";
import type { Rates } from "#lib/domain/rates/types.ts";
import type { Sandbox } from "#lib/domain/sandbox/types.ts";
import type { Database } from "#lib/platform/db/connection.ts";
import type { LogoConverter } from "#lib/platform/pictures/logo-converter.ts";
import type { Secrets } from "#lib/platform/secrets.ts";

/** The bindings of a request of the API in Hono: the request and response of Node. */
export interface ApiEnv {
  readonly Bindings: HttpBindings;
}

/** The dependencies of the API, from the process that serves it. */
export interface ApiServices {
  readonly database: Database;
  readonly networks: NetworkRegistry;
  readonly rates: Rates;
  readonly settings: PaymentLinkSettings;
  readonly log: Logger;
  /** Trusted proxies: addresses and CIDR ranges whose X-Forwarded-For is used. */
  readonly trustedProxies: readonly string[];
  readonly rateLimit: RateLimit;
  /** Limit of what the trading desk may owe the buyers, per token, in whole USD. */
  readonly deskLimitUsd: number;
  /** See BuyDeps. */
  readonly deskSpreadBps: number;
  /** The payer of test links. Null: the sandbox is off. */
  readonly sandbox: Sandbox | null;
  /** Seals and opens webhook secrets. */
  readonly secrets: Secrets;
  /** Addresses and CIDR ranges that webhooks may reach although they are not public. */
  readonly webhookAllowCidrs: readonly string[];
  readonly convertLogo: LogoConverter;
  readonly now?: () => Date;
  /** How long a request waits for an earlier one with its Idempotency-Key. Default: 10 seconds. */
  readonly idempotencyWaitMs?: number;
}

/** Limits per key: `perSecond` requests on average, `burst` at once. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}
