import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { TaggedAddress, WalletTransfer } from "./wallet-transfer.ts";

/** A payment that a wallet is asked to make. */
export interface PaymentRequest {
  /** Canonical. */
  readonly address: string;
  readonly token: TokenCode;
  /** In ledger units. */
  readonly amount: bigint;
}

/** The addresses of a network in one environment. Pure: no node is asked. */
export interface Addresses {
  /**
   * Receiving address number `index` below the account key, with its full path ("tag 7" where it is a tag).
   * Throws on a bad key, and where addresses come from a pool (NetworkData.addressSource).
   */
  derive(index: number): { readonly address: string; readonly path: string };
  /** The form that is stored and compared (EVM: lower-case hex). Null: not an address of this network. */
  canonicalize(text: string): string | null;
  /** The form of a canonical address for people and wallets (EVM: EIP-55 checksum). */
  display(canonical: string): string;
  /** Wallet URI (EIP-681, BIP21), or the plain address where no convention exists. */
  buildPaymentUri(request: PaymentRequest): string;
  /** The transfer that a wallet in the payer's browser is asked to send. Null: no wallet in a browser is supported there. */
  buildWalletTransfer(request: PaymentRequest): WalletTransfer | null;
  /** Null where each address has a key of its own. */
  readonly tags: AddressTags | null;
  /** Null where transactions have no outputs. */
  readonly outputs: AddressOutputs | null;
}

/** Addresses that are destination tags of one account (XRP). */
interface AddressTags {
  /**
   * The canonical address of the configured account. Scans report a payment to an unknown tag as a transfer to this address, with an
   * `unmatchedReason`, if this address is ours.
   */
  readonly collecting: string;
  /** The same of any account, by its identity (AccountKeyFormat). */
  collectingOf(identity: string): string;
  /** The account and the tag that an address consists of. Null: without a tag. */
  read(canonical: string): TaggedAddress | null;
}

/** Addresses of chains whose transactions have outputs and change. */
export interface AddressOutputs {
  /** Change address number `index` below the account key: child 1/index. */
  deriveChange(index: number): string;
  /**
   * The outputs of a signed transaction, given as hex, in their order. `address`: canonical, null where it is of another form than ours.
   * Throws NodeError("malformed").
   */
  read(raw: string): readonly { readonly address: string | null; readonly amount: bigint }[];
}
