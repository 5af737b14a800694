import type { NetworkConfig } from "#lib/chains/network.ts";
import { ENVS, type Env, getAccountPath, type NetworkData } from "#lib/chains/network-data.ts";
import { ALL_NETWORK_CODES, isNetworkCode, NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import { canonicalizeSolanaAddress as solanaAddress } from "#lib/chains/solana/address.ts";
import { SOLANA_TEST_CHAINS } from "#lib/chains/solana/chains.ts";
import { canonicalizeTronAddress as tronAddress } from "#lib/chains/tron/address.ts";
import { listUtxoTestChains } from "#lib/chains/utxo/chains.ts";
import { type AccountKeyProblem, parseAccountKey } from "#lib/domain/wallets/parse-account-key.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";

type Given = Readonly<Record<string, string>>;

/** Name of the variable that says where a network's addresses come from: LIVE_BEP20_XPUB, LIVE_XRP_ACCOUNT. */
export function accountVariable(env: Env, network: NetworkCode): string | null {
  const data: NetworkData = NETWORKS[network];
  if (data.addressSource === "pool") return null;
  return `${env}_${network}_${data.addressSource === "tags" ? "ACCOUNT" : "XPUB"}`.toUpperCase();
}

/** Variables of one network in one environment: LIVE_BEP20_RPC_URL and so on. */
function variablesOf(env: Env, network: NetworkCode) {
  const prefix = `${env}_${network}`.toUpperCase();
  const data: NetworkData = NETWORKS[network];
  const contracts = (Object.keys(data.tokens) as TokenCode[])
    .filter((token) => data.tokens[token]?.contract)
    .map((token) => ({ token, name: `${prefix}_${token.toUpperCase()}_CONTRACT` }));
  return {
    rpcUrl: `${prefix}_RPC_URL`,
    // null: nothing that this network has.
    accountKey: accountVariable(env, network),
    rpcBudget: `${prefix}_RPC_BUDGET`,
    zmqUrl: data.family === "utxo" ? `${prefix}_ZMQ_URL` : null,
    chain: env === "test" && chainNames(network).length > 0 ? `${prefix}_CHAIN` : null,
    chainId: data.chainId === null ? null : `${prefix}_CHAIN_ID`,
    contracts,
  };
}

/** Names of the chains that a test environment may be on; none where a chain id tells them apart. */
function chainNames(network: NetworkCode): readonly string[] {
  return NETWORKS[network].family === "solana" ? SOLANA_TEST_CHAINS : listUtxoTestChains(NETWORKS[network]);
}

const PAIRS = ENVS.flatMap((env) =>
  (Object.keys(NETWORKS) as NetworkCode[]).map((network) => ({ env, network })),
);

/** Every network variable that is read. */
export const NETWORK_VARIABLE_NAMES = PAIRS.flatMap(({ env, network }) => {
  const { contracts, ...names } = variablesOf(env, network);
  return [...Object.values(names), ...contracts.map(({ name }) => name)].filter((name) => name !== null);
});

const KEY_PROBLEMS: Record<AccountKeyProblem, (path: string) => string> = {
  private_key: (path) =>
    `holds a PRIVATE key: whoever has it owns the money. It was not stored; take it out of the environment, move the money if anybody else may have read it, and give the public key (xpub…) of m/${path}`,
  malformed: (path) => `must be the extended public key (xpub…) of the account m/${path}`,
  wrong_level: (path) =>
    `must be the extended public key of the account m/${path}, not of a level above or below it`,
};

/** Of a network whose addresses are one account with tags. */
const ACCOUNT_PROBLEMS: Record<AccountKeyProblem, string> = {
  private_key:
    "holds a SECRET: whoever has it owns the money. It was not stored; take it out of the environment, move the money if anybody else may have read it, and give the account's address (r…)",
  malformed: "must be the classic address (r…) of the account that receives",
  wrong_level: "must be the classic address (r…) of the account that receives",
};

function problemOf(problem: AccountKeyProblem, env: Env, data: NetworkData): string {
  if (data.addressSource === "tags") return ACCOUNT_PROBLEMS[problem];
  return KEY_PROBLEMS[problem](getAccountPath(data, env));
}

/**
 * The networks that are on (a node given, and an account key or account where addresses come of one), and one line per
 * wrong variable, without values.
 */
export function readNetworks(given: Given): { networks: NetworkConfig[]; problems: string[] } {
  const problems = misspelled(given);
  const networks: NetworkConfig[] = [];
  const owners = new Map<string, { env: Env; name: string }>();
  for (const { env, network } of PAIRS) {
    const names = variablesOf(env, network);
    const config = readNetwork(given, env, network, problems);
    if (names.accountKey === null) {
      if (config.rpcUrls.length > 0) networks.push(config);
      continue;
    }
    const key = parseAccountKey(config.accountKey, env, NETWORKS[network]);
    if (key.ok) {
      const owner = owners.get(key.identity);
      if (owner !== undefined && owner.env !== env) {
        problems.push(
          `${names.accountKey} must not be the key of ${owner.name}: live and test never share an account key`,
        );
      }
      owners.set(key.identity, { env, name: names.accountKey });
    } else if (config.accountKey !== "") {
      problems.push(`${names.accountKey} ${problemOf(key.reason, env, NETWORKS[network])}`);
    }
    if (config.rpcUrls.length > 0 && config.accountKey !== "") networks.push(config);
  }
  return { networks, problems };
}

function readNetwork(given: Given, env: Env, network: NetworkCode, problems: string[]): NetworkConfig {
  const names = variablesOf(env, network);
  const read = (name: string | null, valid: (text: string) => boolean, wants: string): string | null => {
    const text = name === null ? undefined : given[name];
    if (text !== undefined && !valid(text)) problems.push(`${name} ${wants}`);
    return text ?? null;
  };
  const rpc = read(names.rpcUrl, areHttpUrls, "must be http or https URLs, separated by commas");
  const rpcBudget = read(
    names.rpcBudget,
    (text) => /^[0-9]{1,6}$/.test(text),
    "must be requests a second, a whole number; 0 for any number",
  );
  const zmqUrl = read(
    names.zmqUrl,
    (text) => /^(tcp|ipc):\/\/.+/.test(text),
    "must be a tcp:// or ipc:// address",
  );
  const chains = chainNames(network);
  const chain = read(names.chain, (text) => chains.includes(text), `must be one of ${chains.join(", ")}`);
  const chainId = read(
    names.chainId,
    (text) => /^[1-9][0-9]{0,14}$/.test(text),
    "must be a chain id, a whole number",
  );
  const contracts: Partial<Record<TokenCode, string>> = {};
  for (const { token, name } of names.contracts) {
    const form = contractForm(network);
    const contract = read(name, form.valid, `must be ${form.is}`);
    if (contract !== null) contracts[token] = form.stored(contract);
  }
  return {
    env,
    network,
    rpcUrls: rpc === null ? [] : rpc.split(",").map((url) => url.trim()),
    accountKey: (names.accountKey && given[names.accountKey]) ?? "",
    zmqUrl,
    ...(rpcBudget === null ? {} : { rpcBudget: Number(rpcBudget) }),
    ...(names.chain === null ? {} : { chain }),
    chainId: chainId === null ? null : Number(chainId),
    contracts,
  };
}

/** How a network's contracts are written. */
function contractForm(network: NetworkCode) {
  const stored = (text: string) => text;
  switch (NETWORKS[network].family) {
    case "tron":
      return {
        valid: (text: string) => tronAddress(text) !== null,
        is: "a contract address, T… or hex",
        stored,
      };
    case "solana":
      return {
        valid: (text: string) => solanaAddress(text) !== null,
        is: "a mint's address, base58",
        stored,
      };
    default:
      return {
        valid: (text: string) => /^0x[0-9a-fA-F]{40}$/.test(text),
        is: "a contract address, 0x and 40 hex digits",
        stored: (text: string) => text.toLowerCase(),
      };
  }
}

function areHttpUrls(text: string): boolean {
  return text.split(",").every((part) => {
    const url = part.trim();
    return URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol);
  });
}

/** Variables that look like a network's and are none: a typing error would otherwise switch a network off in silence. */
function misspelled(given: Given): string[] {
  const known = new Set(NETWORK_VARIABLE_NAMES);
  return Object.keys(given).flatMap((name) => {
    const match = /^(?:LIVE|TEST)_([A-Z0-9]+)_(\w+)$/.exec(name);
    if (match === null || known.has(name)) return [];
    const code = match[1]?.toLowerCase() ?? "";
    if (isNetworkCode(code)) return [`${name} is not a variable of ${code}`];
    return /^(RPC_URL|XPUB|ACCOUNT)$/.test(match[2] ?? "")
      ? [`${name} names no network (${ALL_NETWORK_CODES.join(", ")})`]
      : [];
  });
}
