import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { Env, NetworkData } from "./network-data.ts";
import type { NetworkCode } from "./networks.ts";

/** What switches a network on in an environment: its nodes and the account key that addresses derive from. */
export interface NetworkConfig {
  readonly env: Env;
  readonly network: NetworkCode;
  /** At least one, best first. */
  readonly rpcUrls: readonly string[];
  /**
   * The account extended public key; the account itself (r…) where every address is of one account; "" where addresses
   * come out of a pool.
   */
  readonly accountKey: string;
  readonly zmqUrl: string | null;
  /** Which test chain the test environment is on ("regtest", "devnet"), on networks known by their genesis; null or absent: the network's default. */
  readonly chain?: string | null;
  /** Development chains only: replaces the chain id of NETWORKS. */
  readonly chainId: number | null;
  /** Development chains only: replaces the contracts of NETWORKS, all of them if any is given. */
  readonly contracts: Readonly<Partial<Record<TokenCode, string>>>;
  /** Requests a second that each of its nodes grants us, 0 for any number. Absent: by where the node stands. */
  readonly rpcBudget?: number;
}

/** The tip a node reports. `finalizedHeight` is null on chains that know only confirmations. */
export interface ChainHead {
  readonly height: number;
  readonly hash: string;
  readonly finalizedHeight: number | null;
}

/** Position of a native coin's movement that no log tells; shown as null. */
export const NO_POSITION = -1;

/** A stored position as people are shown it. One below 0 is nobody's: NO_POSITION, or that of what lost its own. */
export function displayPosition(position: number): number | null {
  return position < 0 ? null : position;
}

/** One movement of a listed token to an address of ours, as the chain tells it. */
export interface ChainTransfer {
  readonly txHash: string;
  /** Output index on UTXO chains, log index on log chains, solana/match-balances.ts on Solana; NO_POSITION for what has none, of which a transaction has one. */
  readonly position: number;
  readonly token: TokenCode;
  /** Canonical form of the receiving address (see NetworkAdapter.canonicalAddress). */
  readonly address: string;
  readonly sender: string | null;
  /** Ledger units of the token (already rescaled from the chain's decimals). */
  readonly amount: bigint;
  /** null while only in the mempool. */
  readonly block: { readonly height: number; readonly hash: string; readonly time: Date } | null;
  /** Outpoints spent ("txid:n"), so that a replacement can keep its first sight; empty on account chains. */
  readonly spends: readonly string[];
  /** Set when nothing may credit it by itself (another token, say): recorded as unmatched. */
  readonly unmatchedReason: string | null;
  /** What the payer wrote to it, where the network knows such a thing: a destination tag (XRP), a memo (Solana). */
  readonly extra?: string;
  /** Never credited with fewer confirmations, whatever the tier says: what a coinbase pays is immature for 100. */
  readonly minConfirmations?: number;
}

/** One movement, to an address of ours, of a token that the network's entry does not list. */
export interface UnlistedTransfer {
  readonly txHash: string;
  /** Log index. */
  readonly position: number;
  /** Canonical form, like every address here. What it calls itself is never asked: it can say anything. */
  readonly contract: string;
  readonly address: string;
  readonly sender: string | null;
  /** In whatever unit the contract counts. */
  readonly rawAmount: bigint;
  readonly block: { readonly height: number; readonly hash: string };
}

/** What a transaction does, as the chain tells it now. */
export interface TransactionPayments {
  /** The chain's block that holds it; null: it waits for one. */
  readonly block: { readonly height: number; readonly hash: string } | null;
  /** Its block holds it, and it moved nothing. */
  readonly failed: boolean;
  /** Every movement of a listed token in it, whoever receives it, in ledger units; null: only its block will tell. */
  readonly payments:
    | readonly {
        /** As in ChainTransfer. */
        readonly position: number;
        readonly token: TokenCode;
        /** Canonical form; null: no address of this network. */
        readonly address: string | null;
        readonly amount: bigint;
      }[]
    | null;
  /**
   * A token of which its block does not tell all movements: more of it may have gone to anybody than `payments` says, as
   * where a contract pays a chain's own coin on. null: none, and always where it failed.
   */
  readonly inconclusiveToken: TokenCode | null;
  /** What only one transaction of a chain can use: outpoints ("txid:n"), or a sender's number ("sender:nonce"). */
  readonly spends: readonly string[];
}

