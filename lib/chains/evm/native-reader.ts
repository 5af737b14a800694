import type { ScanOptions } from "../blocks.ts";
import type { NodeClient } from "../node-client.ts";
import type { RpcClient } from "../rpc-client.ts";
import type { ReportUnreadable } from "../unreadable.ts";
import type { EvmBlockHeader } from "./codec.ts";

/** One successful movement of the network's own coin. */
export interface NativeMovement {
  /** As the JSON-RPC writes it (0x…). */
  readonly txHash: string;
  /** Sender and receiver: 20 bytes of lower-case hex, as in logs. */
  readonly sender: string;
  readonly address: string;
  /** In the coin's smallest unit (wei, sun). Above 0. */
  readonly amount: bigint;
  readonly blockHeight: number;
  readonly blockHash: string;
  /** The position of a movement by a contract. Absent: the transaction moves it itself. */
  readonly position?: number;
}

/** The movements of the chain's own coin in a transaction. */
export interface NativeEffect {
  /**
   * The movement of the transaction itself. Null: none. The address is null when it is not an address of this
   * network.
   */
  readonly moved: { readonly address: string | null; readonly amount: bigint } | null;
  /** Returns whether code ran. Coins that code moves are in no transaction and in no log. */
  readonly codeRan: boolean;
}

export interface NativeScan {
  /** In block order. */
  readonly movements: readonly NativeMovement[];
  /** The headers of every block that was read, in order. Each is the parent of the next. */
  readonly headers: readonly EvmBlockHeader[];
  /** Heights of blocks that were read without their traces (ScanOptions). */
  readonly untraced: readonly number[];
  /** False: these blocks show their logs, and no log of the asked contracts pays our addresses. True: one may. Null: they show none. */
  readonly mayPayByLogs: boolean | null;
}

/** Whole blocks above a height, up to the node's newest one. */
export interface BlocksAhead {
  readonly from: number;
  readonly newest: EvmBlockHeader;
  /** As the node sent them. */
  readonly sent: readonly unknown[];
  /** Characters of the answer. */
  readonly size: number;
}

export interface NativeScanOptions extends ScanOptions {
  /** The contracts whose logs are wanted, where blocks show them (NativeScan.mayPayByLogs). */
  readonly contracts?: readonly string[];
}

/** One node, with all its interfaces. */
export interface NativeNode {
  readonly line: NodeClient;
  readonly client: RpcClient;
  /** The same node, for questions that are asked at the same time: they go out with one request (openJoiningClient). */
  readonly joining: RpcClient;
  readonly reportUnreadable: ReportUnreadable;
  /** Asks for traces, and waits longer for them. Null: coins that contracts move are not read. */
  readonly tracing: RpcClient | null;
  /** The newest block that the node reported in this pass. It need not be asked for again. Null: not asked yet. */
  readonly knownHead: () => EvmBlockHeader | null;
  /** The newest blocks, where the node was asked for them in place of its head. Null: it was not. */
  readonly ahead: () => BlocksAhead | null;
}

/** Takes addresses in hex and returns those that are ours. */
export type HexFilter = (addresses: readonly string[]) => Promise<ReadonlySet<string>>;

/** How a chain reports movements of its own coin. They have no logs. */
export interface NativeReader {
  /** The blocks that it reads show their logs, too (NativeScan.mayPayByLogs). */
  readonly showsLogs: boolean;
  /**
   * Fetches the blocks above a height, up to the node's newest block. Null: the node has no block above it, or more than one answer holds.
   * A reader without this function asks for the head.
   */
  fetchAhead?(line: NodeClient, above: number): Promise<BlocksAhead | null>;
  /**
   * Reads movements to our addresses in blocks from..to (inclusive), with a bounded part in memory. Throws
   * RangeError on an empty range, and NodeError("inconsistent") where the blocks are not of one branch.
   */
  scanNative(
    node: NativeNode,
    range: { readonly from: number; readonly to: number },
    ours: HexFilter,
    options?: NativeScanOptions,
  ): Promise<NativeScan>;
  /** For a successful transaction. `txHash`, `transaction` and `receipt` are as in the JSON-RPC. */
  fetchEffect(
    node: NativeNode,
    details: { readonly txHash: string; readonly transaction: unknown; readonly receipt: unknown },
  ): Promise<NativeEffect>;
}
