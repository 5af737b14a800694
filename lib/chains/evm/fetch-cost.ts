import type { TransactionCost } from "../transactions.ts";
import { type ChainToken, toLedgerUnits } from "../units.ts";
import { parseEvmHash, parseQuantity, parseUint256 } from "./codec.ts";
import type { EvmDialect } from "./dialect.ts";
import { numberOf } from "./fetch-payments.ts";
import { fetchWithReceipt } from "./fetch-receipt.ts";
import { fetchChainHeaders } from "./headers.ts";
import type { NativeNode } from "./native-reader.ts";

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