/** Given canonical addresses, answers which are ours. Called once per batch; one indexed query. */
export type AddressFilter = (addresses: readonly string[]) => Promise<ReadonlySet<string>>;

export interface ScanResult {
  readonly transfers: readonly ChainTransfer[];
  /** Hash of block `to` of the one branch that was read. */
  readonly tipHash: string;
  /** Hash of block `from - 1` of that branch: the caller checks that it is the cursor's. */
  readonly parentHash: string;
}

export type TransactionStatus =
  | { readonly kind: "unknown" }
  | { readonly kind: "pending" }
  | { readonly kind: "failed" }
  | { readonly kind: "confirmed"; readonly blockHeight: number; readonly blockHash: string };

/** What a node itself tells of a transaction: JSON, shown as a text that holds it or as the object that it is. */
export interface TransactionRecord {
  readonly json: string;
  readonly shownAs: "text" | "object";
}

/** What sending costs now: `fee` in ledger units of the network's own coin, and what it was reckoned from. */
export type NetworkFee = { readonly coin: TokenCode; readonly fee: bigint } & (
  | { readonly kind: "per_byte"; readonly virtualBytes: number; readonly rates: ByteRates }
  | { readonly kind: "per_gas"; readonly gas: number /** Wei. */; readonly gasPrice: bigint }
  /** Nothing but the fee says how it came about. */
  | { readonly kind: "flat" }
);

/** Satoshis per virtual byte: to be mined within 2, 3, 6 or 144 blocks, and the least that the node passes on. */
export interface ByteRates {
  readonly fastest: number;
  readonly halfHour: number;
  readonly hour: number;
  readonly economy: number;
  readonly minimum: number;
}

/**
 * refused: the node understood and answered with an error of its own (range too large, say). behind: it stands lower
 * than what was read already.
 */
export type NodeErrorKind =
  | "unreachable"
  | "rate_limited"
  | "refused"
  | "malformed"
  | "inconsistent"
  | "behind"
  | "wrong_chain";

interface NodeErrorOptions extends ErrorOptions {
  /** rate_limited: how long the node wants to be left alone, milliseconds. */
  readonly retryAfterMs?: number;
  /** behind: where the node stands. */
  readonly height?: number;
}

/** A node said something no honest node says, or nothing at all. The watcher waits; nothing is guessed. */
export class NodeError extends Error {
  readonly kind: NodeErrorKind;
  readonly retryAfterMs: number | null;
  readonly height: number | null;
  constructor(kind: NodeErrorKind, message: string, options?: NodeErrorOptions) {
    super(message, options);
    this.name = "NodeError";
    this.kind = kind;
    this.retryAfterMs = options?.retryAfterMs ?? null;
    this.height = options?.height ?? null;
  }
}

/** What is read from a chain: of one node, or of whichever of a network's nodes answers. */
export interface ChainReader {
  /** Chain identity and token decimals are what is configured; throws NodeError("wrong_chain") otherwise. */
  checkIdentity(): Promise<void>;
  fetchHead(): Promise<ChainHead>;
  /**
   * Hash of the canonical block at a height, null when the chain is not that long. A height that the chain left without
   * a block (a skipped slot of Solana's) has the hash of the last block below it.
   */
  fetchBlockHash(height: number): Promise<string | null>;
  /** Reads blocks from..to (inclusive) whole. Throws NodeError("inconsistent") when the chain moved underneath. */
  scanBlocks(range: { readonly from: number; readonly to: number }, ours: AddressFilter): Promise<ScanResult>;
  /**
   * Unconfirmed transfers to our addresses, whole mempool; [] where the family does not show them. What was here and
   * is no longer is in a block or gone for good (replaced, double spent): a block of the chain as read AFTER this call.
   */
  scanMempool(ours: AddressFilter): Promise<readonly ChainTransfer[]>;
  /**
   * Transfers to these canonical addresses (1,000 at most), in blocks from..to (inclusive), of tokens that are not
   * listed. The blocks must be final: their hashes are not compared with anything. Throws NodeError("refused") where
   * even one block is too much for the node. Absent where the family has none, or no way to ask for them.
   */
  scanUnlistedTokens?(
    range: { readonly from: number; readonly to: number },
    addresses: readonly string[],
  ): Promise<readonly UnlistedTransfer[]>;
  /** What the chain says of a hash now. `seenIn`: the block our record names, which saves some nodes a search. */
  fetchTransactionStatus(txHash: string, seenIn?: string | null): Promise<TransactionStatus>;
  /** What a transaction pays, waiting or in a block; null: the node knows no such one. `seenIn` as for verdict. */
  fetchPayments?(txHash: string, seenIn?: string | null): Promise<TransactionPayments | null>;
  /**
   * Can a transaction that was broadcast by `since` and stands in no block up to `height`, a final one, no longer come
   * to stand in any? False also where the node's history is too short to tell. Absent where nothing expires.
   */
  hasTransactionExpired?(since: Date, height: number): Promise<boolean>;
  /** What the node tells of a canonical hash (families.ts); null: it knows no such transaction. `seenIn` as above. */
  fetchTransactionRecord?(txHash: string, seenIn?: string | null): Promise<TransactionRecord | null>;
  /** What a plain transfer should pay to be mined soon. Absent where fees are no rate. */
  fetchNetworkFee?(): Promise<NetworkFee>;
}

