import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { BASE } from "./data/base.ts";
import { BEP20 } from "./data/bep20.ts";
import { BITCOIN } from "./data/bitcoin.ts";
import { DOGECOIN } from "./data/dogecoin.ts";
import { ERC20 } from "./data/erc20.ts";
import { LITECOIN } from "./data/litecoin.ts";
import { SOLANA } from "./data/solana.ts";
import { TRC20 } from "./data/trc20.ts";
import { XRP } from "./data/xrp.ts";
import type { Env, NetworkData } from "./network-data.ts";

/** Everything that is known of each network without a node, in the order of docs/service-interface.md. */
export const NETWORKS = {
  bitcoin: BITCOIN,
  erc20: ERC20,
  bep20: BEP20,
  trc20: TRC20,
  solana: SOLANA,
  xrp: XRP,
  base: BASE,
  litecoin: LITECOIN,
  dogecoin: DOGECOIN,
} as const satisfies Record<string, NetworkData>;

export type NetworkCode = keyof typeof NETWORKS;

export const NETWORK_CODES = Object.keys(NETWORKS) as [NetworkCode, ...NetworkCode[]];

/** One network in one environment. */
export interface NetworkScope {
  readonly env: Env;
  readonly network: NetworkCode;
}

export interface PaymentPair {
  readonly network: NetworkCode;
  readonly token: TokenCode;
}

/**
 * The pairs that pay a merchant's links until the operator chooses others, in the order shown
 * (docs/service-interface.md, Supported network entry).
 */
export const DEFAULT_PAIRS = [
  { network: "bitcoin", token: "btc" },
  { network: "trc20", token: "usdt" },
  { network: "bep20", token: "usdt" },
] as const satisfies readonly PaymentPair[];

/** Every pair that the operator can choose for a merchant's links. */
export const LINK_PAIRS: readonly PaymentPair[] = [
  ...DEFAULT_PAIRS,
  { network: "bep20", token: "bnb" },
  { network: "bep20", token: "usdc" },
  { network: "erc20", token: "eth" },
  { network: "erc20", token: "usdt" },
  { network: "erc20", token: "usdc" },
  { network: "base", token: "eth" },
  { network: "base", token: "usdt" },
  { network: "base", token: "usdc" },
  { network: "trc20", token: "trx" },
  { network: "litecoin", token: "ltc" },
  { network: "dogecoin", token: "doge" },
  { network: "solana", token: "sol" },
  { network: "solana", token: "usdt" },
  { network: "solana", token: "usdc" },
  { network: "xrp", token: "xrp" },
];

export function isSamePair(a: PaymentPair, b: PaymentPair): boolean {
  return a.network === b.network && a.token === b.token;
}

/** The name of a pair in the database and in commands, such as "bep20/usdt". */
export function pairCode({ network, token }: PaymentPair): string {
  return `${network}/${token}`;
}

/** The pair of such a name, in upper or lower case. Null when no link can be paid with it. */
export function findLinkPair(code: string): PaymentPair | null {
  return LINK_PAIRS.find((pair) => pairCode(pair) === code.toLowerCase()) ?? null;
}

/** The pair of exactly this button's value on the payment page, such as "bep20:usdt". Null when no link can be paid with it. */
export function findPagePair(value: string): PaymentPair | null {
  return LINK_PAIRS.find(({ network, token }) => value === `${network}:${token}`) ?? null;
}

/** Networks that a link can be paid on without the operator's choice. */
export type PaymentNetwork = (typeof DEFAULT_PAIRS)[number]["network"];

export function isNetworkCode(text: string): text is NetworkCode {
  return Object.hasOwn(NETWORKS, text);
}

export function isPaymentNetwork(network: NetworkCode): network is PaymentNetwork {
  return DEFAULT_PAIRS.some((pair) => pair.network === network);
}
