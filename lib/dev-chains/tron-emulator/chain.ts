import { FAUCET } from "../payers/test-usdt.ts";
import { makeBlockId, parseHeight } from "./block-id.ts";
import { type BroadcastRefusal, type ChainFacts, checkTransaction } from "./check-transaction.ts";
import { type Engine, EngineError, type EngineOptions, startEngine } from "./engine.ts";
import { type EvmBlock, linkTransactions, prepareEngine, quantity } from "./evm-blocks.ts";
import { executionResult, targetOf, toEvmCall } from "./execution-result.ts";
import { balanceAfter, callAfter, type EvmCall } from "./pending-state.ts";
import { type Plan, type Planned, planBlock } from "./plan-block.ts";
import { type Charge, Resources } from "./resources.ts";
import type { SignedTronTransaction } from "./transaction.ts";
import { type KnownTransaction, TransactionBook } from "./transaction-book.ts";

/** Gets the fees. */
const BLACK_HOLE = "0x000000000000000000000000000000000000b1ac";

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
  /** The EVM's limit for it. */
  readonly gas: string;
  readonly blockNumber: string;
  readonly transactionIndex: string;
  readonly transactionHash: string;
  readonly logs: readonly EvmLog[];
}

export interface ChainOptions {
  readonly chainId: number;
  readonly statePath?: string;
  /** Blocks between the head and the solidified block. */
  readonly solidifiedLag: number;
  /** Transactions use bandwidth and energy, and their owners pay for what they lack. */
  readonly resources: boolean;
  /** Default: startAnvil. */
  readonly startEngineNode?: EngineOptions["start"];
}

