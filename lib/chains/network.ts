import type { Logger } from "pino";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { AddressWatch } from "./address-book.ts";
import type { Addresses } from "./addresses.ts";
import type { Blocks, LateReports } from "./blocks.ts";
import type { Custody } from "./custody.ts";
import type { LastBlock } from "./last-block.ts";
import type { MempoolReader, NewsFeed } from "./mempool-reader.ts";
import type { ConfirmationTier, Env, NetworkData } from "./network-data.ts";
import type { FeeRates, Fees } from "./network-fee.ts";
import type { NetworkCode } from "./networks.ts";
import type { CertificateStore } from "./node-certificates.ts";
import type { NodeCounters } from "./node-metrics.ts";
import type { NodeProbe, ProbeOptions } from "./node-probe.ts";
import type { LastRead } from "./node-rules.ts";
import type { Sending } from "./sending.ts";
import type { Transactions } from "./transactions.ts";
import type { UnlistedTokens } from "./transfers.ts";

/** Switches a network on in an environment: its nodes, and the account key that addresses derive from. */
export interface NetworkConfig {
  readonly env: Env;
  readonly network: NetworkCode;
  /** At least one, best first. */
  readonly rpcUrls: readonly string[];
  /**
   * The extended public key of the account. The account's address (r…) where all addresses are tags of one
   * account. Empty where addresses come from a pool.
   */
  readonly accountKey: string;
  readonly zmqUrl: string | null;
  /**
   * The test chain of the test environment ("regtest", "devnet"), on networks that are identified by their
   * genesis. Null or absent: the network's default.
   */
  readonly chain?: string | null;
  /** Development chains only. Replaces the chain id of NETWORKS. */
  readonly chainId: number | null;
  /** Development chains only. Replaces the contracts of NETWORKS: if any is given, all of them. */
  readonly contracts: Readonly<Partial<Record<TokenCode, string>>>;
  /**
   * Requests a second that each node allows us. 0: no limit. Absent: depends on the node's address
   * (getDefaultCallRate).
   */
  readonly rpcBudget?: number;
  /** TRON: the URL of the HTTP API (/wallet) of each of `rpcUrls`, in the same order. Absent: next to the JSON-RPC. */
  readonly walletUrls?: readonly string[];
  /** Secret headers for each of `rpcUrls`, in the same order. Absent: none. */
  readonly rpcHeaders?: readonly Readonly<Record<string, string>>[];
  /** Replaces the tiers of NETWORKS on a network that counts confirmations. Amounts ascend; the last has none. */
  readonly confirmations?: readonly ConfirmationTier[];
  /** The only tokens of NETWORKS that are received. Absent: all. Withdrawals are possible in all. */
  readonly tokens?: readonly TokenCode[];
  /** Coins that contracts move are read, from the node's traces. Absent: no. */
  readonly traces?: boolean;
  /** Further addresses that hold our coins: cold wallets, and on Solana the hot account. As a person wrote them. Absent: none. */
  readonly ownAddresses?: readonly string[];
  /** Seconds between two looks at the network while no payment is expected. Absent or 0: as often as always. */
  readonly idleSeconds?: number;
}

/** Reads a chain, from one node or from any node of a network that answers. Each capability is whole, or null. */
export interface ChainReader {
  readonly blocks: Blocks;
  /** Null where a scan always sees everything. */
  readonly late: LateReports | null;
  /** Null where nodes cannot be asked about a transaction. Then the network only receives. */
  readonly transactions: Transactions | null;
  /** Null where the fee of a transfer is not known. */
  readonly fees: Fees | null;
  /** Null where the fee is not a rate. */
  readonly feeRates: FeeRates | null;
  /** Null where nodes cannot be asked what addresses hold. */
  readonly custody: Custody | null;
  /** Null where the family has no such tokens, or no way to ask for them. */
  readonly unlistedTokens: UnlistedTokens | null;
}

/** A node that can be asked about transactions. */
export interface TransactionReader extends ChainReader {
  readonly transactions: Transactions;
}

/** Where an adapter logs and counts its work. Commands do neither. */
export interface AdapterTools {
  /** Absent: only certificates of a public authority are accepted. */
  readonly certificates?: CertificateStore;
  readonly log?: Logger;
  readonly counters?: NodeCounters;
}

/** The state of one node. Never holds the URL, which may contain a key. */
export interface NodeReport {
  readonly name: string;
  /** The last height it reported. Null: never asked. */
  readonly height: number | null;
  /** The error that keeps it out of use now. Null: none. */
  readonly error: string | null;
}

/** The answer of one node. Not ok: it did not answer. */
export type NodeAnswer<T> = { readonly ok: true; readonly result: T } | { readonly ok: false };

/** The nodes of one network, best first. */
export interface Nodes<Node extends ChainReader = ChainReader> {
  /**
   * Runs `work` on one node, so that everything it reads is of one branch. `lastBlock` is the newest block
   * that was read before. Nodes below it are not used. A node on another branch is used only if its branch
   * is longer and no other node could do the work for a while. A node that is known to have it (`lastRead`) may leave its
   * branch. When the node fails, `work` starts again with the next one. `signal` aborts the requests. Throws NodeError when
   * no node could do it.
   */
  withOne<T>(
    options: {
      readonly lastBlock: LastBlock;
      readonly lastRead?: LastRead;
      readonly signal?: AbortSignal;
    },
    work: (node: Node, name: string) => Promise<T>,
  ): Promise<T>;
  /** Asks every node at once, also those that are not in use. */
  askEach<T>(ask: (node: Node) => Promise<T>): Promise<readonly NodeAnswer<T>[]>;
  /** Tries out everything that is asked of each node, also of those that are not in use. */
  probe(options: ProbeOptions): Promise<readonly NodeProbe[]>;
  report(): readonly NodeReport[];
}

/**
 * One network in one environment, read through its nodes. Every family implements this and passes the same
 * tests.
 */
export interface NetworkAdapter extends ChainReader {
  readonly env: Env;
  readonly network: NetworkCode;
  readonly data: NetworkData;
  /** The configured extended public key or account. Empty where addresses come from a pool. */
  readonly accountKey: string;
  /** True: payments that contracts send in the network's own coin are not read. */
  readonly missesContracts: boolean;
  readonly nodes: Nodes;
  readonly addresses: Addresses;
  /** Null where nodes show whole blocks. */
  readonly addressWatch: AddressWatch | null;
  /** Null where waiting transactions are not visible: what is in no block is then unknown. */
  readonly mempool: MempoolReader | null;
  /** Null where nodes do not push news. */
  readonly news: NewsFeed | null;
  /** Null where the signer cannot send yet. */
  readonly sending: Sending | null;
}

/** A network whose nodes can be asked about transactions. Withdrawals need one. */
export interface TransactionNetwork extends NetworkAdapter {
  readonly transactions: Transactions;
  readonly nodes: Nodes<TransactionReader>;
}

/** Whether the nodes of a network can be asked about transactions. */
export const hasTransactions = (adapter: NetworkAdapter): adapter is TransactionNetwork =>
  adapter.transactions !== null;

/** The networks that are on, by environment. */
export interface NetworkRegistry {
  find(env: Env, network: string): NetworkAdapter | null;
  list(env: Env): readonly NetworkAdapter[];
  all(): readonly NetworkAdapter[];
}

/** The network if it is on and its nodes can be asked about transactions. */
export function findTransactionNetwork(
  networks: NetworkRegistry,
  { env, network }: { readonly env: Env; readonly network: string },
): TransactionNetwork | null {
  const adapter = networks.find(env, network);
  return adapter !== null && hasTransactions(adapter) ? adapter : null;
}
