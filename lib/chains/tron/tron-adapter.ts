import type { EvmDialect } from "../evm/dialect.ts";
import { openEvmLikeAdapter } from "../evm/evm-adapter.ts";
import type { AdapterTools, NetworkAdapter, NetworkConfig } from "../network.ts";
import type { NetworkData } from "../network-data.ts";
import { canonicalizeTronAddress, tronAddressFromHex, tronAddressToHex } from "./address.ts";
import { fetchTronFee } from "./fetch-fee.ts";
import { fetchTronTransactionRecord } from "./http-api.ts";
import { listTronProbeQuestions } from "./list-probe-questions.ts";
import { openTronSending } from "./open-sending.ts";
import { TRX } from "./scan-trx.ts";
import { fetchTronTransferFee } from "./transfer-fee.ts";
import { buildTronWalletTransfer } from "./wallet-transfer.ts";

/**
 * TRON's written forms: base58check addresses, hashes without 0x. There is no common URI that names a token.
 */
const TRON: EvmDialect = {
  toRpcUrl: jsonRpcUrl,
  canonicalizeAddress: canonicalizeTronAddress,
  displayAddress: (canonical) => canonical,
  fromHex: tronAddressFromHex,
  toHex: tronAddressToHex,
  fromRpcHash: (hash) => hash.slice(2),
  toRpcHash: (txHash) => `0x${txHash.replace(/^0x/i, "").toLowerCase()}`,
  // Nodes accept no transaction with an expiration further ahead.
  expiryMs: 24 * 3_600_000,
  logsNeedResult: true,
  hasBlooms: false,
  tracesMoves: false,
  knowsEarlierStates: false,
  hasGasPrice: false,
  fetchTransferFee: fetchTronTransferFee,
  fetchFee: fetchTronFee,
  openSending: openTronSending,
  buildPaymentUri: (to) => to,
  buildWalletTransfer: buildTronWalletTransfer,
  native: TRX,
  listProbeQuestions: listTronProbeQuestions,
  fetchTransactionRecord: fetchTronTransactionRecord,
};

/**
 * A TRON network. TRC-20 tokens are read from logs with java-tron's /jsonrpc. It differs from an EVM node in
 * its limits (the scanner halves refused ranges) and in `removed`, which is never true (block hashes are
 * compared). TRX is read with the HTTP API, whose blocks are proven to be of the same branch. Throws as
 * openEvmAdapter does.
 */
export function openTronAdapter(
  config: NetworkConfig,
  data: NetworkData,
  tools: AdapterTools = {},
): NetworkAdapter {
  return openEvmLikeAdapter(config, data, TRON, tools);
}

/**
 * TRON's own tools use the URL of the HTTP API. The JSON-RPC is at a path below it. Both URLs are accepted.
 */
export function jsonRpcUrl(text: string): string {
  const url = new URL(text);
  if (!/\/jsonrpc\/?$/.test(url.pathname)) url.pathname = `${url.pathname.replace(/\/+$/, "")}/jsonrpc`;
  return url.href;
}
