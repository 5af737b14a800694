import type { Logger } from "pino";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { startWatchers } from "#lib/domain/deposits/watch/watch-network.ts";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { LINK_SETTINGS, log as watchLog } from "./watched-network.ts";

/** Watches the networks in a process of its own, so that a test can kill it. DATABASE_URL configures it. */
export function watchInProcess(networks: NetworkRegistry, fixed: string, log: Logger = watchLog): void {
  const database = openDatabase(process.env.DATABASE_URL ?? "");
  const rates = openRates({ fixed, log });
  const paymentLinks = { db: database.db, networks, rates, settings: LINK_SETTINGS };
  startWatchers({ database, networks, log, paymentLinks });
}