/** Opens the chain kept at `statePath`, or a new one with the test USDT and a funded faucet. */
export async function openTronChain(options: ChainOptions): Promise<TronChain> {
  const { chainId, statePath, startEngineNode: start } = options;
  const book = new TransactionBook(statePath === undefined ? null : `${statePath}.journal`);
  const given = { chainId, ...(statePath !== undefined && { statePath }), ...(start && { start }) };
  const engine = await startEngine(given, (url, batch) => prepareEngine(url, batch, book));
  const chain = new TronChain(engine, book, options);
  if (options.resources) await chain.replay();
  return chain;
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
  /** After the newest block. Null if no one pays on this chain. */
  #resources: Resources | null;
  readonly #charges = new Map<string, Charge>();
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(engine: Engine, book: TransactionBook, options: ChainOptions) {
    this.engine = engine;
    this.book = book;
    this.chainId = options.chainId;
    this.#solidifiedLag = options.solidifiedLag;
    this.#resources = options.resources ? new Resources() : null;
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
    const [receipt] = await this.#receipts([evmHash]);
    return receipt == null ? null : { signed, receipt };
  }

  /** The use and fee of a transaction in a block. Null if no one pays on this chain. */
  chargeOf(txId: string): Charge | null {
    return this.#charges.get(txId) ?? null;
  }

  /** The frozen TRX and the use of all accounts after the newest block and the transactions that wait. Null if no one pays on this chain. */
  async resources(): Promise<{ readonly state: Resources; readonly nowMs: number } | null> {
    if (this.#resources === null) return null;
    return this.#steady(async () => {
      const { timeMs } = await this.head();
      return { state: (await this.#plan(this.book.waiting(), timeMs)).resources, nowMs: timeMs };
    });
  }

  /** A transaction that was accepted and is in no block. */
  findWaiting(txId: string): SignedTronTransaction | null {
    return this.book.isWaiting(txId) ? this.book.get(txId) : null;
  }

  /** The result of a call on the newest block and the transactions that wait. Throws EngineError when it reverts. */
  call(call: EvmCall): Promise<string> {
    return this.#steady(() => callAfter(this.engine, this.book.waiting(), call));
  }

  /** An address's TRX on the newest block and what waits, in sun. */
  balance(address: string): Promise<bigint> {
    return this.#steady(async () => {
      const waiting = this.book.waiting();
      const balance = await balanceAfter(this.engine, waiting, address);
      if (this.#resources === null || waiting.length === 0) return balance;
      const { fees } = await this.#plan(waiting, (await this.head()).timeMs);
      return balance - (fees.get(address) ?? 0n);
    });
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

  /** Returns null if the transaction was accepted and waits for the next block. */
  broadcast(signed: SignedTronTransaction): Promise<BroadcastRefusal | null> {
    return this.#inTurn(async () => {
      const head = await this.head();
      const refusal = await checkTransaction(signed, await this.#factsFor(signed, head));
      if (refusal === null) this.book.add(signed, head.height);
      return refusal;
    });
  }

  /**
   * In steps: anvil needs more than the timeout of a call for many blocks, and other changes need not wait for all. `empty`: as by
   * witnesses that have not heard of what waits.
   */
  async mine(blocks: number, { empty = false } = {}): Promise<void> {
    for (let left = blocks; left > 0; left -= MINED_AT_ONCE) {
      const more = Math.min(left, MINED_AT_ONCE) - (empty ? 0 : 1);
      await this.#inTurn(async () => {
        if (!empty) await this.#mineWaiting(this.book.waiting());
        if (more > 0) await this.engine.call("anvil_mine", [quantity(more)]);
      });
    }
  }

  /** The next block is this much later. */
  advance(seconds: number): Promise<void> {
    return this.#inTurn(async () => void (await this.engine.call("evm_increaseTime", [seconds])));
  }

  /** The waiting transactions are lost, as when a node is started again. */
  forget(): Promise<void> {
    return this.#inTurn(async () => {
      for (const { txId } of this.book.waiting()) this.book.drop(txId);
    });
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
      if (this.#resources !== null) await this.replay();
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

  /** Mines one block with these transactions, without those that have expired. */
  async #mineWaiting(waiting: readonly KnownTransaction[]): Promise<void> {
    const head = waiting.length === 0 ? null : await this.head();
    const isExpired = ({ raw }: KnownTransaction) => head !== null && raw.expiration <= head.timeMs;
    const transactions = waiting.filter((one) => !isExpired(one));
    for (const one of waiting) if (isExpired(one)) this.book.drop(one.txId);
    const { included } = await this.#plan(transactions, head?.timeMs ?? 0);
    for (const planned of included) await this.#execute(planned);
    // After all of them, so that the places of transactions in a block are those of TRON.
    for (const { transaction, charge } of included) {
      if (charge === null || charge.fee === 0n) continue;
      const value = quantity(charge.fee);
      const fee = {
        from: transaction.raw.action.owner,
        to: BLACK_HOLE,
        value,
        gas: "0x5208",
        gasPrice: "0x0",
      };
      await this.engine.batch([["eth_sendTransaction", [fee]]]);
    }
    await this.engine.call("evm_mine");
    if (transactions.length === 0) return;
    const { height, transactions: mined } = await this.head();
    for (const { txId } of mined) this.book.include(txId, this.book.evmHashOf(txId) ?? "");
    if (this.#resources !== null) await this.#apply(this.#resources, height, mined);
    // Valid at broadcast and not any more, for example because a reorg took the TRX that it spends.
    const left = transactions.filter(({ txId }) => this.book.isWaiting(txId));
    if (left.length > 0) await this.engine.call("anvil_dropAllTransactions");
    for (const { txId } of left) this.book.drop(txId);
    await this.engine.save();
  }

  async #plan(waiting: readonly KnownTransaction[], headTimeMs: number): Promise<Plan<KnownTransaction>> {
    if (this.#resources !== null) return planBlock(this.engine, this.#resources, waiting, headTimeMs);
    const included = waiting.map((transaction) => ({
      transaction,
      energySun: transaction.raw.feeLimit,
      charge: null,
    }));
    return { included, left: [], fees: new Map(), resources: new Resources() };
  }

  async #execute({ transaction, energySun }: Planned<KnownTransaction>): Promise<void> {
    await this.engine
      .batch([
        ["anvil_setNextBlockBaseFeePerGas", ["0x0"]],
        ["eth_sendTransaction", [toEvmCall(transaction, energySun)]],
      ])
      .catch((error: unknown) => {
        if (!(error instanceof EngineError)) throw error;
      });
  }

  /** Finds out again what accounts have frozen and used, from the whole chain. */
  async replay(): Promise<void> {
    const resources = new Resources();
    resources.activate(FAUCET.address);
    const known = this.book.all().flatMap(({ txId }) => this.book.evmHashOf(txId) ?? []);
    const receipts = (await this.#receipts(known)).flatMap((receipt) => receipt ?? []);
    const heights = [...new Set(receipts.map(({ blockNumber }) => Number(blockNumber)))].toSorted(
      (a, b) => a - b,
    );
    for (const height of heights)
      await this.#apply(resources, height, (await this.block(height))?.transactions ?? []);
    this.#resources = resources;
  }

  /** As java-tron, it counts a block's transactions at the time of the block before. */
  async #apply(
    resources: Resources,
    height: number,
    transactions: readonly SignedTronTransaction[],
  ): Promise<void> {
    const before = await this.block(height - 1);
    const receipts = await this.#receipts(transactions.map(({ txId }) => this.book.evmHashOf(txId) ?? ""));
    for (const [at, signed] of transactions.entries()) {
      const receipt = receipts[at];
      if (receipt == null) continue;
      const { energy } = executionResult(signed, receipt);
      this.#charges.set(signed.txId, resources.apply(signed, energy, before?.timeMs ?? 0));
    }
  }

  async #receipts(evmHashes: readonly string[]): Promise<readonly (EvmReceipt | null)[]> {
    const answers = await this.engine.batch(
      evmHashes.flatMap((hash) => [
        ["eth_getTransactionReceipt", [hash]] as const,
        ["eth_getTransactionByHash", [hash]] as const,
      ]),
    );
    return evmHashes.map((_, at) => {
      const [receipt = null, transaction] = [answers[2 * at], answers[2 * at + 1]] as (EvmReceipt | null)[];
      return receipt && { ...receipt, gas: transaction?.gas ?? "0x0" };
    });
  }

  async #factsFor(signed: SignedTronTransaction, head: TronBlock): Promise<ChainFacts> {
    const { txId, raw } = signed;
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
      unpayable: this.#resources === null ? null : await this.#whyUnpayable(signed, head),
      hasStakes: this.#resources !== null,
    };
  }

  async #whyUnpayable(signed: SignedTronTransaction, { height, timeMs }: TronBlock): Promise<string | null> {
    const { left } = await this.#plan([...this.book.waiting(), { ...signed, height }], timeMs);
    return left.find(({ transaction }) => transaction.txId === signed.txId)?.reason ?? null;
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
