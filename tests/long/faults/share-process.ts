/**
 * A worker of six networks in its own process, so that a test can kill it. DATABASE_URL and the URL of each network's node configure it. Its
 * log is its output.
 */
import { pino } from "pino";
import { NETWORKS } from "#lib/chains/networks.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { startWatchers } from "#lib/domain/deposits/watch/watch-network.ts";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { USDT_ADDRESS } from "#tests/support/anvil.ts";
import { ACCOUNT_KEY, LINK_SETTINGS } from "#tests/support/watched-chain.ts";

const log = pino();
const database = openDatabase(process.env.DATABASE_URL ?? "");
const configs = (["test", "live"] as const).flatMap((env) =>
  (["bep20", "erc20", "base"] as const).map((network) => ({
    ...{ env, network, rpcUrls: [process.env[network] ?? ""], accountKey: ACCOUNT_KEY, zmqUrl: null },
    // Named although it is the test chain's: so both are development chains.
    ...{ chainId: NETWORKS[network].chainId.test, contracts: { usdt: USDT_ADDRESS } },
  })),
);
const networks = openNetworks(configs, { log });
const rates = openRates({ fixed: "usdt/usd=1", log });
startWatchers({
  database,
  networks,
  log,
  paymentLinks: { db: database.db, networks, rates, settings: LINK_SETTINGS },
});
