import { getFamily } from "#lib/chains/families.ts";
import type { NetworkConfig } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { findRefusedVariables } from "./variables/find-unknown.ts";
import {
  listParts,
  openNetworkReader,
  PLACES,
  type Place,
  variableName,
} from "./variables/network-variables.ts";
import type { GivenTexts } from "./variables/variable.ts";

/** Name of the variable with a network's account key: LIVE_BEP20_XPUB, LIVE_XRP_ACCOUNT. Null: addresses are imported. */
export function accountVariable(env: Env, network: NetworkCode): string | null {
  const { accountKey } = getFamily(network);
  return accountKey && variableName({ env, network }, accountKey.variable);
}

/**
 * Reads the configured networks: those with a node, and with an account key unless their addresses are imported.
 * `keyed` are those with an account key, also without a node. `problems` has one line for each wrong variable, without
 * its value.
 */
export function readNetworks(given: GivenTexts): {
  networks: NetworkConfig[];
  keyed: NetworkConfig[];
  problems: string[];
} {
  const problems = findRefusedVariables(given);
  const networks: NetworkConfig[] = [];
  const keyed: NetworkConfig[] = [];
  const owners = new Map<string, { env: Env; name: string }>();
  for (const place of PLACES) {
    const { config, identity } = readNetwork(place, given, problems);
    const variable = accountVariable(place.env, place.network);
    if (identity !== null && variable !== null) {
      const owner = owners.get(identity);
      if (owner !== undefined && owner.env !== place.env) {
        problems.push(
          `${variable} must not be the key of ${owner.name}: live and test never share an account key`,
        );
      }
      owners.set(identity, { env: place.env, name: variable });
      keyed.push(config);
    }
    const hasAddresses = variable === null || identity !== null;
    if (hasAddresses && config.rpcUrls.length > 0) networks.push(config);
  }
  return { networks, keyed, problems };
}

/** Reads one network as readNetworks does, also without a node or an account key. `problems` are those of its variables. */
export function readNetworkAt(
  { env, network }: Pick<Place, "env" | "network">,
  given: GivenTexts,
): { config: NetworkConfig; problems: string[] } {
  const place = PLACES.find((one) => one.env === env && one.network === network);
  if (place === undefined) throw new Error(`no network ${network} in ${env}`);
  const problems: string[] = [];
  return { config: readNetwork(place, given, problems).config, problems };
}

/** `identity` is the same for every spelling of one account key. Null: there is none. */
function readNetwork(
  place: Place,
  given: GivenTexts,
  problems: string[],
): { config: NetworkConfig; identity: string | null } {
  const { read, readContracts } = openNetworkReader(place, given, problems);
  const ownAddresses = read("OWN_ADDRESSES") ?? [];
  const account = read("XPUB") ?? read("ACCOUNT");
  const config: NetworkConfig = {
    env: place.env,
    network: place.network,
    rpcUrls: read("RPC_URL") ?? [],
    accountKey: account?.text ?? "",
    zmqUrl: read("ZMQ_URL"),
    ...withoutNull({
      rpcHeaders: read("RPC_HEADERS"),
      walletUrls: read("WALLET_URL"),
      traces: read("TRACES") === null ? null : true,
      rpcBudget: read("RPC_BUDGET"),
      confirmations: read("CONFIRMATIONS"),
      tokens: read("TOKENS"),
      ownAddresses: ownAddresses.length === 0 ? null : ownAddresses,
    }),
    idleSeconds: read("IDLE_SECONDS") ?? 0,
    ...(listParts(place).includes("CHAIN") ? { chain: read("CHAIN") } : {}),
    chainId: read("CHAIN_ID"),
    contracts: readContracts(),
  };
  return { config, identity: account?.identity ?? null };
}

function withoutNull<T extends object>(values: T): { [Key in keyof T]?: NonNullable<T[Key]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as {
    [Key in keyof T]?: NonNullable<T[Key]>;
  };
}
