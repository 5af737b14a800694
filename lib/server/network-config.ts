import { parseElectrumUrl } from "#lib/chains/electrum/server-url.ts";
import { getFamily } from "#lib/chains/families.ts";
import type { NetworkConfig } from "#lib/chains/network.ts";
import {
  ENVS,
  type Env,
  findNetworkToken,
  getAccountPath,
  type NetworkData,
} from "#lib/chains/network-data.ts";
import { isNetworkCode, NETWORK_CODES, NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { leastHighestTier, parseConfirmationTiers } from "./confirmation-tiers.ts";
import { parseNodeHeaders } from "./node-headers.ts";

/**
 * How often an idle network is read by default, and the slowest: its watcher then shows no trouble (isUnwatched), though
 * the last complete pass may have begun 20 seconds earlier than it ended (watch-mempool.ts).
 */
const IDLE_SECONDS = 30;

type Given = Readonly<Record<string, string>>;

/** Name of the variable with a network's account key: LIVE_BEP20_XPUB, LIVE_XRP_ACCOUNT. Null: addresses are imported. */
export function accountVariable(env: Env, network: NetworkCode): string | null {
  const { accountKey } = getFamily(network);
  return accountKey && `${env}_${network}_${accountKey.variable}`.toUpperCase();
}

/** Variables of one network in one environment: LIVE_BEP20_RPC_URL and so on. */
function variablesOf(env: Env, network: NetworkCode) {
  const prefix = `${env}_${network}`.toUpperCase();
  const data: NetworkData = NETWORKS[network];
  // Live money is on the network's own chain, in its own tokens: on any other nothing would be worth anything.
  const contracts = (env === "live" ? [] : (Object.keys(data.tokens) as TokenCode[]))
    .filter((token) => data.tokens[token]?.contract)
    .map((token) => ({ token, name: `${prefix}_${token.toUpperCase()}_CONTRACT` }));
  return {
    rpcUrl: `${prefix}_RPC_URL`,
    // Null: the network does not have this variable.
    accountKey: accountVariable(env, network),
    rpcBudget: `${prefix}_RPC_BUDGET`,
    idleSeconds: `${prefix}_IDLE_SECONDS`,
    ownAddresses: `${prefix}_OWN_ADDRESSES`,
    rpcHeaders: `${prefix}_RPC_HEADERS`,
    confirmations: data.finality.kind === "confirmations" ? `${prefix}_CONFIRMATIONS` : null,
    walletUrl: getFamily(data).hasWalletUrl ? `${prefix}_WALLET_URL` : null,
    tokens: Object.keys(data.tokens).length > 1 ? `${prefix}_TOKENS` : null,
    traces: getFamily(data).hasTraces ? `${prefix}_TRACES` : null,
    zmqUrl: getFamily(data).hasZmq ? `${prefix}_ZMQ_URL` : null,
    chain: env === "test" && listTestChains(network).length > 0 ? `${prefix}_CHAIN` : null,
    chainId: env === "live" || data.chainId === null ? null : `${prefix}_CHAIN_ID`,
    contracts,
  };
}

function listTestChains(network: NetworkCode): readonly string[] {
  return getFamily(network).listTestChains(NETWORKS[network]);
}

/** Networks whose headers can be checked. */
const NETWORKS_READ_BY_ELECTRUM = new Set(
  NETWORK_CODES.filter((network) => (NETWORKS[network] as NetworkData).utxo?.headers !== undefined),
);

const PAIRS = ENVS.flatMap((env) => NETWORK_CODES.map((network) => ({ env, network })));

/** Every network variable that is read. */
export const NETWORK_VARIABLE_NAMES = PAIRS.flatMap(({ env, network }) => {
  const { contracts, ...names } = variablesOf(env, network);
  return [...Object.values(names), ...contracts.map(({ name }) => name)].filter((name) => name !== null);
});

/**
 * Reads the configured networks: those with a node, and with an account key unless their addresses are imported.
 * `keyed` are those with an account key, also without a node. `problems` has one line for each wrong variable, without
 * its value.
 */
export function readNetworks(given: Given): {
  networks: NetworkConfig[];
  keyed: NetworkConfig[];
  problems: string[];
} {
  const problems = misspelled(given);
  const networks: NetworkConfig[] = [];
  const keyed: NetworkConfig[] = [];
  const owners = new Map<string, { env: Env; name: string }>();
  for (const { env, network } of PAIRS) {
    const variable = accountVariable(env, network);
    const { accountKey: format } = getFamily(network);
    const own = readOwnAddresses(given[variablesOf(env, network).ownAddresses]);
    const config = { ...readNetwork(given, env, network, problems), ...own };
    if (variable === null || format === null) {
      if (config.rpcUrls.length > 0) networks.push(config);
      continue;
    }
    const data: NetworkData = NETWORKS[network];
    const key = format.parse(config.accountKey, env, data);
    if (key.ok) {
      const owner = owners.get(key.identity);
      if (owner !== undefined && owner.env !== env) {
        problems.push(
          `${variable} must not be the key of ${owner.name}: live and test never share an account key`,
        );
      }
      owners.set(key.identity, { env, name: variable });
    } else if (config.accountKey !== "") {
      problems.push(`${variable} ${format.describeProblem(key.reason, getAccountPath(data, env))}`);
    }
    if (config.accountKey === "") continue;
    keyed.push(config);
    if (config.rpcUrls.length > 0) networks.push(config);
  }
  return { networks, keyed, problems };
}

function readNetwork(given: Given, env: Env, network: NetworkCode, problems: string[]): NetworkConfig {
  const names = variablesOf(env, network);
  const read = (name: string | null, valid: (text: string) => boolean, wants: string): string | null => {
    const text = name === null ? undefined : given[name];
    if (text !== undefined && !valid(text)) problems.push(`${name} ${wants}`);
    return text ?? null;
  };
  const electrum = NETWORKS_READ_BY_ELECTRUM.has(network);
  const rpc = read(
    names.rpcUrl,
    (text) => areHttpUrls(text) || (electrum && areElectrumUrls(text)),
    electrum
      ? "must be http or https URLs, or electrum+tls://host:port, separated by commas. Not both kinds. electrum+tcp:// only in a private network"
      : "must be http or https URLs, separated by commas",
  );
  const rpcUrls = rpc === null ? [] : rpc.split(",").map((url) => url.trim());
  const parseHeaders = (text: string) => parseNodeHeaders(text, rpcUrls.length);
  const rpcHeaders = read(
    names.rpcHeaders,
    (text) => parseHeaders(text) !== null,
    `must have one entry for each URL of ${names.rpcUrl}, separated by commas, each empty or "Name: value; Name: value"`,
  );
  const walletUrls = read(
    names.walletUrl,
    (text) => areHttpUrls(text) && text.split(",").length === rpcUrls.length && !text.includes("@"),
    `must be one http or https URL without user and password for each URL of ${names.rpcUrl}, separated by commas`,
  );
  const rpcBudget = read(
    names.rpcBudget,
    (text) => /^[0-9]{1,6}$/.test(text),
    "must be requests a second, a whole number; 0 for any number",
  );
  const idle = read(names.idleSeconds, isIdleTime, `must be seconds, a whole number, 0 to ${IDLE_SECONDS}`);
  const zmqUrl = read(
    names.zmqUrl,
    (text) => /^(tcp|ipc):\/\/.+/.test(text),
    "must be a tcp:// or ipc:// address",
  );
  const chains = listTestChains(network);
  const chain = read(names.chain, (text) => chains.includes(text), `must be one of ${chains.join(", ")}`);
  const chainId = read(
    names.chainId,
    (text) => /^[1-9][0-9]{0,14}$/.test(text),
    "must be a chain id, a whole number",
  );
  const { contract: format } = getFamily(network);
  const contracts: Partial<Record<TokenCode, string>> = {};
  for (const { token, name } of names.contracts) {
    const contract = read(name, (text) => format?.parse(text) != null, `must be ${format?.description}`);
    if (contract !== null) contracts[token] = format?.parse(contract) ?? contract;
  }
  const possible = listPossibleTokens(NETWORKS[network], env, contracts);
  return {
    env,
    network,
    rpcUrls,
    accountKey: (names.accountKey && given[names.accountKey]) ?? "",
    zmqUrl,
    ...(rpcHeaders === null ? {} : { rpcHeaders: parseHeaders(rpcHeaders) ?? [] }),
    ...(walletUrls === null ? {} : { walletUrls: walletUrls.split(",").map((url) => url.trim()) }),
    ...(read(names.traces, isOn, "must be on, or absent") === null ? {} : { traces: true }),
    ...(rpcBudget === null ? {} : { rpcBudget: Number(rpcBudget) }),
    ...readConfirmations(given, names.confirmations, NETWORKS[network], problems),
    ...readTokens(given, names.tokens, possible, problems),
    idleSeconds: Number(idle ?? IDLE_SECONDS),
    ...(names.chain === null ? {} : { chain }),
    chainId: chainId === null ? null : Number(chainId),
    contracts,
  };
}

/** Whether they are addresses of the network is known where it is open. */
function readOwnAddresses(text = ""): Pick<NetworkConfig, "ownAddresses"> {
  const ownAddresses = text.split(",").flatMap((part) => part.trim() || []);
  return ownAddresses.length === 0 ? {} : { ownAddresses };
}

function readConfirmations(
  given: Given,
  name: string | null,
  { code, finality }: NetworkData,
  problems: string[],
): Pick<NetworkConfig, "confirmations"> {
  const text = name === null ? undefined : given[name];
  if (text === undefined || finality.kind !== "confirmations") return {};
  const tiers = parseConfirmationTiers(text);
  const least = leastHighestTier(finality);
  if (tiers === null) {
    problems.push(
      `${name} must be blocks (1 to 1000) by USD, ascending, such as 100:1, 10000:2, *:6; the last for *`,
    );
  } else if ((tiers.at(-1)?.blocks ?? 0) < least) {
    problems.push(`${name} must have at least ${least} blocks for *: with fewer ${code} is not safe`);
  }
  return tiers === null ? {} : { confirmations: tiers };
}

/** The network's own coin, and the tokens with a contract. If any contract is configured, the others have none. */
function listPossibleTokens(
  data: NetworkData,
  env: Env,
  contracts: NetworkConfig["contracts"],
): readonly TokenCode[] {
  const isConfigured = Object.keys(contracts).length > 0;
  return (Object.keys(data.tokens) as TokenCode[]).filter((token) =>
    isConfigured && data.tokens[token]?.contract ? contracts[token] : findNetworkToken(data, env, token),
  );
}

function readTokens(
  given: Given,
  name: string | null,
  possible: readonly TokenCode[],
  problems: string[],
): Pick<NetworkConfig, "tokens"> {
  const text = name === null ? undefined : given[name];
  if (text === undefined) return {};
  const asked = text.split(",").map((part) => part.trim().toLowerCase());
  if (asked.some((code) => !possible.some((token) => token === code))) {
    problems.push(`${name} must be tokens of the network, separated by commas: ${possible.join(", ")}`);
  }
  return { tokens: possible.filter((token) => asked.includes(token)) };
}

function isOn(text: string): boolean {
  return text === "on";
}

function isIdleTime(text: string): boolean {
  return /^[0-9]{1,2}$/.test(text) && Number(text) <= IDLE_SECONDS;
}

function areHttpUrls(text: string): boolean {
  return text.split(",").every((part) => {
    const url = part.trim();
    return URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol);
  });
}

