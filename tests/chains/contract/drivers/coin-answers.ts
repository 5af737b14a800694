import type { Twist } from "#tests/support/fake-node.ts";
import type { ContractDriver } from "./driver.ts";
import { LOG_LIES } from "./log-answers.ts";

type Fields = Record<string, unknown>;

/** Answers with complete blocks, changed where they hold a transaction. */
function changeBlock(change: (block: Fields, transactions: readonly Fields[]) => Fields): Twist {
  return async ({ method, params }, pass) => {
    if (method !== "eth_getBlockByNumber" || params[1] !== true) return undefined;
    const block = (await pass()) as Fields | null;
    const transactions = (block?.transactions ?? []) as Fields[];
    return block === null || transactions.length === 0 ? undefined : change(block, transactions);
  };
}

const changeTransactions = (change: (transaction: Fields) => unknown): Twist =>
  changeBlock((block, transactions) => ({ ...block, transactions: transactions.map(change) }));

const changeReceipt =
  (change: (receipt: Fields) => unknown): Twist =>
  async ({ method }, pass) =>
    method === "eth_getTransactionReceipt" ? change((await pass()) as Fields) : undefined;

/**
 * Impossible answers about a block that is read for its coin's movements, or about a transaction's success.
 */
export const COIN_LIES: ContractDriver["lies"] = {
  "a block without a hash": LOG_LIES["a block without a hash"] as Twist,
  "a block of another height": LOG_LIES["a block of another height"] as Twist,
  "transactions that are no list": changeBlock((block) => ({ ...block, transactions: {} })),
  "a block that was emptied": changeBlock((block) => ({ ...block, transactions: [] })),
  "a transaction of another block": changeTransactions((answer) => ({
    ...answer,
    blockHash: `0x${"ab".repeat(32)}`,
  })),
  "a transaction that others are missing before": changeTransactions((answer) => ({
    ...answer,
    transactionIndex: "0x7",
  })),
  "a value that is no number": changeTransactions((answer) => ({ ...answer, value: "0xzz" })),
  "no receipt": changeReceipt(() => null),
  "a receipt of another block": changeReceipt((answer) => ({ ...answer, blockHash: `0x${"ab".repeat(32)}` })),
  "a receipt without a status": changeReceipt(({ status: _, ...answer }) => answer),
};

/** A node that lists a block's transactions only by hash. */
export const COIN_CUT: ContractDriver["cut"] = {
  outcome: "refused",
  twist: changeTransactions(({ hash }) => hash),
};
