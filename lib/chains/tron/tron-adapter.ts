import type { Logger } from "pino";
import type { EvmDialect } from "../evm/dialect.ts";
import { openEvmLikeAdapter } from "../evm/evm-adapter.ts";
import type { NetworkAdapter, NetworkConfig } from "../network.ts";
import type { NetworkData } from "../network-data.ts";
import { canonicalizeTronAddress, tronAddressFromHex, tronAddressToHex } from "./address.ts";
import { fetchTronTransactionRecord } from "./look-up-transaction.ts";
import { TRX } from "./scan-trx.ts";

/** TRON for people: base58check addresses, hashes without 0x, and no agreed URI that names a token. */
const TRON: EvmDialect = {
  toRpcUrl: jsonRpcUrl,
  canonicalizeAddress: canonicalizeTronAddress,
  displayAddress: (canonical) => canonical,
  fromHex: tronAddressFromHex,
  toHex: tronAddressToHex,
  fromRpcHash: (hash) => hash.slice(2),
  toRpcHash: (txHash) => `0x${txHash.replace(/^0x/i, "").toLowerCase()}`,
  // No node takes a transaction whose own end lies further ahead.
  expiryMs: 24 * 3_600_000,
  hasGasPrice: false,
  buildPaymentUri: (to) => to,
  native: TRX,
  fetchTransactionRecord: fetchTronTransactionRecord,
};

/**
 * A TRON network: TRC-20 tokens by their logs, over java-tron's /jsonrpc, which differs from an EVM node's in limits
 * (the scanner halves what a node refuses) and in `removed`, which is never true (block hashes are compared); TRX by the
 * HTTP API beside it, whose blocks are proven to be of the same branch.
 * Throws as openEvmAdapter does.
 */
export function openTronAdapter(config: NetworkConfig, data: NetworkData, log?: Logger): NetworkAdapter {
  return openEvmLikeAdapter(config, data, TRON, log);
}

/** The HTTP API is what TRON's own tools call the node's URL; its JSON-RPC stands below. Either is accepted. */
export function jsonRpcUrl(text: string): string {
  const url = new URL(text);
  if (!/\/jsonrpc\/?$/.test(url.pathname)) url.pathname = `${url.pathname.replace(/\/+$/, "")}/jsonrpc`;
  return url.href;
}
