import { rescale } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import type { NetworkFee } from "../network-fee.ts";
import { NodeError } from "../node-error.ts";
import type { RpcClient } from "../rpc-client.ts";
import type { TransactionCost, TransactionPayments } from "../transactions.ts";
import { NO_POSITION } from "../transfers.ts";
import { type ChainToken, toLedgerUnits } from "../units.ts";
import {
  parseEvmAddress,
  parseEvmHash,
  parseQuantity,
  parseTransferLogs,
  parseUint256,
  TRANSFER_TOPIC,
} from "./codec.ts";
import type { EvmDialect } from "./dialect.ts";
import { fetchWithReceipt } from "./fetch-receipt.ts";
import { fetchChainHeaders } from "./headers.ts";
import type { EvmTokens, ListedContract } from "./listed-tokens.ts";
import type { NativeNode, NativeReader } from "./native-reader.ts";

/**
 * See Transactions.fetchPayments. Token payments and failure are in the receipt, so only the block shows
 * them.
 */
export async function fetchEvmPayments(
  node: NativeNode,
  tokens: EvmTokens,
  dialect: EvmDialect,
  txHash: string,
): Promise<TransactionPayments | null> {
  const { client } = node;
  const { transaction, receipt } = await fetchWithReceipt(client, dialect.toRpcHash(txHash));
  if (transaction === null && receipt === null) return null;
  const spends = transaction === null || dialect.expiryMs !== null ? [] : [numberOf(transaction)];
  const waiting = { block: null, failed: false, payments: null, inconclusiveToken: null, spends };
  if (receipt === null) return waiting;
  const { status, blockNumber, blockHash, logs } = receipt;
  const height = parseQuantity("a receipt's block", blockNumber);
  const hash = parseEvmHash("a receipt's block hash", blockHash);
  const [header] = await fetchChainHeaders(client, [height]);
  if (header?.hash !== hash) return waiting;
  const failed = parseQuantity("a receipt's status", status) !== 1;
  if (failed) return { block: { height, hash }, failed, payments: [], inconclusiveToken: null, spends };
  const details = { txHash: dialect.toRpcHash(txHash), transaction, receipt };
  const coin = await readCoin(node, tokens, dialect, details);
  const payments = [...coin.payments, ...readTransfers(logs, tokens.contracts, dialect)];
  return { block: { height, hash }, failed, payments, inconclusiveToken: coin.inconclusiveToken, spends };
}

/** The code of a listed token is known: it moves the token and no coin. Other code may move coins. */
async function readCoin(
  node: NativeNode,
  { coin, contracts }: EvmTokens,
  dialect: EvmDialect,
  details: Parameters<NativeReader["fetchEffect"]>[1],
): Promise<{
  payments: NonNullable<TransactionPayments["payments"]>;
  inconclusiveToken: TransactionPayments["inconclusiveToken"];
}> {
  const called = String((details.transaction as Record<string, unknown> | null)?.to).toLowerCase();
  const isListed = contracts.some(({ contract }) => contract === called);
  if (coin === null || isListed) return { payments: [], inconclusiveToken: null };
  const { moved, codeRan } = await coin.reader.fetchEffect(node, details);
  const inconclusiveToken = codeRan ? coin.token : null;
  if (moved === null) return { payments: [], inconclusiveToken };
  const address = moved.address && dialect.fromHex(moved.address);
  const amount = toLedgerUnits(moved.amount, coin);
  return { payments: [{ position: NO_POSITION, token: coin.token, address, amount }], inconclusiveToken };
}

/** Sender and nonce. The chain includes one transaction of each nonce. */
export function numberOf(transaction: unknown): string {
  const { from, nonce } = transaction as Record<string, unknown>;
  return `${parseEvmAddress("a transaction's sender", from)}:${parseQuantity("a transaction's nonce", nonce)}`;
}

