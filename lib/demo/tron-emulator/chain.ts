import { FAUCET } from "#lib/domain/sandbox/test-usdt.ts";
import { deployUsdt } from "../usdt.ts";
import { makeBlockId, parseHeight } from "./block-id.ts";
import { type BroadcastRefusal, type ChainFacts, checkTransaction } from "./check-transaction.ts";
import { type Engine, EngineError, startEngine } from "./engine.ts";
import { toEvmCall } from "./execution-result.ts";
import { balanceAfter, callAfter, type EvmCall } from "./pending-state.ts";
import { type SignedTronTransaction, targetOf } from "./transaction.ts";
import { type KnownTransaction, TransactionBook } from "./transaction-book.ts";

/** The faucet's initial TRX, in sun. One sun is one wei of the EVM. */
const FAUCET_SUN = 10n ** 15n;

export interface TronBlock {
  readonly height: number;
  /** 64 hex digits without 0x, like all ids here. */
  readonly id: string;
  readonly parentId: string;
  readonly timeMs: number;
  readonly transactions: readonly SignedTronTransaction[];
}

export interface EvmLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly transactionHash: string;
  readonly transactionIndex: string;
  readonly logIndex: string;
}

export interface EvmReceipt {
  readonly status: string;
  readonly gasUsed: string;
  readonly blockNumber: string;
  readonly transactionIndex: string;
  readonly transactionHash: string;
  readonly logs: readonly EvmLog[];
}

interface EvmBlock {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: string;
  readonly transactions: readonly { hash: string; from: string; input: string }[];
}

export interface ChainOptions {
  readonly chainId: number;
  readonly statePath?: string;
  /** Blocks between the head and the solidified block. */
  readonly solidifiedLag: number;
}

/** Opens the chain kept at `statePath`, or a new one with the test USDT and a funded faucet. */
export async function openTronChain(options: ChainOptions): Promise<TronChain> {
  const { chainId, statePath } = options;
  const book = new TransactionBook(statePath === undefined ? null : `${statePath}.journal`);
  const engine = await startEngine({ chainId, ...(statePath !== undefined && { statePath }) }, (url, batch) =>
    prepare(url, batch, book),
  );
  return new TronChain(engine, book, options);
}

const MINED_AT_ONCE = 500;

/**
 * A TRON chain over an anvil. Block n is anvil's block n. Each transaction runs there as its owner (toEvmCall),
 * so anvil's chain alone says what was executed. The book adds the signed transactions and the waiting ones.
 */
export class TronChain {
  readonly engine: Engine;
  readonly book: TransactionBook;
  readonly chainId: number;
  readonly #solidifiedLag: number;
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(engine: Engine, book: TransactionBook, options: ChainOptions) {
    this.engine = engine;
    this.book = book;
    this.chainId = options.chainId;
    this.#solidifiedLag = options.solidifiedLag;
  }

  async head(): Promise<TronBlock> {
    return this.#read((await this.engine.call("eth_getBlockByNumber", ["latest", true])) as EvmBlock);
  }

