import type { Twist } from "#tests/support/fake-node.ts";
import type { ContractDriver } from "./driver.ts";
import { LOG_LIES } from "./log-answers.ts";

type Answer = Record<string, unknown>;
/** The parts of a block in java-tron's HTTP API that are changed here. */
interface Block extends Answer {
  readonly blockID: string;
  readonly block_header: { readonly raw_data: Answer };
  readonly transactions: readonly Transaction[];
}
interface Transaction extends Answer {
  readonly raw_data: { readonly contract: readonly Contract[] };
}
interface Contract {
  readonly type: string;
  readonly parameter: { readonly value: Answer };
}

export function changeBlock(change: (block: Block) => unknown): Twist {
  return async ({ method }, pass) => {
    if (method !== "wallet/getblockbylimitnext") return undefined;
    const { block } = (await pass()) as { readonly block: readonly Block[] };
    return { block: block.map(change) };
  };
}

function changeHeader(change: Answer): Twist {
  return changeBlock(({ block_header: { raw_data }, ...block }) => ({
    ...block,
    block_header: { raw_data: { ...raw_data, ...change } },
  }));
}

function changeTransactions(change: (transaction: Transaction) => Transaction): Twist {
  return changeBlock((block) => ({ ...block, transactions: block.transactions.map(change) }));
}

function changeTransfers(change: Answer): Twist {
  return changeTransactions((transaction) => ({
    ...transaction,
    raw_data: {
      contract: transaction.raw_data.contract.map(({ type, parameter: { value } }) => ({
        type,
        parameter: { value: { ...value, ...change } },
      })),
    },
  }));
}

/** Impossible answers about blocks, whatever they hold. */
export const BLOCK_LIES: ContractDriver["lies"] = {
  "a block without a hash": LOG_LIES["a block without a hash"] as Twist,
  "a block that is a list": changeBlock(() => []),
  "no block where there is one": changeBlock(() => ({})),
  "a block without an id": changeBlock((block) => ({ ...block, blockID: null })),
  "a block with another's id": changeBlock((block) => ({
    ...block,
    blockID: `${block.blockID.slice(0, 16)}${"ab".repeat(24)}`,
  })),
  "a block with the number of another": changeHeader({ number: 1 }),
  "a block without a parent": changeHeader({ parentHash: null }),
  "a block without a time": changeHeader({ timestamp: "today" }),
  "a block whose transactions were left out": changeBlock(({ transactions: _, ...block }) => block),
  "transactions that are no list": changeBlock((block) => ({ ...block, transactions: {} })),
  "a transaction of nothing": changeTransactions(() => ({}) as Transaction),
};

function changeOutcomes(change: (outcomes: readonly Answer[]) => unknown): Twist {
  return async ({ method }, pass) =>
    method === "wallet/gettransactioninfobyblocknum" ? change((await pass()) as Answer[]) : undefined;
}

/** The same about a block that holds a payment in TRX. */
export const TRX_LIES: ContractDriver["lies"] = {
  "an amount of TRX that is no number": changeTransfers({ amount: {} }),
  "an amount of TRX that is no whole number": changeTransfers({ amount: 1.5 }),
  "an amount of TRX below zero": changeTransfers({ amount: -1 }),
  "a transfer of TRX to no address": changeTransfers({ to_address: "T" }),
  "a transfer of TRX from no address": changeTransfers({ owner_address: undefined }),
  "a transaction of two contracts": changeTransactions((transaction) => {
    const { contract } = transaction.raw_data;
    return { ...transaction, raw_data: { contract: [...contract, ...contract] } };
  }),
  "a transaction without an id": changeTransactions((transaction) => ({ ...transaction, txID: "1" })),
  "a transfer without a result": changeTransactions((transaction) => ({ ...transaction, ret: [{}] })),
  "no outcomes": changeOutcomes(() => []),
  "outcomes that are no list": changeOutcomes(() => ({})),
  "the outcomes of another block": changeOutcomes((outcomes) =>
    outcomes.map((outcome) => ({ ...outcome, blockTimeStamp: 1 })),
  ),
  "outcomes without an id": changeOutcomes((outcomes) =>
    outcomes.map((outcome) => ({ ...outcome, id: null })),
  ),
};

/** The blocks of a node as it was at a height. */
export function staleBlocks(height: number): Twist {
  const blocks = changeBlock((block) =>
    Number(block.block_header.raw_data.number ?? 0) <= height ? block : {},
  );
  return (call, pass) => {
    const { method, params } = call;
    if (method === "wallet/getblockbylimitnext") return blocks(call, pass);
    if (Number((params[0] as { num?: number } | undefined)?.num) <= height) return undefined;
    return method === "wallet/gettransactioninfobyblocknum" ? [] : undefined;
  };
}
