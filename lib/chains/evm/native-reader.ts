import type { NodeClient } from "../node-client.ts";
import type { RpcClient } from "../rpc-client.ts";
import type { EvmBlockHeader } from "./codec.ts";

/** One movement of the network's own coin that a transaction makes itself, and that did not fail. */
export interface NativeMovement {
  /** As the JSON-RPC writes it (0x…). */
  readonly txHash: string;
  /** Sender and receiver: 20 bytes of lower-case hex, as logs carry them. */
  readonly sender: string;
  readonly address: string;
  /** In the coin's smallest unit on its chain (wei, sun); above 0. */
  readonly amount: bigint;
  readonly blockHeight: number;
  readonly blockHash: string;
}

/** What a transaction of a block moves of the chain's own coin. */
export interface NativeEffect {
  /** Itself; null: nothing. An address of null: no address of this network. */
  readonly moved: { readonly address: string | null; readonly amount: bigint } | null;
  /** Did code run in it? What that moves stands in no transaction and in no log. */
  readonly codeRan: boolean;
}

export interface NativeScan {
  /** In the order of their blocks. */
  readonly movements: readonly NativeMovement[];
  /** Of every block that was read, in order: each is the parent of the next. */
  readonly headers: readonly EvmBlockHeader[];
}

/** One node, by whichever of its interfaces. */
export interface NativeNode {
  readonly line: NodeClient;
  readonly client: RpcClient;
}

/** Given addresses in hex, answers which are ours. */
export type HexFilter = (addresses: readonly string[]) => Promise<ReadonlySet<string>>;

/** How a chain tells the movements of its own coin, which leave no log. */
export interface NativeReader {
  /**
   * Movements to addresses of ours in blocks from..to (inclusive), read whole, a bounded part of them held at a time.
   * Throws RangeError on an empty range, NodeError("inconsistent") where the blocks are not of one branch.
   */
  scanNative(
    node: NativeNode,
    range: { readonly from: number; readonly to: number },
    ours: HexFilter,
  ): Promise<NativeScan>;
  /** Of one that did not fail; `txHash`, `transaction` and `receipt` as the JSON-RPC tells them. */
  fetchEffect(
    node: NativeNode,
    told: { readonly txHash: string; readonly transaction: unknown; readonly receipt: unknown },
  ): Promise<NativeEffect>;
}
