import type { Logger } from "pino";
import { openNetworks } from "#lib/chains/registry.ts";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import { openSandbox } from "#lib/domain/sandbox/open-sandbox.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { startEmbedded } from "#lib/platform/db/embedded.ts";
import { migrate } from "#lib/platform/db/migrate.ts";
import { openPictures } from "#lib/platform/pictures/open-pictures.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import type { Services } from "#lib/web/services.ts";
import type { Config } from "./config.ts";

/** The services with the whole configuration. */
export type ServerServices = Services & { readonly config: Config };

/** Database connections of one process. */
const POOL = 20;

/**
 * Chooses every implementation of this process. It is the only place that does. Starts the embedded
 * PostgreSQL without DATABASE_URL, and migrates the schema if its role may. Throws MigrationError if it may
 * not.
 */
export async function openServices(
  config: Config,
  log: Logger,
): Promise<{ services: ServerServices; close(): Promise<void> }> {
  const embedded =
    config.databaseUrl === null
      ? await startEmbedded(config.dataDir, { log: (line) => log.info({ postgres: true }, line) })
      : null;
  const url = config.databaseUrl ?? embedded?.url ?? "";
  // An attacker of this process must not find a role here that can change tables.
  if (config.migrateDatabaseUrl !== null) {
    log.warn(
      "MIGRATE_DATABASE_URL is for `paylink migrate` alone: take it out of this process's environment",
    );
  }
  await migrate(url);
  const database = openDatabase(url, { max: POOL });
  const secrets = openSecrets(config.secretKey, config.previousSecretKeys);
  const networks = openNetworks(config.networks, log);
  const rates = openRates({ fixed: config.fixedRates, log });
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
    paymentLinks,
    sandbox: config.sandbox ? openSandbox({ links: paymentLinks, configs: config.networks, log }) : null,
    pictures,
  };
  const close = async () => {
    rates.stop();
    await pictures.close();
    // In parallel: a hanging query ends with the server.
    await Promise.all([database.close(), embedded?.stop()]);
  };
  return { services, close };
}