/** One of a network's nodes as its pool knows it. Never holds the URL, which may hold a key. */
export interface NodeReport {
  readonly name: string;
  /** The last it told; null: never asked. */
  readonly height: number | null;
  /** Requests and failures since the start of this process. */
  readonly requests: number;
  readonly failures: number;
  /** What keeps it out of use now; null: nothing. */
  readonly error: string | null;
}

/** One network in one environment, spoken to through its nodes. Every family implements this and passes one suite. */
export interface NetworkAdapter extends ChainReader {
  readonly env: Env;
  readonly network: NetworkCode;
  readonly data: NetworkData;
  /** The account extended public key configured for it, or the account; "" where addresses come out of a pool. */
  readonly accountKey: string;
  /** It shows what waits for a block (see scanMempool): what is in no block may still come. Absent: it does not. */
  readonly hasMempool?: boolean;
  /**
   * Receiving address number `index` below the account key, with its whole path ("tag 7" where it is a tag). Pure.
   * Throws on a bad key, and where addresses come out of a pool (NetworkData.addressSource).
   */
  deriveAddress(index: number): { readonly address: string; readonly path: string };
  /**
   * Where all addresses are of one account (XRP): its own, canonical. Scans tell what arrives for an address that is not
   * ours as a transfer to this one, with an `unmatchedReason`, if it is ours. Absent: each address stands for itself.
   */
  readonly collectingAddress?: string;
  /** The one form stored and compared (EVM: lower-case hex), or null when it is no address of this network. */
  canonicalizeAddress(text: string): string | null;
  /**
   * What a payer whose wallet does not read it from the address must give beside it: a destination tag (XRP). null: there
   * is nothing. Absent: the network knows no such thing.
   */
  readAddressExtra?(canonical: string): string | null;
  /** The form shown to people and wallets (EVM: EIP-55 checksum) of a canonical address. */
  displayAddress(canonical: string): string;
  /** Wallet URI (EIP-681, BIP21), or the bare address where no convention exists. `amount` in ledger units. */
  buildPaymentUri(request: {
    readonly address: string;
    readonly token: TokenCode;
    readonly amount: bigint;
  }): string;
  /**
   * Work that reads from one node alone, so that what it reads belongs together: a head of one and a finality or a
   * block of another may be of two branches. `at` is the newest block that was read before: nodes below it are not
   * taken, and one that does not hold it only where its branch is longer and no other could for a while. When the node fails, `work` begins anew
   * with the next one. `stopping` gives up the requests under way. Throws NodeError when no node could do it.
   */
  withOneNode<T>(
    standing: {
      readonly lastBlock: { readonly height: number; readonly hash: string } | null;
      readonly signal?: AbortSignal;
    },
    work: (node: ChainReader, name: string) => Promise<T>,
  ): Promise<T>;
  /** Its nodes, best first. */
  nodes(): readonly NodeReport[];
  /**
   * Calls `wake` soon after the node has news, so that the watcher need not wait for its next poll. Only a hint:
   * news may be missed, polling stays. Absent where nothing pushes. Returns what ends it.
   */
  onActivity?(wake: () => void): () => void;
}

/** The networks that are on, by environment. */
export interface NetworkRegistry {
  find(env: Env, network: string): NetworkAdapter | null;
  list(env: Env): readonly NetworkAdapter[];
  all(): readonly NetworkAdapter[];
}
