import type { Logger } from "pino";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { MailConfig } from "#lib/domain/mail/types.ts";
import type { PaymentLinkDeps } from "#lib/domain/payment-links/types.ts";
import type { UsualFees } from "#lib/domain/payment-links/view/usual-fees.ts";
import type { Rates } from "#lib/domain/rates/types.ts";
import type { Sandbox } from "#lib/domain/sandbox/types.ts";
import type { Database } from "#lib/platform/db/connection.ts";
import type { LogoConverter } from "#lib/platform/pictures/logo-converter.ts";
import type { LinkPictures } from "#lib/platform/pictures/types.ts";
import type { Secrets } from "#lib/platform/secrets.ts";
import type { Signer } from "#lib/platform/signed-text.ts";
import type { TryLimit } from "#lib/web/page/try-limit.ts";

/** The settings that the web role uses. */
export interface WebConfig {
  readonly port: number;
  readonly host: string;
  /** Without a trailing slash, like paymentUrl. */
  readonly publicUrl: string;
  readonly paymentUrl: string;
  /** Addresses and CIDR ranges whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  readonly rateLimit: { readonly perSecond: number; readonly burst: number };
  /** Sockets per client address, open at the same time and new within a minute, in this process. */
  readonly socketsPerAddress: number;
  /** How much of each token the trading desk may owe its buyers, in whole USD. */
  readonly deskLimitUsd: number;
  /** See BuyDeps. */
  readonly deskSpreadBps: number;
  /** How long a web process accepts requests after it reports not ready, in seconds. */
  readonly drainSeconds: number;
  /** Token that allows reading /metrics from another machine; null: not allowed. */
  readonly metricsToken: string | null;
  /** The relay of WalletConnect, and the operator's project there; null: off. */
  readonly walletConnect: { readonly url: string; readonly projectId: string } | null;
  /** The settings of mail. Null: no mail is sent. */
  readonly mail: MailConfig | null;
  /** Addresses and CIDR ranges that webhooks may reach although they are not public. */
  readonly webhookAllowCidrs: readonly string[];
  /** URL of the console, "https://pay.example.com/console". null: off. */
  readonly consoleUrl: string | null;
  /** Serves BTCPay's Greenfield protocol to plugins of shops. */
  readonly greenfield: boolean;
  /** The port that alone serves the console; null: the port of everything else. */
  readonly consolePort: number | null;
}

/** Everything that a running process uses. open-services.ts creates it once. */
export interface Services {
  readonly config: WebConfig;
  readonly log: Logger;
  readonly database: Database;
  readonly networks: NetworkRegistry;
  readonly rates: Rates;
  readonly secrets: Secrets;
  /** Signs and checks the receipts of paid links. */
  readonly receipts: Signer;
  readonly paymentLinks: PaymentLinkDeps;
  /** The payer of test links. Null: the sandbox is off. */
  readonly sandbox: Sandbox | null;
  readonly pictures: LinkPictures;
  readonly convertLogo: LogoConverter;
  readonly usualFees: UsualFees;
  /** Limits guesses of device codes of points of sale. */
  readonly pairing: TryLimit;
  /** Limits guesses of secrets of refund claims, and addresses that are sent to them. */
  readonly claimTries: TryLimit;
  /** Limits guesses of passwords and codes at the console. */
  readonly signInTries: TryLimit;
}

/**
 * Next bundles its own copy of lib, so a module variable would exist twice in one process. The services are
 * on globalThis, and only this file accesses them.
 */
const KEY = Symbol.for("paylink.services");
const holder = globalThis as typeof globalThis & { [KEY]?: Services };

export function setServices(services: Services): void {
  holder[KEY] = services;
}

/** The services of this process. Throws before main.ts has set them. */
export function getServices(): Services {
  const services = holder[KEY];
  if (services === undefined) throw new Error("the services of this process are not wired yet");
  return services;
}
