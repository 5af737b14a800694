import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";

/** The merchant or customer that an address is allocated to. */
export interface AddressAssignment {
  readonly merchantId: number;
  readonly purpose: "payment_link" | "customer" | "merchant";
  readonly customerId: number | null;
}

/** An address of an account key or of a pool. `address` is in canonical form. */
export interface IndexedAddress {
  readonly address: string;
  readonly index: number;
  /** From the root: "m/44'/60'/0'/0/7". "imported" if the import did not have a path. */
  readonly path: string;
}

/** A newly allocated address. */
export interface AllocatedAddress extends IndexedAddress {
  readonly id: number;
}

export interface WalletAddress extends AllocatedAddress, Pick<AddressAssignment, "customerId"> {
  /**
   * Null for the account itself (AddressTags.collecting) and for skipped addresses
   * (skipAddresses).
   */
  readonly merchantId: number | null;
  readonly purpose: AddressAssignment["purpose"] | "account" | "skipped";
  readonly env: Env;
  readonly network: NetworkCode;
  readonly createdAt: Date;
}

/** The next index of an account key or of a pool. */
export interface AllocationCounter {
  readonly accountKeyId: number;
  readonly env: Env;
  readonly nextIndex: number;
}

export interface ExportedAddress extends WalletAddress {
  /**
   * Everything it has received and the ledger holds, including unmatched money, in ledger units. Later
   * movements are not subtracted.
   */
  readonly received: readonly { readonly token: TokenCode; readonly amount: bigint }[];
}

/** The status of a pool of imported addresses. */
export interface PoolStatus {
  readonly env: Env;
  readonly network: NetworkCode;
  /** The number of addresses ever imported. */
  readonly size: number;
  /** The number of them that are not allocated yet. */
  readonly left: number;
}

/**
 * The holder of addresses on a network: a customer of the merchant, or the merchant itself (`customerId`
 * null).
 */
export interface WalletScope {
  readonly env: Env;
  readonly network: NetworkCode;
  readonly merchantId: number;
  readonly customerId: number | null;
}

/** An address as its merchant sees it. */
export interface MerchantAddress {
  readonly id: number;
  /** Canonical form. */
  readonly address: string;
  readonly purpose: WalletAddress["purpose"];
  readonly customerEmail: string | null;
  /** Everything credited to it in the requested token, in ledger units. */
  readonly totalReceived: bigint;
  readonly createdAt: Date;
}
