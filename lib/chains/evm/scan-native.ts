import type { ScanOptions } from "../blocks.ts";
import { NodeError } from "../node-error.ts";
import type { RpcClient } from "../rpc-client.ts";
import { leaveOutOthers, type UnreadableEntry } from "../unreadable.ts";
import {
  listReceiver,
  type NativeTransaction,
  parseEvmAddress,
  parseEvmBlock,
  parseEvmHash,
  parseQuantity,
  parseUint256,
} from "./codec.ts";
import { checkParent, toHexHeight } from "./headers.ts";
import type {
  HexFilter,
  NativeEffect,
  NativeMovement,
  NativeNode,
  NativeReader,
  NativeScan,
} from "./native-reader.ts";
import { readTracedMovements } from "./read-traces.ts";

/**
 * The most transactions in one answer, by the mean of the answer before. Then the first and the largest
 * number of blocks.
 */
const REQUEST_TRANSACTIONS = 2_000;
const FIRST_BLOCKS = 4;
const REQUEST_BLOCKS = 100;
const REQUEST_RECEIPTS = 50;
/**
 * The gas of a transaction that only moves its value. Data, a new contract and every step of code cost more.
 * Any other sum means that code may have run: in the receiver, or by EIP-7702 in an account.
 */
const PLAIN_TRANSFER_GAS = 21_000;

/**
 * Ether and similar coins: a transaction moves its `value` to its `to`. Coins that contracts move are in no
 * block. They are read from traces, where the operator wants it. A block does not report failures, so the receipts of our transactions are read.
 */
export const ETHEREUM_COIN: NativeReader = {
  showsLogs: false,
  scanNative,
  fetchEffect: async (_node, { txHash, transaction, receipt }) => readOutcome(txHash, transaction, receipt),
};

async function scanNative(
  { client, reportUnreadable, tracing }: NativeNode,
  { from, to }: { readonly from: number; readonly to: number },
  ours: HexFilter,
  { mayLackTraces = false }: ScanOptions = {},
): Promise<NativeScan> {
  const headers: NativeScan["headers"][number][] = [];
  const movements: NativeMovement[] = [];
  const moved: NativeMovement[] = [];
  const unreadable: UnreadableEntry[] = [];
  const untraced: number[] = [];
  for await (const blocks of readBlocks(client, from, to, unreadable)) {
    for (const { header } of blocks) {
      checkParent(header, headers.at(-1));
      headers.push(header);
    }
    const candidates = blocks.flatMap(({ header, transactions }) =>
      transactions.flatMap((transaction) => toMovement(transaction, header) ?? []),
    );
    const traced = tracing ? await readTracedMovements(tracing, blocks, mayLackTraces ? untraced : null) : [];
    const owned = await ours([...candidates, ...traced].map(({ address }) => address));
    movements.push(...candidates.filter(({ address }) => owned.has(address)));
    moved.push(...traced.filter(({ address }) => owned.has(address)));
  }
  await leaveOutOthers(unreadable, listReceiver, ours, reportUnreadable);
  return {
    movements: [...(await keepSuccessful(client, movements)), ...moved],
    headers,
    untraced,
    mayPayByLogs: null,
  };
}

/**
 * Reads blocks in order, as many in a request as their transactions allow. The next request is already under
 * way.
 */
async function* readBlocks(client: RpcClient, from: number, to: number, unreadable: UnreadableEntry[]) {
  if (to < from) throw new RangeError("scan: an empty range");
  const request = (start: number, count: number) => {
    const heights = Array.from({ length: Math.min(count, to - start + 1) }, (_, i) => start + i);
    const blocks = requestBlocks(client, heights, unreadable);
    // Awaited below, unless the caller stops before that.
    blocks.catch(() => {});
    return { blocks, next: start + heights.length };
  };
  let asked: ReturnType<typeof request> | null = request(from, FIRST_BLOCKS);
  while (asked !== null) {
    const { next, blocks: answer }: ReturnType<typeof request> = asked;
    const blocks = await answer;
    const held = blocks.reduce((sum, { transactions }) => sum + transactions.length, 0);
    const fitting = Math.floor((REQUEST_TRANSACTIONS * blocks.length) / Math.max(1, held));
    const count = Math.max(1, Math.min(fitting, REQUEST_BLOCKS, 4 * blocks.length));
    asked = next > to ? null : request(next, count);
    yield blocks;
  }
}

