import { parseQuantity } from "../evm/codec.ts";
import type { EvmDialect } from "../evm/dialect.ts";
import { openEvmLikeAdapter } from "../evm/evm-adapter.ts";
import type { NativeNode } from "../evm/native-reader.ts";
import { type TransferRequest, toHexQuantity } from "../evm/wallet-transfer.ts";
import type { AdapterTools, NetworkAdapter, NetworkConfig } from "../network.ts";
import type { NetworkData } from "../network-data.ts";
import { NodeError } from "../node-error.ts";
import { parseFields, parseUint } from "../parse-json.ts";
import type { RpcClient } from "../rpc-client.ts";
import type { TronWalletTransfer } from "../wallet-transfer.ts";
import { canonicalizeTronAddress, tronAddressFromHex, tronAddressToHex } from "./address.ts";
import { callTronApi, fetchTronTransactionRecord } from "./http-api.ts";
import { listTronProbeQuestions } from "./list-probe-questions.ts";
import { openTronSending } from "./open-sending.ts";
import { TRX } from "./scan-trx.ts";

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

/** Fetches the sun that a transaction in a block burned for bandwidth, energy and new accounts. A fee of 0 is left out by the node. */
async function fetchTronFee({ line }: NativeNode, txHash: string): Promise<bigint> {
  const { value } = await callTronApi(line, "gettransactioninfobyid", { value: txHash });
  const { id, fee = 0 } = parseFields("a transaction's outcome", value);
  if (id !== txHash) throw new NodeError("inconsistent", `the node does not tell what ${txHash} cost`);
  return BigInt(parseUint("a transaction's fee", fee));
}

/** Energy of a transfer of USDT to an address that holds none, as new addresses do (tronscan.org, contract TR7NHq…). */
const ENERGY = 130_285;
/** A transfer of a token has about 345 bytes, and a byte costs 1,000 SUN of bandwidth (TRON's parameter getTransactionFee). */
const BANDWIDTH_SUN = 345_000;

/** Fetches the TRX that a payer without staked TRX burns for a transfer of USDT. java-tron's eth_gasPrice is the price of energy in SUN. */
async function fetchTronTransferFee(client: RpcClient): Promise<{ coin: "trx"; fee: bigint }> {
  const price = parseQuantity("its price of energy", await client.call("eth_gasPrice"));
  return { coin: "trx", fee: BigInt(price * ENERGY + BANDWIDTH_SUN) };
}

/**
 * 100 TRX, the limit that TRON's developer guide uses (developers.tron.network, "Set FeeLimit"). A transfer of USDT to an
 * address that holds none burns about 13 TRX.
 */
const FEE_LIMIT = 100_000_000;

/** Builds the request for TronWeb in a TRON wallet. */
function buildTronWalletTransfer({ chainId, contract, to, amount }: TransferRequest): TronWalletTransfer {
  return {
    kind: "tip1193",
    chainId: toHexQuantity(chainId),
    contract,
    to,
    amount: amount.toString(),
    feeLimit: FEE_LIMIT,
  };
}
