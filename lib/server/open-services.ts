import type { Logger } from "pino";
import { nodeCounters } from "#lib/chains/node-metrics.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { openCertificateStore } from "#lib/domain/deposits/watch/node-certificates.ts";
import { RECEIPT_PURPOSE } from "#lib/domain/payment-links/receipt/receipt-rules.ts";
import { createUsualFees } from "#lib/domain/payment-links/view/usual-fees.ts";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import { openSandbox } from "#lib/domain/sandbox/open-sandbox.ts";
import { prepareDatabase } from "#lib/domain/settings/prepare-database.ts";
import { requireSameDatabase } from "#lib/platform/db/addresses.ts";
import { type Database, openDatabase } from "#lib/platform/db/connection.ts";
import { startEmbedded } from "#lib/platform/db/embedded.ts";
import { openReplica } from "#lib/platform/db/replica.ts";
import { createLogoConverter } from "#lib/platform/pictures/logo-converter.ts";
import { openPictures } from "#lib/platform/pictures/open-pictures.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { openSigner } from "#lib/platform/signed-text.ts";
import { createTryLimit } from "#lib/web/page/try-limit.ts";
import type { Services } from "#lib/web/services.ts";
import { type Config, ConfigError, NO_DATABASE } from "./config.ts";

/** The services with the whole configuration. */
export type ServerServices = Services & { readonly config: Config };

/** Database connections of one process. */
const POOL = 20;

/** The PostgreSQL of DATABASE_URL, or the embedded one, which would outlive this process. */
export interface DatabaseServer {
  /** Rejects with EmbeddedPostgresError if the embedded one does not start. */
  readonly url: Promise<string>;
  /** Stops the embedded one, also while it starts. */
  stop(): Promise<void>;
}

/** Starts the embedded PostgreSQL if there is no DATABASE_URL. Throws ConfigError if it may not. */
export function startDatabase(
  { databaseUrl, mayStartEmbedded, dataDir }: Pick<Config, "databaseUrl" | "mayStartEmbedded" | "dataDir">,
  log: Logger,
): DatabaseServer {
  if (databaseUrl !== null) return { url: Promise.resolve(databaseUrl), stop: async () => {} };
  if (!mayStartEmbedded) throw new ConfigError([NO_DATABASE]);
  const starting = startEmbedded(dataDir, { log: (line) => log.info({ postgres: true }, line) });
  return {
    url: starting.then(({ url }) => url),
    stop: () =>
      starting.then(
        (server) => server.stop(),
        () => {},
      ),
  };
}

/** Only the web role has reads for a replica. */
async function openConfigured(config: Config, url: string, log: Logger): Promise<Database> {
  const primary = openDatabase(url, { max: POOL, pooledUrl: config.pooledDatabaseUrl });
  if (config.readDatabaseUrl === null || !config.roles.has("web")) return primary;
  return openReplica(primary, config.readDatabaseUrl, { max: POOL, log });
}

/**
 * Chooses every implementation of this process. It is the only place that does. Migrates the schema if its
 * role may. Throws MigrationError if it may not, and AddressError if the addresses of the database are wrong.
 */
export async function openServices(
  config: Config,
  url: string,
  log: Logger,
): Promise<{ services: ServerServices; close(): Promise<void> }> {
  // An attacker of this process must not find a role here that can change tables.
  if (config.migrateDatabaseUrl !== null) {
    log.warn(
      "MIGRATE_DATABASE_URL is for commands of the tables' owner alone: take it out of this process's environment",
    );
  }
  if (config.pooledDatabaseUrl !== null) await requireSameDatabase(url, config.pooledDatabaseUrl);
  await prepareDatabase(url);
  const database = await openConfigured(config, url, log);
  const secrets = openSecrets(config.secretKey, config.previousSecretKeys);
  const certificates = openCertificateStore(database.db);
  const networks = openNetworks(config.networks, { log, counters: nodeCounters, certificates });
  const { fixedRates: fixed, priceKeys: keys } = config;
  const rates = openRates({ fixed, keys, log });
  rates.start();
  const paymentLinks = {
    db: database.db,
    networks,
    rates,
    settings: {
      paymentUrl: config.paymentUrl,
      quoteMinutes: config.quoteMinutes,
      confirmGraceHours: config.confirmGraceHours,
      visitorKey: secrets.derive("visitor"),
      sendsMail: config.mail !== null,
    },
  };
  const pictures = openPictures(log);
  const services: ServerServices = {
    config,
    log,
    database,
    networks,
    rates,
    secrets,
    receipts: openSigner(secrets.deriveAll(RECEIPT_PURPOSE)),
    paymentLinks,
    sandbox: config.sandbox ? openSandbox({ links: paymentLinks, configs: config.networks, log }) : null,
    pictures,
    convertLogo: createLogoConverter(),
    usualFees: createUsualFees({ networks, rates, log }),
    pairing: createTryLimit(10),
    claimTries: createTryLimit(30),
    // The staff of a shop share an address. Each account has its own limit.
    signInTries: createTryLimit(100),
  };
  const close = async () => {
    rates.stop();
    await pictures.close();
    await database.close();
  };
  return { services, close };
}
