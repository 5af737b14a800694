/**
 * A watcher in its own process, so that a test can kill it. DATABASE_URL, RPC_URL and FAILPOINT configure
 * it.
 */

import { startWatchers } from "#lib/domain/deposits/watch/watch-network.ts";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { bep20, LINK_SETTINGS, log } from "#tests/support/watched-chain.ts";

const database = openDatabase(process.env.DATABASE_URL ?? "");
const networks = bep20(process.env.RPC_URL ?? "");
const rates = openRates({ fixed: "usdt/usd=1", log });
startWatchers({
  database,
  networks,
  log,
  paymentLinks: { db: database.db, networks, rates, settings: LINK_SETTINGS },
});