function readTransfers(logs: unknown, tokens: readonly ListedContract[], dialect: EvmDialect) {
  if (!Array.isArray(logs)) throw new NodeError("malformed", "the node sent a receipt without logs");
  const listedBy = new Map(tokens.map((token) => [token.contract, token]));
  const ours = logs.filter(
    ({ address, topics }) => listedBy.has(String(address).toLowerCase()) && topics?.[0] === TRANSFER_TOPIC,
  );
  return parseTransferLogs(ours).flatMap(({ contract, logIndex, address, amount }) => {
    const listed = listedBy.get(contract);
    if (!listed) return [];
    return {
      position: logIndex,
      token: listed.token,
      address: dialect.fromHex(address),
      amount: toLedgerUnits(amount, listed),
    };
  });
}

export interface ExpiryCheck {
  /** Null: transactions do not expire. */
  readonly expiryMs: number | null;
  readonly blockSeconds: number;
  readonly since: Date;
  readonly height: number;
}

/**
 * See Transactions.hasExpired. True when the block at `height` is later than `since` plus the
 * expiry, and the node still has a block from before `since`: it would know a transaction that was included
 * in between.
 */
export async function hasTransactionExpired(
  client: RpcClient,
  { expiryMs, blockSeconds, since, height }: ExpiryCheck,
): Promise<boolean> {
  if (expiryMs === null || height < 0) return false;
  const [last] = await fetchChainHeaders(client, [height]);
  if (!last) throw new NodeError("inconsistent", `the node does not have block ${height}`);
  const passedMs = last.time.getTime() - since.getTime();
  if (passedMs <= expiryMs) return false;
  // Blocks are never faster than blockSeconds, so this block is not later than `since`.
  const earlier = Math.max(0, height - Math.ceil(passedMs / 1_000 / blockSeconds) - 1);
  const [first] = await fetchChainHeaders(client, [earlier]);
  return first !== null && first !== undefined && first.time <= since;
}

/** An ERC-20 transfer to an address that never held the token: the most expensive plain transfer. */
const TRANSFER_GAS = 65_000;
/** Decimals of a wei. */
const WEI_DECIMALS = 18;

/** The cost of a token transfer at the node's gas price, in the network's own coin. */
export async function fetchEvmNetworkFee(client: RpcClient, coin: TokenCode): Promise<NetworkFee> {
  const gasPrice = BigInt(parseQuantity("its gas price", await client.call("eth_gasPrice")));
  const fee = rescale(gasPrice * BigInt(TRANSFER_GAS), WEI_DECIMALS, TOKENS[coin].ledgerDecimals);
  return { kind: "per_gas", coin, fee, gas: TRANSFER_GAS, gasPrice };
}

/** See Transactions.fetchCost. A failed transaction costs as much as one that succeeds. */
export async function fetchEvmCost(
  node: NativeNode,
  coin: ChainToken,
  dialect: EvmDialect,
  txHash: string,
): Promise<TransactionCost | null> {
  const { transaction, receipt } = await fetchWithReceipt(node.client, dialect.toRpcHash(txHash));
  if (transaction === null && receipt === null) return null;
  const spends = transaction === null || dialect.expiryMs !== null ? [] : [numberOf(transaction)];
  if (receipt === null) return { block: null, fee: null, spends };
  const height = parseQuantity("a receipt's block", receipt.blockNumber);
  const hash = parseEvmHash("a receipt's block hash", receipt.blockHash);
  const [header] = await fetchChainHeaders(node.client, [height]);
  if (header?.hash !== hash) return { block: null, fee: null, spends };
  const fee = (await dialect.fetchFee?.(node, txHash)) ?? readGasFee(receipt);
  return { block: { height, hash }, fee: toLedgerUnits(fee, coin), spends };
}

/** Gas at its price. Chains whose data is on another chain (Base) ask for that in addition (docs.optimism.io, Transaction fees). */
function readGasFee({ gasUsed, effectiveGasPrice, l1Fee }: Record<string, unknown>): bigint {
  const gas =
    parseUint256("a receipt's gas", gasUsed) * parseUint256("a receipt's gas price", effectiveGasPrice);
  return l1Fee === undefined || l1Fee === null ? gas : gas + parseUint256("a receipt's fee of data", l1Fee);
}
