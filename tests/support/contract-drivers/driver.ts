import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import type { NetworkRegistry, TransactionStatus } from "#lib/chains/network.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { Twist } from "../fake-node.ts";

/** An address and an amount in ledger units. */
export type Payment = readonly [to: string, amount: bigint];

export interface NodeBlock {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly time: Date;
}

/** What a network cannot do by its nature, so that a case of it says nothing there. */
export type Inability =
  | "pay several addresses at once"
  | "be reorganised"
  | "derive addresses from a key"
  /** Each at its own place, several to one address among them. */
  | "tell several payments of one transaction apart";

/** What a network's addresses are held against: other people's software, and vectors that anybody can look up. */
export interface AddressFacts {
  /** Addresses of the live network below WORDS, by index. */
  readonly vectors: readonly string[];
  /** The account that receives, where all addresses are of one; absent: they derive from WORDS. */
  readonly account?: string;
  /** Of an address by its index. Absent: below the account path. */
  path?(index: number): string;
  /** What a payment to a shown address carries beside it (a destination tag). Absent: nothing. */
  extra?(shown: string): string;
  /** What a wallet shows for WORDS, or the account, at a path. */
  walletAddress(path: string): string;
  /** Every spelling of a shown address. */
  spellings(shown: string): readonly string[];
  /** No addresses of the test environment's network, though some are another's. */
  readonly others: readonly string[];
}

/** What a wallet reads from a payment URI. */
export interface ReadUri {
  readonly address: string;
  /** Ledger units; null where the URI names none. */
  readonly amount: bigint | null;
  /** null where it is the network's own coin, or the URI names none. */
  readonly contract: string | null;
  readonly chainId: number | null;
}

/** A node of a network with somebody who pays on it: all that the contract suite needs beside the adapter. */
export interface ContractDriver {
  readonly network: NetworkCode;
  readonly token: TokenCode;
  /** Name and version, as the node says them. */
  readonly node: string;
  /** What a fake may stand in front of. */
  readonly rpcUrl: string;
  /** Of the token, as shown; null for the network's own coin. */
  readonly contract: string | null;
  readonly chainId: number | null;
  /** Ledger units of the smallest amount that the chain can move. */
  readonly smallest: bigint;
  /** Its payments have a position among those of their transaction; else they have NO_POSITION. */
  readonly positioned: boolean;
  /** Prices for openRates. */
  readonly rates: string;
  readonly addresses: AddressFacts;
  /** Address `index` as shown, where the adapter derives none. */
  newAddress?(index: number): string;
  /** What the database must hold before addresses of the network can be given out. */
  prepare?(db: Db): Promise<void>;
  /** A hash that no transaction has; absent: the given one with zeros at its end. */
  readonly unknownHash?: string;
  /** What the node says of a payment that waits, of one that failed, and of one that a reorganisation took back. */
  readonly verdicts: Readonly<Record<"waiting" | "failed" | "takenBack", TransactionStatus["kind"]>>;
  /** A payment shows before it stands in a block. */
  readonly showsMempool: boolean;
  /** Blocks, its own included, until a small payment of a link is credited. */
  readonly blocksToCredit: number;
  /** The network of the test environment over these nodes. */
  open(...urls: string[]): NetworkRegistry;
  /** By software that is not ours. Throws on what is no URI of a wallet's. */
  readUri(uri: string): ReadUri;

  /** The node's own words. */
  tip(): Promise<NodeBlock>;
  block(height: number): Promise<NodeBlock>;
  mine(blocks?: number): Promise<void>;
  /** Broadcasts a payment in the token, not mined. Resolves to its hash as the adapter writes it. */
  send(to: string, amount: bigint): Promise<string>;
  /** One transaction that makes all of these payments. */
  sendMany(payments: readonly Payment[]): Promise<string>;
  /** The payer makes another payment in place of one that waits, which can never be mined any more. */
  replace(hash: string, to: string, amount: bigint): Promise<string>;
  /** Replaces the newest `depth` blocks by at least as many others, with the payments they held or without. */
  reorg(depth: number, options: { keep: boolean }): Promise<void>;
  /** Has a payment that a reorganisation took back wait again. */
  resend(hash: string): Promise<void>;
  /** A payment that fails: in the next block where failures stand in blocks, else refused by the node. */
  sendFailing(to: string): Promise<string>;
  /** What else of worth moves on this network, to this address. */
  sendOthers(to: string): Promise<void>;
  /** What is made to look like a payment in the token to this address, and is none. */
  sendLookAlikes(to: string): Promise<void>;
  /** A payment of nothing, made as any other. */
  sendNothing(to: string): Promise<void>;

  /** Answers that no honest node gives about a block that holds a payment. */
  readonly lies: Readonly<Record<string, Twist>>;
  /** A node that answers with less than was asked for, and what the adapter makes of it. */
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

/** A stranger on each network, and texts that are nobody's. */
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
