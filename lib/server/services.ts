import type { Logger } from "pino";
import type { Database } from "#lib/db/connection.ts";
import type { NetworkRegistry } from "#lib/networks/network.ts";
import type { PaymentLinkDeps } from "#lib/payment-links/types.ts";
import type { Pictures } from "#lib/pictures/types.ts";
import type { Rates } from "#lib/rates/types.ts";
import type { Sandbox } from "#lib/sandbox/types.ts";
import type { Config } from "./config.ts";
import type { Secrets } from "./secrets.ts";

/** Everything a running process is made of, wired once by open-services.ts. */
export interface Services {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  readonly networks: NetworkRegistry;
  readonly rates: Rates;
  readonly secrets: Secrets;
  readonly paymentLinks: PaymentLinkDeps;
  /** null: off. */
  readonly sandbox: Sandbox | null;
  readonly pictures: Pictures;
}

/**
 * Next bundles its own copy of lib, so a module variable would exist twice in one process: the running services
 * hang on globalThis, and this file (types and one symbol) is the only way to them.
 */
const KEY = Symbol.for("paylink.services");
const holder = globalThis as typeof globalThis & { [KEY]?: Services };

export function setServices(services: Services): void {
  holder[KEY] = services;
}

/** The services of this process. Throws before main.ts has wired them. */
export function getServices(): Services {
  const services = holder[KEY];
  if (services === undefined) throw new Error("the services of this process are not wired yet");
  return services;
}
