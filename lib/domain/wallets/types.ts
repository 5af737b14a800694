import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";

/** Whom an address is given out for. */
export interface AddressAssignment {
  readonly merchantId: number;
  readonly purpose: "payment_link" | "customer" | "merchant";
  readonly customerId: number | null;
}

/** An address of an account key or of a pool. `address` in canonical form. */
export interface IndexedAddress {
  readonly address: string;
  readonly index: number;
  /** From the root, "m/44'/60'/0'/0/7"; "imported" where an import did not say. */
  readonly path: string;
}

/** An address just given out. */
export interface AllocatedAddress extends IndexedAddress {
  readonly id: number;
}

export interface WalletAddress extends AllocatedAddress, Pick<AddressAssignment, "customerId"> {
  /** null: nobody's, the account itself (NetworkAdapter.collectingAddress) or a skipped one (skipAddresses). */
  readonly merchantId: number | null;
  readonly purpose: AddressAssignment["purpose"] | "account" | "skipped";
  readonly env: Env;
  readonly network: NetworkCode;
  readonly createdAt: Date;
}

/** How far the addresses of an account key, or of a pool, are given out. */
export interface AllocationCounter {
  readonly accountKeyId: number;
  readonly env: Env;
  readonly nextIndex: number;
}

export interface ExportedAddress extends WalletAddress {
  /** Everything it has received and the books hold, unmatched money too, ledger units; what was moved away since is not taken off. */
  readonly received: readonly { readonly token: TokenCode; readonly amount: bigint }[];
}

/** A pool of imported addresses. */
export interface PoolStatus {
  readonly env: Env;
  readonly network: NetworkCode;
  /** Ever imported. */
  readonly size: number;
  /** Of those, not given out yet. */
  readonly left: number;
}

/** Who has addresses of its own on a network: one of a merchant's customers, or (`customerId` null) the merchant itself. */
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
  /** Everything credited to it in the token that was asked for, ledger units. */
  readonly totalReceived: bigint;
  readonly createdAt: Date;
}
