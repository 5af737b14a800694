/**
 * A worker of six networks in its own process. DATABASE_URL and the URL of each network's node configure it. Its
 * log is its output.
 */
import { pino } from "pino";
import { NETWORKS } from "#lib/chains/networks.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { USDT_ADDRESS } from "#tests/support/anvil.ts";
import { watchInProcess } from "#tests/support/watch-in-process.ts";
import { ACCOUNT_KEY } from "#tests/support/watched-chain.ts";

const log = pino();
const configs = (["test", "live"] as const).flatMap((env) =>
  (["bep20", "erc20", "base"] as const).map((network) => ({
    ...{ env, network, rpcUrls: [process.env[network] ?? ""], accountKey: ACCOUNT_KEY, zmqUrl: null },
    // Named although it is the test chain's: so both are development chains.
    ...{ chainId: NETWORKS[network].chainId.test, contracts: { usdt: USDT_ADDRESS } },
  })),
);
watchInProcess(openNetworks(configs, { log }), "usdt/usd=1", log);