function areElectrumUrls(text: string): boolean {
  return text.split(",").every((part) => parseElectrumUrl(part.trim()) !== null);
}

/** Finds misspelled variables. A typing error would otherwise switch a network off without a message. */
function misspelled(given: Given): string[] {
  const known = new Set(NETWORK_VARIABLE_NAMES);
  return Object.keys(given).flatMap((name) => {
    const match = /^(?:LIVE|TEST)_([A-Z0-9]+)_(\w+)$/.exec(name);
    if (match === null || known.has(name)) return [];
    const code = match[1]?.toLowerCase() ?? "";
    if (isNetworkCode(code) && match[2] === "CONFIRMATIONS")
      return [
        `${name} cannot be set: on ${code} payments count when their block is final, whatever the amount`,
      ];
    if (/_(CHAIN_ID|CHAIN|CONTRACT)$/.test(name) && known.has(name.replace(/^LIVE_/, "TEST_")))
      return [`${name} cannot be set: another chain or another token is for the test environment (TEST_…)`];
    if (isNetworkCode(code)) return [`${name} is not a variable of ${code}`];
    return /^(RPC_URL|XPUB|ACCOUNT)$/.test(match[2] ?? "")
      ? [`${name} names no network (${NETWORK_CODES.join(", ")})`]
      : [];
  });
}
