import { FAUCET } from "../payers/test-usdt.ts";
import { deployUsdt } from "../usdt.ts";
import type { Engine } from "./engine.ts";
import type { SignedTronTransaction } from "./transaction.ts";
import type { TransactionBook } from "./transaction-book.ts";

/** The faucet's initial TRX, in sun. One sun is one wei of the EVM. */
const FAUCET_SUN = 10n ** 15n;

/** A block of the EVM, with its transactions. */
export interface EvmBlock {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: string;
  readonly transactions: readonly { hash: string; from: string; input: string }[];
}

/** The TRON transactions among the EVM transactions, in order. The book records their EVM hashes. */
export function linkTransactions(
  book: TransactionBook,
  transactions: EvmBlock["transactions"],
): SignedTronTransaction[] {
  return transactions.flatMap(({ hash, from, input }) => {
    const transaction = book.get(input.slice(-64));
    if (transaction === null || transaction.raw.action.owner !== from.toLowerCase()) return [];
    book.link(transaction.txId, hash);
    return transaction;
  });
}

/** Prepares a node, new or left running, and finds out which transactions it has executed. */
export async function prepareEngine(
  url: string,
  batch: Engine["batch"],
  book: TransactionBook,
): Promise<void> {
  await batch([
    ["anvil_dropAllTransactions", []],
    ["anvil_autoImpersonateAccount", [true]],
    ["evm_setBlockGasLimit", ["0xffffffffffff"]],
  ]);
  await deployUsdt(url, { decimals: 6 });
  const [balance] = await batch([["eth_getBalance", [FAUCET.address, "latest"]]]);
  if (BigInt(String(balance)) > FAUCET_SUN) {
    await batch([["anvil_setBalance", [FAUCET.address, quantity(FAUCET_SUN)]]]);
  }
  await findExecuted(batch, book);
}

async function findExecuted(batch: Engine["batch"], book: TransactionBook): Promise<void> {
  const linked = book.all().filter(({ txId }) => book.evmHashOf(txId) !== null);
  const receipts = await batch(
    linked.map(({ txId }) => ["eth_getTransactionReceipt", [book.evmHashOf(txId)]]),
  );
  for (const [i, { txId }] of linked.entries()) if (receipts[i] === null) book.wait(txId);
  const missing = book.all().filter(({ txId }) => book.evmHashOf(txId) === null);
  for (const { txId } of missing) book.wait(txId);
  if (missing.length === 0) return;
  // It may have been executed just before a kill without a journal entry. Then its block is above the head of
  // its broadcast.
  const head = Number((await batch([["eth_blockNumber", []]]))[0]);
  for (let height = Math.min(...missing.map((tx) => tx.height)) + 1; height <= head; height++) {
    const [block] = (await batch([["eth_getBlockByNumber", [quantity(height), true]]])) as EvmBlock[];
    for (const { txId } of linkTransactions(book, block?.transactions ?? [])) {
      book.include(txId, book.evmHashOf(txId) ?? "");
    }
  }
}

export function quantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}
