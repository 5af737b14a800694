import { randomBytes } from "node:crypto";
import type { Hex } from "viem";
import { rpc } from "#lib/dev-chains/rpc.ts";
import { until } from "#tests/support/until.ts";
import { type GethProcess, startGethProcess } from "./geth-process.ts";

/** A consensus client for go-ethereum: it decides the next block and the branch that counts. */
export interface GethChain {
  readonly url: string;
  /** Mines `blocks` blocks. The first holds what is waiting. */
  mine(blocks: number): Promise<void>;
  /**
   * Replaces the newest `depth` blocks by as many others, at once, with these signed transactions in each. A transaction in
   * none of them waits in the node's pool again.
   */
  reorg(depth: number, blocks: readonly (readonly Hex[])[]): Promise<void>;
  kill(): Promise<void>;
}

export interface GethOptions {
  readonly program: string;
  readonly chainId: number;
  /** `finalized` is this many blocks below the head. Null: nothing is ever finalized. */
  readonly finalBlocks: number | null;
  /** More of its options. */
  readonly flags?: readonly string[];
}

interface Block {
  readonly hash: string;
  readonly timestamp: number;
  /** The parameter of engine_newPayloadV4. Absent: the first block. */
  readonly payload?: readonly unknown[];
}

const ZERO = `0x${"0".repeat(64)}`;

/** Starts go-ethereum with this process as its consensus client. A second one builds branches, from the first reorganization on. */
export async function startGethChain(options: GethOptions): Promise<GethChain> {
  const { program, chainId, finalBlocks, flags } = options;
  const main = await startGethProcess(program, chainId, flags);
  const first = (await rpc(main.url, "eth_getBlockByNumber", ["0x0", false])) as Record<string, string>;
  const chain: Block[] = [{ hash: first.hash ?? "", timestamp: Number(first.timestamp) }];
  let builder: { readonly node: GethProcess; readonly known: Set<string> } | null = null;
  const tip = () => chain.at(-1) as Block;
  const choose = (node: GethProcess, head: Block) => {
    const final = finalBlocks === null ? undefined : chain[chain.length - 1 - finalBlocks];
    const finalized = node === main && final?.payload ? final.hash : ZERO;
    return chooseHead(node, head, finalized);
  };
  const extend = async (node: GethProcess, parent: Block, transactions: readonly Hex[] | null) => {
    const block = await buildBlock(node, parent, transactions);
    await insert(node, block);
    return block;
  };
  return {
    url: main.url,
    async mine(blocks) {
      for (let i = 0; i < blocks; i++) {
        chain.push(await extend(main, tip(), null));
        await choose(main, tip());
      }
    },
    async reorg(depth, blocks) {
      builder ??= { node: await startGethProcess(program, chainId), known: new Set() };
      for (const block of chain) {
        if (!block.payload || builder.known.has(block.hash)) continue;
        await insert(builder.node, block);
        // A geth whose head is 128 blocks behind what it holds has lost that head's state, and takes no more blocks.
        await chooseHead(builder.node, block, ZERO);
        builder.known.add(block.hash);
      }
      const dropped = await transactionsOf(main.url, chain.slice(-depth));
      chain.length -= depth;
      for (let i = 0; i < depth; i++) {
        await chooseHead(builder.node, tip(), ZERO);
        chain.push(await extend(builder.node, tip(), blocks[i] ?? []));
        builder.known.add(tip().hash);
      }
      for (const block of chain.slice(-depth)) await insert(main, block);
      await choose(main, tip());
      await settlePool(main.url, dropped);
    },
    async kill() {
      await Promise.all([main.kill(), builder?.node.kill()]);
    },
  };
}

/** Null: with what waits in the node's pool. `parent` is the node's head. */
async function buildBlock(
  node: GethProcess,
  parent: Block,
  transactions: readonly Hex[] | null,
): Promise<Block> {
  const timestamp = Math.max(parent.timestamp + 1, Math.floor(Date.now() / 1_000));
  const attributes = {
    timestamp: `0x${timestamp.toString(16)}`,
    // Makes the block different from any other at its height.
    prevRandao: `0x${randomBytes(32).toString("hex")}`,
    suggestedFeeRecipient: `0x${"0".repeat(40)}`,
    withdrawals: [],
    parentBeaconBlockRoot: ZERO,
  };
  const built = (await rpc(node.url, "testing_buildBlockV1", [
    parent.hash,
    attributes,
    transactions,
    "0x",
  ])) as {
    executionPayload: { blockHash: string };
    executionRequests: readonly string[] | null;
  };
  const payload = [built.executionPayload, [], ZERO, built.executionRequests ?? []];
  return { hash: built.executionPayload.blockHash, timestamp, payload };
}

async function insert(node: GethProcess, { payload = [] }: Block): Promise<void> {
  const answer = (await node.engine("engine_newPayloadV4", ...payload)) as { status: string };
  if (answer.status !== "VALID") throw new Error(`geth refuses a block: ${JSON.stringify(answer)}`);
}

async function chooseHead(node: GethProcess, { hash }: Block, finalized: string): Promise<void> {
  const choice = { headBlockHash: hash, safeBlockHash: finalized, finalizedBlockHash: finalized };
  const { payloadStatus } = (await node.engine("engine_forkchoiceUpdatedV3", choice, null)) as {
    payloadStatus: { status: string };
  };
  if (payloadStatus.status !== "VALID")
    throw new Error(`geth refuses a head: ${JSON.stringify(payloadStatus)}`);
}

async function transactionsOf(url: string, blocks: readonly Block[]): Promise<readonly string[]> {
  const answers = await Promise.all(blocks.map(({ hash }) => rpc(url, "eth_getBlockByHash", [hash, false])));
  return answers.flatMap((block) => (block as { transactions: string[] }).transactions);
}

/** The pool follows a little after the head: what the branch dropped is back, or in the branch. */
async function settlePool(url: string, hashes: readonly string[]): Promise<void> {
  for (const hash of hashes) {
    await until(`${hash} to be known again`, () => rpc(url, "eth_getTransactionByHash", [hash]));
  }
}
