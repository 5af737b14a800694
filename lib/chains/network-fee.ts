import type { TokenCode } from "#lib/platform/money/tokens.ts";

/**
 * The network fee now. `fee` is in ledger units of the network's own coin. The other fields are what it
 * was computed from.
 */
export type NetworkFee = { readonly coin: TokenCode; readonly fee: bigint } & (
  | { readonly kind: "per_byte"; readonly virtualBytes: number; readonly rates: ByteRates }
  | { readonly kind: "per_gas"; readonly gas: number /** Wei. */; readonly gasPrice: bigint }
  /** Only the fee is known. */
  | { readonly kind: "flat" }
);

/**
 * Satoshis per virtual byte: to be mined within 2, 3, 6 or 144 blocks, and the minimum that the node relays.
 */
export interface ByteRates {
  readonly fastest: number;
  readonly halfHour: number;
  readonly hour: number;
  readonly economy: number;
  readonly minimum: number;
}

/** The fee that a payer pays now. */
export interface Fees {
  /** The fee of a usual transfer, in ledger units of the coin. */
  fetchTransferFee(): Promise<{ readonly coin: TokenCode; readonly fee: bigint }>;
}

/** Fees of networks where a payer chooses a rate. */
export interface FeeRates {
  /** Fetches the fee that a plain transfer should pay to be mined soon. */
  fetch(): Promise<NetworkFee>;
}
