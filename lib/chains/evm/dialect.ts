import type { TransactionRecord } from "../network.ts";
import type { NodeClient } from "../node-client.ts";
import { buildEvmPaymentUri, canonicalizeEvmAddress, toChecksumAddress } from "./codec.ts";
import type { NativeReader } from "./native-reader.ts";
import { ETHEREUM_COIN } from "./scan-native.ts";

/**
 * In what a chain that speaks Ethereum's JSON-RPC differs from Ethereum: how addresses and transaction hashes are
 * written for people, and where it tells the movements of its own coin. `hex` is the 20 bytes of an address in lower case (0x…), as logs and filters carry it.
 */
export interface EvmDialect {
  /** URL of the JSON-RPC of a configured node. */
  toRpcUrl(url: string): string;
  /** Canonical form, the one stored and compared, or null when it is no address. */
  canonicalizeAddress(text: string): string | null;
  displayAddress(canonical: string): string;
  fromHex(hex: string): string;
  toHex(canonical: string): string;
  /** A transaction's hash as stored and shown, of the JSON-RPC's (0x…), and back from what a person wrote. */
  fromRpcHash(hash: string): string;
  toRpcHash(txHash: string): string;
  /**
   * How long after it was broadcast a transaction can still be taken into a block, milliseconds; null: for ever, and a
   * sender's transactions are numbered instead, so that of two with one number one is taken.
   */
  readonly expiryMs: number | null;
  /** Fees are a price of gas. False on TRON, whose fees are energy and bandwidth. */
  readonly hasGasPrice: boolean;
  /** `amount` in the chain's units; `to` and `contract` canonical. `contract` null: the network's own coin. */
  buildPaymentUri(to: string, amount: bigint, chainId: number, contract: string | null): string;
  /** Asked where the network's entry lists its own coin; null: such an entry is refused. */
  readonly native: NativeReader | null;
  /** Where a node tells more of a transaction than its JSON-RPC does. */
  fetchTransactionRecord?(line: NodeClient, txHash: string): Promise<TransactionRecord | null>;
}

const same = (text: string): string => text;

export const ETHEREUM: EvmDialect = {
  toRpcUrl: same,
  canonicalizeAddress: canonicalizeEvmAddress,
  displayAddress: toChecksumAddress,
  fromHex: same,
  toHex: same,
  fromRpcHash: same,
  toRpcHash: same,
  expiryMs: null,
  hasGasPrice: true,
  buildPaymentUri: buildEvmPaymentUri,
  native: ETHEREUM_COIN,
};
