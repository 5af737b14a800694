/** A watcher of bitcoin over an Electrum server in its own process. DATABASE_URL, ELECTRUM_URL, ACCOUNT_KEY and FAILPOINT configure it. */
import { NETWORKS } from "#lib/chains/networks.ts";
import { electrumNetwork } from "./electrum-world.ts";
import { watchInProcess } from "./watch-in-process.ts";
import { log, polledOften } from "./watched-network.ts";

const { ELECTRUM_URL = "", ACCOUNT_KEY = "" } = process.env;
const networks = electrumNetwork([ELECTRUM_URL], { log }, ACCOUNT_KEY, NETWORKS.bitcoin);
watchInProcess(polledOften(networks), "btc/usd=50000");
