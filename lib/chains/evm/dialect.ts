import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { ChainReader } from "../network.ts";
import type { NodeClient } from "../node-client.ts";
import type { NodePool } from "../node-pool.ts";
import type { ProbeQuestion } from "../node-probe.ts";
import type { RpcClient } from "../rpc-client.ts";
import type { Sending } from "../sending.ts";
import type { TransactionRecord } from "../transactions.ts";
import type { WalletTransfer } from "../wallet-transfer.ts";
import { buildEvmPaymentUri, canonicalizeEvmAddress, toChecksumAddress } from "./codec.ts";
import type { EvmTokens, TokenForms } from "./listed-tokens.ts";
import type { NativeNode } from "./native-reader.ts";
import { ETHEREUM_COIN } from "./scan-native.ts";
import { buildEvmWalletTransfer, type TransferRequest } from "./wallet-transfer.ts";

/**
 * How a chain with Ethereum's JSON-RPC differs from Ethereum: the written form of addresses and transaction
 * hashes, and where movements of its own coin are reported. `hex` is the 20 bytes of an address in lower
 * case (0x…), as in logs and filters.
 */
export interface EvmDialect extends TokenForms {
  /** URL of the JSON-RPC of a configured node. */
  toRpcUrl(url: string): string;
  displayAddress(canonical: string): string;
  fromHex(hex: string): string;
  /** Converts a transaction hash of the JSON-RPC (0x…) to the stored form, and back. */
  fromRpcHash(hash: string): string;
  toRpcHash(txHash: string): string;
  /**
   * Milliseconds after its broadcast in which a transaction can still be included. Null: forever. Then a
   * sender's transactions have nonces, and only one transaction of a nonce is included.
   */
  readonly expiryMs: number | null;
  /** A log proves no success. Receipts are read, too. */
  readonly logsNeedResult: boolean;
  /** A block's header has the filter of its logs (block-logs.ts). java-tron's is always empty. */
  readonly hasBlooms: boolean;
  /** Coins that contracts move are only in traces. */
  readonly tracesMoves: boolean;
  /** Nodes answer about balances at an earlier block. TRON's know the newest state alone. */
  readonly knowsEarlierStates: boolean;
  /** Fees are a price of gas. False on TRON, whose fees are energy and bandwidth. */
  readonly hasGasPrice: boolean;
  /** Fetches the fee of a token's transfer where fees are no price of gas. */
  fetchTransferFee?(client: RpcClient): Promise<{ readonly coin: TokenCode; readonly fee: bigint }>;
  /** Fetches the fee of a transaction in a block, in the coin's smallest unit. Absent: its receipt says the gas and its price. */
  fetchFee?(node: NativeNode, txHash: string): Promise<bigint>;
  /**
   * `amount` in the chain's units. `to` and `contract` canonical. `contract` is null for the network's own
   * coin.
   */
  buildPaymentUri(to: string, amount: bigint, chainId: number, contract: string | null): string;
  /** Builds the request to a wallet in the payer's browser. */
  buildWalletTransfer(request: TransferRequest): WalletTransfer;
  /**
   * Lists the questions to a node outside its JSON-RPC. `readHeight` returns the height of its newest block. `receivesCoin`: the
   * network's own coin is looked for.
   */
  listProbeQuestions?(
    line: NodeClient,
    readHeight: () => Promise<number>,
    receivesCoin: boolean,
  ): readonly ProbeQuestion[];
  /** Opens the signer's requests where they differ from an EVM chain's. */
  openSending?(options: {
    readonly accountKey: string;
    readonly pool: NodePool<ChainReader & { readonly line: NodeClient; readonly client: RpcClient }>;
    readonly tokens: EvmTokens;
  }): Sending;
  /** For nodes that report more about a transaction outside their JSON-RPC. */
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
  logsNeedResult: false,
  hasBlooms: true,
  tracesMoves: true,
  knowsEarlierStates: true,
  hasGasPrice: true,
  buildPaymentUri: buildEvmPaymentUri,
  buildWalletTransfer: buildEvmWalletTransfer,
  native: ETHEREUM_COIN,
};