async function requestBlocks(client: RpcClient, heights: readonly number[], unreadable: UnreadableEntry[]) {
  const answers = await client.batch(
    heights.map((height) => ({ method: "eth_getBlockByNumber", params: [toHexHeight(height), true] })),
  );
  return answers.map((answer, i) => {
    const block = parseEvmBlock(answer, unreadable);
    if (block === null) throw new NodeError("inconsistent", `the node does not have block ${heights[i]}`);
    if (block.header.height !== heights[i]) {
      throw new NodeError("malformed", `asked for block ${heights[i]}, the node sent ${block.header.height}`);
    }
    return block;
  });
}

function toMovement(
  { hash, sender, receiver, value }: NativeTransaction,
  block: { readonly height: number; readonly hash: string },
): NativeMovement | null {
  if (receiver === null || value === 0n) return null;
  return {
    txHash: hash,
    sender,
    address: receiver,
    amount: value,
    blockHeight: block.height,
    blockHash: block.hash,
  };
}

/** Keeps the movements whose receipts, of the same blocks, report success. */
export async function keepSuccessful<T extends Pick<NativeMovement, "txHash" | "blockHash">>(
  client: RpcClient,
  movements: readonly T[],
): Promise<readonly T[]> {
  const succeeded: T[] = [];
  for (let i = 0; i < movements.length; i += REQUEST_RECEIPTS) {
    const part = movements.slice(i, i + REQUEST_RECEIPTS);
    const hashes = [...new Set(part.map(({ txHash }) => txHash))];
    const answers = await client.batch(
      hashes.map((txHash) => ({ method: "eth_getTransactionReceipt", params: [txHash] })),
    );
    const receipts = new Map(hashes.map((txHash, at) => [txHash, answers[at]]));
    for (const movement of part)
      if (succeededIn(receipts.get(movement.txHash), movement)) succeeded.push(movement);
  }
  return succeeded;
}

function succeededIn(
  receipt: unknown,
  { txHash, blockHash }: Pick<NativeMovement, "txHash" | "blockHash">,
): boolean {
  if (typeof receipt !== "object" || receipt === null) {
    throw new NodeError("inconsistent", `the node has no receipt of ${txHash}`);
  }
  const details = receipt as Record<string, unknown>;
  if (
    parseEvmHash("a receipt's transaction", details.transactionHash) !== txHash ||
    parseEvmHash("a receipt's block hash", details.blockHash) !== blockHash
  ) {
    throw new NodeError("inconsistent", `the receipt of ${txHash} is of another block or transaction`);
  }
  return parseQuantity("a receipt's status", details.status) === 1;
}

/** The value of a transaction that creates a contract goes to that contract. */
function readOutcome(txHash: string, transaction: unknown, receipt: unknown): NativeEffect {
  if (typeof transaction !== "object" || transaction === null) {
    throw new NodeError("inconsistent", `the node has a receipt of ${txHash}, and no transaction`);
  }
  const { to, value } = transaction as Record<string, unknown>;
  const { contractAddress, gasUsed } = receipt as Record<string, unknown>;
  const amount = parseUint256("a transaction's value", value);
  const codeRan = parseQuantity("a receipt's gas", gasUsed) !== PLAIN_TRANSFER_GAS;
  if (amount === 0n) return { moved: null, codeRan };
  return {
    moved: { address: parseEvmAddress("a transaction's receiver", to ?? contractAddress), amount },
    codeRan,
  };
}
