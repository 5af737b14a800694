import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import type { NetworkConfig, NetworkRegistry } from "#lib/chains/network.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { TransactionStatus } from "#lib/chains/transactions.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { FakeNode, Twist } from "#tests/support/fake-node.ts";

/** An address and an amount in ledger units. */
export type Payment = readonly [to: string, amount: bigint];

export interface NodeBlock {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly time: Date;
}

/** The abilities that a network lacks. Cases that need them are skipped. */
export type Inability =
  | "pay several addresses at once"
  | "be reorganized"
  /** A node of a chain that others mine: blocks come when they come, and the head moves between two questions. */
  | "mine on demand"
  | "derive addresses from a key"
  /** Its family has no `transactions`. Nothing can be withdrawn there. */
  | "look up transactions"
  /** By another one with the same number or input. Elsewhere a transaction ends only by its expiry. */
  | "replace a transaction for good"
  /** It reads what a server says that changed, and not again when asked. */
  | "read a block again"
  /** Each at its own position, several of them to one address. */
  | "tell several payments of one transaction apart";

/** Reference values for a network's addresses: other people's software and public vectors. */
export interface AddressFacts {
  /** Addresses of the live network below WORDS, by index. */
  readonly vectors: readonly string[];
  /** The receiving account, where all addresses are tags of one. Absent: addresses derive from WORDS. */
  readonly account?: string;
  /** Path of an address by its index. Absent: below the account path. */
  path?(index: number): string;
  /** Returns the text that a payment to a displayed address must carry in addition (a destination tag). Absent: none. */
  extra?(shown: string): string;
  /** The address that a wallet shows for WORDS, or for the account, at a path. */
  walletAddress(path: string): string;
  /** Every spelling of a displayed address. */
  spellings(shown: string): readonly string[];
  /** Texts that are not addresses of the test environment's network. Some are addresses of other networks. */
  readonly others: readonly string[];
}

/** The fields that a wallet reads from a payment URI. */
export interface ReadUri {
  readonly address: string;
  /** Ledger units. Null where the URI has no amount. */
  readonly amount: bigint | null;
  /** Null for the network's own coin, or where the URI has no token. */
  readonly contract: string | null;
  readonly chainId: number | null;
}

/** A node of a network with a payer: all that the contract suite needs in addition to the adapter. */
export interface ContractDriver {
  readonly network: NetworkCode;
  readonly token: TokenCode;
  /** Name and version, as the node reports them. */
  readonly node: string;
  /** Node URLs that a fake can be in front of. */
  readonly rpcUrl: string;
  /** Contract of the token, as displayed. Null for the network's own coin. */
  readonly contract: string | null;
  readonly chainId: number | null;
  /** Starts a fake in front of a node. Absent: one that speaks HTTP. */
  startFake?(rpcUrl: string): Promise<FakeNode>;
  /** The smallest amount that the chain can move, in ledger units. */
  readonly smallest: bigint;
  /** Its payments have a position in their transaction. Otherwise they have NO_POSITION. */
  readonly positioned: boolean;
  /** Prices for openRates. */
  readonly rates: string;
  readonly addresses: AddressFacts;
  /** Address `index` as displayed, where the adapter derives none. */
  newAddress?(index: number): string;
  /** Rows that the database needs before addresses of the network can be allocated. */
  prepare?(db: Db): Promise<void>;
  /** A hash that no transaction has. Absent: the given hash with zeros at its end. */
  readonly unknownHash?: string;
  /** The node's status of a waiting payment, of a failed one, and of one that a reorg reverted. */
  readonly statusKinds: Readonly<Record<"waiting" | "failed" | "reverted", TransactionStatus["kind"]>>;
  /** A payment is visible before it is in a block. */
  readonly showsMempool: boolean;
  /** Blocks, including its own, until a small payment of a link is credited. */
  readonly blocksToCredit: number;
  /** The network of the test environment with these nodes. */
  open(...urls: string[]): NetworkRegistry;
  /** The same with other settings of the operator, where a test needs it. */
  openWith?(changes: Partial<NetworkConfig>, url: string): NetworkRegistry;
  /** Parsed by other people's software. Throws on an invalid wallet URI. */
  readUri(uri: string): ReadUri;

  /** The node's own answer. */
  tip(): Promise<NodeBlock>;
  block(height: number): Promise<NodeBlock>;
  mine(blocks?: number): Promise<void>;
  /** Broadcasts a payment in the token without mining it. Resolves to its hash as the adapter writes it. */
  send(to: string, amount: bigint): Promise<string>;
  /** One transaction that makes all of these payments. */
  sendMany(payments: readonly Payment[]): Promise<string>;
  /** The payer replaces a waiting payment by another one. The first can never be mined again. */
  replace(hash: string, to: string, amount: bigint): Promise<string>;
  /** Replaces the newest `depth` blocks by at least as many others, with or without their payments. */
  reorg(depth: number, options: { keep: boolean }): Promise<void>;
  /** Makes a payment that a reorg reverted wait again. */
  resend(hash: string): Promise<void>;
  /** A payment that fails: in the next block where blocks hold failures, otherwise refused by the node. */
  sendFailing(to: string): Promise<string>;
  /** Sends everything else of value that exists on this network to this address. */
  sendOthers(to: string): Promise<void>;
  /** Sends fake payments in the token to this address. */
  sendLookAlikes(to: string): Promise<void>;
  /** A payment of 0. */
  sendNothing(to: string): Promise<void>;

  /** Impossible answers about a block that holds a payment. */
  readonly lies: Readonly<Record<string, Twist>>;
  /** A node whose answers are cut short, and how the adapter handles it. */
  readonly cut: { readonly twist: Twist; readonly outcome: "refused" | "asked again in parts" };
  /** The node as it was at a height. */
  stale(height: number): Promise<Twist>;
  close(): Promise<void>;
}

export const WORDS =
  "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";

/** Extended public key below WORDS. */
export function accountKey(path: string): string {
  return HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS)).derive(path).publicExtendedKey;
}

/** Unassigned addresses on each network, and texts that are not addresses. */
export const ADDRESSES = {
  bitcoin: "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
  bep20: "0x9858EfFD232B4033E47d90003D41EC34EcaEda94",
  trc20: "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH",
  none: [
    "",
    " ",
    "0x",
    "bc1",
    "T",
    "0x9858efFD232B4033E47d90003D41EC34EcaEda94",
    "1111111111111111111114oLvT2",
  ],
} as const;
