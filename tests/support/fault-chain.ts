import type { NetworkConfig } from "#lib/chains/network.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";

/** A transfer to one of our addresses in the chain now, reported by the node, not by the tested code. */
export interface Received {
  readonly txHash: string;
  readonly position: number;
  readonly address: string;
  /** Ledger units. */
  readonly amount: bigint;
}

/** The fate of transactions in the blocks that a reorganization replaces. */
export interface Fate {
  /** Transactions that are never mined again. */
  readonly gone?: readonly string[];
  /** All other transactions wait to be mined again. They are not in the new blocks. */
  readonly later?: boolean;
}

/** A node of a private chain, in its own process, mined by hand. */
export interface FaultChain {
  readonly network: NetworkCode;
  readonly token: "usdt" | "btc";
  readonly nodeUrl: string;
  readonly config: NetworkConfig;
  /** Blocks on top of a payment after which it must be credited, whatever its amount in these tests. */
  readonly settleBlocks: number;
  /** The server's variables, with the node at this URL. */
  env(rpcUrl: string): Record<string, string>;
  /** Broadcasts a payment (ledger units), not mined. Resolves to the hash as the database has it. */
  pay(address: string, amount: bigint): Promise<string>;
  /** Broadcasts these payments in as few transactions as the network allows; `single` forces one each. */
  payMany(payments: readonly { address: string; amount: bigint }[]): Promise<void>;
  mine(blocks?: number): Promise<void>;
  height(): Promise<number>;
  tip(): Promise<string>;
  /** Replaces the newest `depth` blocks. */
  reorg(depth: number, fate?: Fate): Promise<void>;
  /** Broadcasts a transaction again that a reorg removed. */
  again(txHash: string): Promise<void>;
  /** Everything that these addresses received in blocks, and the chain's own balances, which must agree. */
  received(addresses: readonly string[]): Promise<readonly Received[]>;
  /** A node of the same kind that has nothing to do with this chain. */
  stranger(sameIdentity: boolean): Promise<{ url: string; stop(): Promise<void> }>;
  close(): Promise<void>;
}
