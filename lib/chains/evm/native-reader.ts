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
}

/** One node, with all its interfaces. */
export interface NativeNode {
  readonly line: NodeClient;
  readonly client: RpcClient;
  readonly reportUnreadable: ReportUnreadable;
  /** Asks for traces, and waits longer for them. Null: coins that contracts move are not read. */
  readonly tracing: RpcClient | null;
  /** The newest block that the node reported in this pass. It need not be asked for again. Null: not asked yet. */
  readonly knownHead: () => EvmBlockHeader | null;
}

/** Takes addresses in hex and returns those that are ours. */
export type HexFilter = (addresses: readonly string[]) => Promise<ReadonlySet<string>>;

/** How a chain reports movements of its own coin. They have no logs. */
export interface NativeReader {
  /**
   * Reads movements to our addresses in blocks from..to (inclusive), with a bounded part in memory. Throws
   * RangeError on an empty range, and NodeError("inconsistent") where the blocks are not of one branch.
   */
  scanNative(
    node: NativeNode,
    range: { readonly from: number; readonly to: number },
    ours: HexFilter,
    options?: ScanOptions,
  ): Promise<NativeScan>;
  /** For a successful transaction. `txHash`, `transaction` and `receipt` are as in the JSON-RPC. */
  fetchEffect(
    node: NativeNode,
    details: { readonly txHash: string; readonly transaction: unknown; readonly receipt: unknown },
  ): Promise<NativeEffect>;
}
