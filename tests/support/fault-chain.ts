import type { NetworkConfig } from "#lib/chains/network.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";

/** A movement to one of our addresses in the chain as it is now, told by the node, not by the code under test. */
export interface Received {
  readonly txHash: string;
  readonly position: number;
  readonly address: string;
  /** Ledger units. */
  readonly amount: bigint;
}

/** What a reorganisation does to the transactions of the blocks that it replaces. */
export interface Fate {
  /** These are never mined again. */
  readonly gone?: readonly string[];
  /** All others wait to be mined again, instead of standing in the new blocks. */
  readonly later?: boolean;
}

/** A node of a private chain, a process of its own, mined by hand. */
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
  /** Broadcasts these payments in as few transactions as the network likes; `single` forces one each. */
  payMany(payments: readonly { address: string; amount: bigint }[]): Promise<void>;
  mine(blocks?: number): Promise<void>;
  height(): Promise<number>;
  tip(): Promise<string>;
  /** Replaces the newest `depth` blocks. */
  reorg(depth: number, fate?: Fate): Promise<void>;
  /** Sends a mined transaction that a reorganisation made go away once more. */
  again(txHash: string): Promise<void>;
  /** Everything these addresses received in blocks, and the chain's own balances, which must agree with it. */
  received(addresses: readonly string[]): Promise<readonly Received[]>;
  /** A node of the same kind that has nothing to do with this chain. */
  stranger(sameIdentity: boolean): Promise<{ url: string; stop(): Promise<void> }>;
  close(): Promise<void>;
}
