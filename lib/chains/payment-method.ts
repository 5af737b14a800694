import type { NetworkData } from "./network-data.ts";
import { LINK_PAIRS, NETWORKS, type PaymentPair } from "./networks.ts";

/**
 * The id of a pair in the Greenfield protocol, of letters, digits and "-": plugins of shops make names of classes of it. A coin of a Bitcoin
 * kind has the id that plugins know, "BTC-CHAIN".
 */
export function paymentMethodId({ network, token }: PaymentPair): string {
  const data: NetworkData = NETWORKS[network];
  const place = data.utxo !== undefined ? "CHAIN" : network.toUpperCase();
  return `${token.toUpperCase()}-${place}`;
}

/** The pair of a method id, in any case, with "_" in the place of "-". "BTC" and "BTC-ONCHAIN" are older ids. null: no link can be paid so. */
export function findPaymentMethod(text: string): PaymentPair | null {
  const id = text
    .toUpperCase()
    .replaceAll("_", "-")
    .replace(/-ONCHAIN$/, "-CHAIN");
  const whole = id.includes("-") ? id : `${id}-CHAIN`;
  return LINK_PAIRS.find((pair) => paymentMethodId(pair) === whole) ?? null;
}
