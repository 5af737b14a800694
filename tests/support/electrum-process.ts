/**
 * A watcher of bitcoin over an Electrum server in its own process, so that a test can kill it. DATABASE_URL,
 * ELECTRUM_URL, ACCOUNT_KEY and FAILPOINT configure it.
 */

import { NETWORKS } from "#lib/chains/networks.ts";
import { startWatchers } from "#lib/domain/deposits/watch/watch-network.ts";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { electrumNetwork } from "./electrum-world.ts";
import { LINK_SETTINGS, log, polledOften } from "./watched-network.ts";

const { DATABASE_URL = "", ELECTRUM_URL = "", ACCOUNT_KEY = "" } = process.env;
const database = openDatabase(DATABASE_URL);
const networks = polledOften(electrumNetwork([ELECTRUM_URL], { log }, ACCOUNT_KEY, NETWORKS.bitcoin));
const rates = openRates({ fixed: "btc/usd=50000", log });
startWatchers({
  database,
  networks,
  log,
  paymentLinks: { db: database.db, networks, rates, settings: LINK_SETTINGS },
});
