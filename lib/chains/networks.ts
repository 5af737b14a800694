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

/** Pairs that can pay a payment link, in the order shown (docs/service-interface.md, Supported network entry). */
export const PAYMENT_PAIRS = [
  { network: "bitcoin", token: "btc" },
  { network: "trc20", token: "usdt" },
  { network: "bep20", token: "usdt" },
] as const satisfies readonly { readonly network: NetworkCode; readonly token: TokenCode }[];

/** Networks that the payment page can show. */
export type PaymentNetwork = (typeof PAYMENT_PAIRS)[number]["network"];

export function isNetworkCode(text: string): text is NetworkCode {
  return Object.hasOwn(NETWORKS, text);
}

export function isPaymentNetwork(network: NetworkCode): network is PaymentNetwork {
  return PAYMENT_PAIRS.some((pair) => pair.network === network);
}
