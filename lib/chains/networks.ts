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
import type { NetworkData } from "./network-data.ts";

/** What there is to know of each network before its node is asked: one file of data each. */
export const NETWORKS = {
  bitcoin: BITCOIN,
  trc20: TRC20,
  bep20: BEP20,
  erc20: ERC20,
  base: BASE,
  litecoin: LITECOIN,
  dogecoin: DOGECOIN,
  xrp: XRP,
  solana: SOLANA,
} as const satisfies Record<string, NetworkData>;

/** Networks whose adapter exists today. */
export type NetworkCode = keyof typeof NETWORKS;

/** Every network code of docs/service-interface.md, in its order; a known network may still be off. */
export const ALL_NETWORK_CODES = [
  "bitcoin",
  "erc20",
  "bep20",
  "trc20",
  "solana",
  "xrp",
  "base",
  "litecoin",
  "dogecoin",
] as const;

/** Pairs a payment link can be paid with (docs/service-interface.md, Supported network entry), in the order shown. */
export const PAYMENT_PAIRS = [
  { network: "bitcoin", token: "btc" },
  { network: "trc20", token: "usdt" },
  { network: "bep20", token: "usdt" },
] as const satisfies readonly { readonly network: NetworkCode; readonly token: TokenCode }[];

/** Networks that a payment page can show. */
export type PaymentNetwork = (typeof PAYMENT_PAIRS)[number]["network"];

export function isNetworkCode(text: string): text is NetworkCode {
  return Object.hasOwn(NETWORKS, text);
}

export function isPaymentNetwork(network: NetworkCode): network is PaymentNetwork {
  return PAYMENT_PAIRS.some((pair) => pair.network === network);
}
