/**
 * The variables that each network has in each environment: LIVE_BEP20_RPC_URL is RPC_URL here. `npm run -s settings`
 * prints them as docs/operate/settings.md.
 */
import * as z from "zod";
import { parseElectrumUrl } from "#lib/chains/electrum/server-url.ts";
import { getFamily } from "#lib/chains/families.ts";
import type { FamilyDescriptor } from "#lib/chains/family.ts";
import {
  ENVS,
  type Env,
  findNetworkToken,
  getAccountPath,
  type NetworkData,
} from "#lib/chains/network-data.ts";
import { NETWORK_CODES, NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { leastHighestTier, parseConfirmationTiers } from "../confirmation-tiers.ts";
import { parseNodeHeaders } from "../node-headers.ts";
import { anyText, isUrl, splitList } from "./formats.ts";
import { type GivenTexts, parseText, type Reader, type Variable } from "./variable.ts";

/**
 * How often an idle network is read by default, and the slowest: its watcher then shows no trouble (isUnwatched), though
 * the last complete pass may have begun 20 seconds earlier than it ended (watch-mempool.ts).
 */
const IDLE_SECONDS = 30;

/** A network in an environment. */
export interface Place {
  readonly env: Env;
  readonly network: NetworkCode;
  readonly data: NetworkData;
  readonly family: FamilyDescriptor;
}

/** All networks in both environments. */
export const PLACES: readonly Place[] = ENVS.flatMap((env) =>
  NETWORK_CODES.map((network) => ({
    env,
    network,
    data: NETWORKS[network],
    family: getFamily(network),
  })),
);

/** A variable of networks. */
export interface NetworkVariable extends Omit<Variable, "schema"> {
  /** Absent: every network has it in both environments. */
  readonly has?: (place: Place) => boolean;
  /** The schema at a network, whose other variables have these texts. */
  readonly schema: (place: Place, given: GivenTexts) => Variable["schema"];
}

const READERS = ["web", "worker", "command", "signer"] as const satisfies readonly Reader[];
const READERS_AND_DEMO = [...READERS, "demo"] as const satisfies readonly Reader[];

const TOKEN_CODES = Object.keys(TOKENS) as TokenCode[];

/** Live money is on the network's own chain, in its own tokens: on any other nothing would be worth anything. */
const isTest = ({ env }: Place) => env === "test";

const COMMON = {
  RPC_URL: {
    readers: READERS_AND_DEMO,
    secret: true,
    schema: (place) => {
      const electrum = isReadByElectrum(place);
      return anyText
        .refine(
          (value) => areHttpUrls(value) || (electrum && areElectrumUrls(value)),
          electrum
            ? "must be http or https URLs, or electrum+tls://host:port, separated by commas. Not both kinds. electrum+tcp:// only in a private network"
            : "must be http or https URLs, separated by commas",
        )
        .transform(splitList);
    },
    text:
      "The node's http(s) address. Several, separated by commas, best first: the first healthy one is used, never one of another " +
      "chain or one that lags. bitcoin and litecoin also: `electrum+tls://host:50002`, two or three servers, all used at once. " +
      "See [nodes](nodes.md).",
    decide:
      "A node and the public key of your wallet, for each network, LIVE or TEST: npm run -s paylink -- wallet new --format env",
  },
  XPUB: {
    readers: READERS_AND_DEMO,
    has: ({ family }) => family.accountKey?.variable === "XPUB",
    schema: accountKey,
    text:
      "The account's extended public key, from `npm run -s paylink -- wallet new`, offline. Never a private key. " +
      "Live and test never share one. See [wallets](wallets.md).",
    decide: "",
  },
  ACCOUNT: {
    readers: READERS_AND_DEMO,
    has: ({ family }) => family.accountKey?.variable === "ACCOUNT",
    schema: accountKey,
    text: "The address (r…) of the one account that receives. Never its secret.",
  },
  RPC_BUDGET: {
    readers: READERS_AND_DEMO,
    schema: () =>
      anyText
        .regex(/^[0-9]{1,6}$/, "must be requests a second, a whole number; 0 for any number")
        .transform(Number),
    otherwise: "`25`; no limit for nodes on this machine or a private network",
    text: "Requests a second to each node. A batch counts as the number of its requests. `0`: no limit.",
  },
  RPC_HEADERS: {
    readers: READERS,
    secret: true,
    schema: (place, given) => {
      const rpcUrl = variableName(place, "RPC_URL");
      return anyText
        .transform((value) => parseNodeHeaders(value, countUrls(place, given)))
        .refine(
          (headers) => headers !== null,
          `must have one entry for each URL of ${rpcUrl}, separated by commas, each empty or "Name: value; Name: value"`,
        );
    },
    text:
      "Secret headers for keys, one entry for each URL of `RPC_URL` in the same order, separated by commas. An entry may be empty. " +
      "Several headers of one entry: `TRON-PRO-API-KEY: abc; Authorization: Bearer x`.",
  },
  IDLE_SECONDS: {
    readers: READERS,
    schema: () =>
      anyText
        .refine(
          (value) => /^[0-9]{1,2}$/.test(value) && Number(value) <= IDLE_SECONDS,
          `must be seconds, a whole number, 0 to ${IDLE_SECONDS}`,
        )
        .transform(Number),
    default: String(IDLE_SECONDS),
    text:
      `While no payment is expected, the node is asked only this often, ${IDLE_SECONDS} seconds at most. \`0\`: always as often. ` +
      "A link that gets an address there ends it within a second.",
  },
  OWN_ADDRESSES: {
    readers: ["command"],
    // Whether they are addresses of the network is known where it is open.
    schema: () => anyText.transform((value) => splitList(value).filter((address) => address !== "")),
    text:
      "Further addresses that hold your coins, separated by commas: cold wallets, and on solana the signer's hot account. " +
      "`ledger check --chain` counts the coins there, and none of an address that only the database says is yours.",
  },
} as const satisfies Record<string, NetworkVariable>;

const SPECIAL = {
  CONFIRMATIONS: {
    readers: READERS,
    has: ({ data }) => data.finality.kind === "confirmations",
    schema: confirmations,
    otherwise: "[chains](../chains.md)",
    text:
      "Confirmations by USD: `100:1, 10000:2, *:6` is up to 100 USD 1 block, up to 10,000 USD 2, above 6. " +
      "Ascending, 1 to 1000 blocks, the last for `*`.",
  },
  TOKENS: {
    readers: READERS,
    has: ({ data }) => Object.keys(data.tokens).length > 1,
    schema: (place, given) => {
      const possible = listPossibleTokens(place, given);
      return anyText
        .transform((value) => splitList(value.toLowerCase()))
        .refine(
          (asked) => asked.every((code) => possible.some((token) => token === code)),
          `must be tokens of the network, separated by commas: ${possible.join(", ")}`,
        )
        .transform((asked) => possible.filter((token) => asked.includes(token)));
    },
    otherwise: "all that the network lists",
    text:
      "The only tokens that are received, separated by commas, such as `usdt`. " +
      "Without the network's own coin no block is read whole, which saves most of the calls.",
  },
  TRACES: {
    readers: READERS,
    has: ({ family }) => family.hasTraces,
    schema: () => anyText.refine((value) => value === "on", "must be on, or absent"),
    text:
      "`on`: reads coins that contracts send, as some exchanges and wallets do. The node must answer `debug_traceBlockByHash` " +
      "with the `callTracer`: one more call for each block, of the most expensive kind.",
  },
  WALLET_URL: {
    readers: READERS,
    has: ({ family }) => family.hasWalletUrl,
    schema: (place, given) =>
      anyText
        .refine(
          (value) =>
            areHttpUrls(value) && splitList(value).length === countUrls(place, given) && !value.includes("@"),
          `must be one http or https URL without user and password for each URL of ${variableName(place, "RPC_URL")}, separated by commas`,
        )
        .transform(splitList),
    otherwise: "next to the JSON-RPC",
    text: "The URL of java-tron's HTTP API (`/wallet`), one for each URL of `RPC_URL`.",
  },
  ZMQ_URL: {
    readers: READERS_AND_DEMO,
    has: ({ family }) => family.hasZmq,
    schema: () => anyText.regex(/^(tcp|ipc):\/\/.+/, "must be a tcp:// or ipc:// address"),
    text: "Push notifications of the first node (best: zmqpubsequence), `tcp://host:port`.",
  },
  CHAIN: {
    readers: READERS_AND_DEMO,
    has: (place) => isTest(place) && listTestChains(place).length > 0,
    schema: (place) => {
      const chains = listTestChains(place);
      return anyText.refine((value) => chains.includes(value), `must be one of ${chains.join(", ")}`);
    },
    otherwise: "the first",
    text: `Its test chain. ${describeTestChains()}. \`development\` is any that is not public.`,
  },
  CHAIN_ID: {
    readers: READERS_AND_DEMO,
    has: (place) => isTest(place) && place.data.chainId !== null,
    schema: () => anyText.regex(/^[1-9][0-9]{0,14}$/, "must be a chain id, a whole number").transform(Number),
    otherwise: "the public network's",
    text: "Chain id of the node (xrp: its network id).",
  },
} as const satisfies Record<string, NetworkVariable>;

/** USDT_CONTRACT and the like: one for each token that has a contract on any network. */
const CONTRACTS = Object.fromEntries(
  TOKEN_CODES.filter((token) => NETWORK_CODES.some((network) => hasContract(NETWORKS[network], token))).map(
    (token) => [
      contractVariable(token),
      {
        readers: READERS,
        has: (place) => isTest(place) && hasContract(place.data, token),
        schema: contract,
        otherwise: "the public network's",
        text: describeContract(token),
      } satisfies NetworkVariable,
    ],
  ),
);

/** The names that are read with a type, without those of contracts. */
type Common = typeof COMMON & typeof SPECIAL;

/** Every variable of networks by the last part of its name, in the order of the page. */
export const NETWORK_VARIABLES: Readonly<Record<string, NetworkVariable>> = {
  ...COMMON,
  ...SPECIAL,
  ...CONTRACTS,
};

/** The name of a variable at a network: LIVE_BEP20_RPC_URL. */
export function variableName({ env, network }: Pick<Place, "env" | "network">, part: string): string {
  return `${env}_${network}_${part}`.toUpperCase();
}

/** The last parts of the names that a network has in an environment. */
export function listParts(place: Place): string[] {
  return Object.entries(NETWORK_VARIABLES).flatMap(([part, { has }]) =>
    has?.(place) === false ? [] : [part],
  );
}

/** Every name of a network's variable that is read. */
export const NETWORK_VARIABLE_NAMES: readonly string[] = PLACES.flatMap((place) =>
  listParts(place).map((part) => variableName(place, part)),
);

/** Values of a network's variables. Null: absent without a default, wrong, or not a variable of the network. */
export interface NetworkReader {
  read<Part extends keyof Common>(part: Part): z.output<ReturnType<Common[Part]["schema"]>> | null;
  /** Contracts of tokens, as the family stores them. */
  readContracts(): Partial<Record<TokenCode, string>>;
}

/** Reads the variables of a network. Wrong ones add lines to `problems`. */
export function openNetworkReader(place: Place, given: GivenTexts, problems: string[]): NetworkReader {
  const parts = new Set(listParts(place));
  const read = (part: string) => {
    const variable = NETWORK_VARIABLES[part];
    if (variable === undefined || !parts.has(part)) return null;
    const name = variableName(place, part);
    // Most are absent: their schemas need not be made.
    if (given[name] === undefined && variable.default === undefined) return null;
    return parseText(name, { ...variable, schema: variable.schema(place, given) }, given, problems);
  };
  return {
    read: read as NetworkReader["read"],
    readContracts: () =>
      Object.fromEntries(
        TOKEN_CODES.flatMap((token) => {
          const found = read(contractVariable(token));
          return found === null ? [] : [[token, found as string]];
        }),
      ),
  };
}

function accountKey({ env, data, family }: Place) {
  return anyText.transform((value, context) => {
    const format = family.accountKey;
    const key = format?.parse(value, env, data);
    if (key?.ok) return { text: value, identity: key.identity };
    context.addIssue(
      format && key ? format.describeProblem(key.reason, getAccountPath(data, env)) : "is unknown",
    );
    return z.NEVER;
  });
}

function confirmations({ data: { code, finality } }: Place) {
  return anyText.transform((value, context) => {
    const tiers = parseConfirmationTiers(value);
    const least = finality.kind === "confirmations" ? leastHighestTier(finality) : 0;
    if (tiers === null) {
      context.addIssue(
        "must be blocks (1 to 1000) by USD, ascending, such as 100:1, 10000:2, *:6; the last for *",
      );
      return z.NEVER;
    }
    if ((tiers.at(-1)?.blocks ?? 0) < least)
      context.addIssue(`must have at least ${least} blocks for *: with fewer ${code} is not safe`);
    return tiers;
  });
}

function contract({ family: { contract: format } }: Place) {
  return anyText
    .transform((value) => format?.parse(value) ?? null)
    .refine((found) => found !== null, `must be ${format?.description}`);
}

function contractVariable(token: TokenCode): string {
  return `${token.toUpperCase()}_CONTRACT`;
}

function describeContract(token: TokenCode): string {
  if (token !== "usdt") return `The same for ${token.toUpperCase()}.`;
  return "Contract of the token (solana: its mint). If a network has such a variable, tokens without one are not received there.";
}

function hasContract(data: NetworkData, token: TokenCode): boolean {
  return Boolean(data.tokens[token]?.contract);
}

/** The network's own coin, and the tokens with a contract. If any contract is configured, the others have none. */
function listPossibleTokens(place: Place, given: GivenTexts): readonly TokenCode[] {
  const { data, env } = place;
  const isGiven = (token: TokenCode) =>
    isTest(place) &&
    hasContract(data, token) &&
    given[variableName(place, contractVariable(token))] !== undefined;
  const isConfigured = TOKEN_CODES.some(isGiven);
  return (Object.keys(data.tokens) as TokenCode[]).filter((token) =>
    isConfigured && hasContract(data, token) ? isGiven(token) : findNetworkToken(data, env, token),
  );
}

function countUrls(place: Place, given: GivenTexts): number {
  const urls = given[variableName(place, "RPC_URL")];
  return urls === undefined ? 0 : splitList(urls).length;
}

function listTestChains({ data, family }: Pick<Place, "data" | "family">): readonly string[] {
  return family.listTestChains(data);
}

function describeTestChains(): string {
  return PLACES.filter((place) => isTest(place) && listTestChains(place).length > 0)
    .map((place) => `${place.network}: ${listTestChains(place).join(", ")}`)
    .join("; ");
}

/** Electrum servers are only for networks whose headers can be checked. */
function isReadByElectrum({ data }: Place): boolean {
  return data.utxo?.headers !== undefined;
}

function areHttpUrls(value: string): boolean {
  return splitList(value).every((url) => isUrl(url, ["http:", "https:"]));
}

function areElectrumUrls(value: string): boolean {
  return splitList(value).every((url) => parseElectrumUrl(url) !== null);
}