  async heights(): Promise<{ readonly head: number; readonly solid: number }> {
    const head = Number(await this.engine.call("eth_blockNumber"));
    return { head, solid: Math.max(0, head - this.#solidifiedLag) };
  }

  async solidHeight(): Promise<number> {
    return (await this.heights()).solid;
  }

  async block(height: number): Promise<TronBlock | null> {
    const found = await this.engine.call("eth_getBlockByNumber", [quantity(height), true]);
    return found === null ? null : this.#read(found as EvmBlock);
  }

  async blockById(id: string): Promise<TronBlock | null> {
    const height = parseHeight(id);
    const found = height === null ? null : await this.block(height);
    return found?.id === id.replace(/^0x/, "").toLowerCase() ? found : null;
  }

  blockId(height: number, evmHash: string): string {
    return makeBlockId(height, evmHash, this.chainId);
  }

  /** A transaction in a block, with its receipt. */
  async find(txId: string): Promise<{ signed: SignedTronTransaction; receipt: EvmReceipt } | null> {
    const signed = this.book.get(txId);
    const evmHash = this.book.evmHashOf(txId);
    if (signed === null || evmHash === null) return null;
    const receipt = await this.engine.call("eth_getTransactionReceipt", [evmHash]);
    return receipt === null ? null : { signed, receipt: receipt as EvmReceipt };
  }

  /** A transaction that was accepted and is in no block. */
  findWaiting(txId: string): SignedTronTransaction | null {
    return this.book.isWaiting(txId) ? this.book.get(txId) : null;
  }

  /** What a call returns on the newest block and what waits. Throws EngineError when it reverts. */
  call(call: EvmCall): Promise<string> {
    return this.#steady(() => callAfter(this.engine, this.book.waiting(), call));
  }

  /** An address's TRX on the newest block and what waits, in sun. */
  balance(address: string): Promise<bigint> {
    return this.#steady(() => balanceAfter(this.engine, this.book.waiting(), address));
  }

  /**
   * TRON ids of EVM transactions. For transactions without a signature (deployment of the test token) the
   * EVM hash.
   */
  async idsOf(evmHashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const unknown = [...new Set(evmHashes)].filter((hash) => this.book.txIdOf(hash) === null);
    const found = await this.engine.batch(unknown.map((hash) => ["eth_getTransactionByHash", [hash]]));
    linkTransactions(this.book, found as EvmBlock["transactions"]);
    return new Map(evmHashes.map((hash) => [hash, this.book.txIdOf(hash) ?? hash.slice(2)]));
  }

  /** null when the transaction was accepted and waits for the next block. */
  broadcast(signed: SignedTronTransaction): Promise<BroadcastRefusal | null> {
    return this.#inTurn(async () => {
      const head = await this.head();
      const refusal = await checkTransaction(signed, await this.#factsFor(signed, head));
      if (refusal === null) this.book.add(signed, head.height);
      return refusal;
    });
  }

  /** In steps: anvil needs more than the timeout of a call for many blocks, and other changes need not wait for all. */
  async mine(blocks: number): Promise<void> {
    for (let left = blocks; left > 0; left -= MINED_AT_ONCE) {
      const more = Math.min(left, MINED_AT_ONCE) - 1;
      await this.#inTurn(async () => {
        await this.#mineWaiting(this.book.waiting());
        if (more > 0) await this.engine.call("anvil_mine", [quantity(more)]);
      });
    }
  }

  /**
   * Replaces the newest `depth` blocks by as many others. `keep` executes their transactions again at the
   * same heights, except those in `without`. Transactions that are not executed again are gone and may be
   * broadcast again.
   */
  reorg(depth: number, keep: boolean, without: readonly string[] = []): Promise<void> {
    return this.#inTurn(async () => {
      const { height, timeMs } = await this.head();
      const replaced: (TronBlock | null)[] = [];
      for (let at = height - depth + 1; at <= height; at++) replaced.push(await this.block(at));
      await this.engine.call("anvil_rollback", [depth]);
      // Another timestamp gives another hash, for an empty block too.
      await this.engine.call("evm_setNextBlockTimestamp", [timeMs / 1_000 + 1]);
      for (const block of replaced) {
        const held = (block?.transactions ?? []).flatMap(({ txId }) => this.book.get(txId) ?? []);
        const again = held.filter(({ txId }) => keep && !without.includes(txId));
        for (const one of held) again.includes(one) ? this.book.wait(one.txId) : this.book.drop(one.txId);
        await this.#mineWaiting(again);
      }
    });
  }

  /** Deploys a contract from the faucet, in its own block. Resolves to its address, 20 bytes of hex. */
  deploy(data: string): Promise<string> {
    return this.#inTurn(async () => {
      const [, hash] = await this.engine.batch([
        ["anvil_setNextBlockBaseFeePerGas", ["0x0"]],
        ["eth_sendTransaction", [{ from: FAUCET.address, data, gasPrice: "0x0" }]],
      ]);
      await this.engine.call("evm_mine");
      const receipt = await this.engine.call("eth_getTransactionReceipt", [hash]);
      return (receipt as { contractAddress: string }).contractAddress;
    });
  }

  stop(): Promise<void> {
    return this.#inTurn(() => this.engine.stop());
  }

  /** Runs one change of the chain at a time. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#lastChange.then(change, change);
    this.#lastChange = turn.catch(() => {});
    return turn;
  }

  /** Reads while no block takes up what waits. */
  #steady<T>(read: () => Promise<T>): Promise<T> {
    return this.book.waiting().length === 0 ? read() : this.#inTurn(read);
  }

  /** Mines one block with these transactions. */
  async #mineWaiting(transactions: readonly KnownTransaction[]): Promise<void> {
    for (const transaction of transactions) {
      await this.#execute(transaction).catch((error: unknown) => {
        if (!(error instanceof EngineError)) throw error;
      });
    }
    await this.engine.call("evm_mine");
    if (transactions.length === 0) return;
    const included = (await this.head()).transactions;
    for (const { txId } of included) this.book.include(txId, this.book.evmHashOf(txId) ?? "");
    // Valid at broadcast and not any more, for example because a reorg took the TRX that it spends.
    const left = transactions.filter(({ txId }) => this.book.isWaiting(txId));
    if (left.length > 0) await this.engine.call("anvil_dropAllTransactions");
    for (const { txId } of left) this.book.drop(txId);
    await this.engine.save();
  }

  async #execute(transaction: KnownTransaction): Promise<void> {
    await this.engine.batch([
      ["anvil_setNextBlockBaseFeePerGas", ["0x0"]],
      ["eth_sendTransaction", [toEvmCall(transaction)]],
    ]);
  }

  async #factsFor({ txId, raw }: SignedTronTransaction, head: TronBlock): Promise<ChainFacts> {
    const { action, refBlockBytes } = raw;
    const code = await this.engine.call("eth_getCode", [targetOf(action), "latest"]);
    const behind = (head.height - Number(`0x${refBlockBytes}`)) & 0xffff;
    const isReference = /^[0-9a-f]{4}$/.test(refBlockBytes) && behind <= head.height;
    const referred = isReference ? await this.block(head.height - behind) : null;
    return {
      headTimeMs: head.timeMs,
      referredId: referred?.id ?? null,
      known: this.book.get(txId) !== null,
      balance: await balanceAfter(this.engine, this.book.waiting(), action.owner),
      targetIsContract: code !== "0x",
    };
  }

  #read(found: EvmBlock): TronBlock {
    const height = Number(found.number);
    return {
      height,
      id: this.blockId(height, found.hash),
      parentId: height === 0 ? "0".repeat(64) : this.blockId(height - 1, found.parentHash),
      timeMs: Number(found.timestamp) * 1_000,
      transactions: linkTransactions(this.book, found.transactions),
    };
  }
}

/** The TRON transactions among the EVM transactions, in order. The book records their EVM hashes. */
function linkTransactions(
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
async function prepare(url: string, batch: Engine["batch"], book: TransactionBook): Promise<void> {
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
