import type { TokenCode } from "#lib/money/tokens.ts";
import type { Env, NetworkCode } from "#lib/networks/networks.ts";

/** Whom an address is given out for. */
export interface AddressOwner {
  readonly merchantId: number;
  readonly purpose: "payment_link" | "customer" | "merchant";
  readonly customerId: number | null;
}

/** An address just given out. `address` in canonical form. */
export interface HandedOutAddress {
  readonly id: number;
  readonly address: string;
  readonly index: number;
  /** From the root, "m/44'/60'/0'/0/7". */
  readonly path: string;
}

export interface KnownAddress extends HandedOutAddress, AddressOwner {
  readonly env: Env;
  readonly network: NetworkCode;
  readonly createdAt: Date;
}

export interface ExportedAddress extends KnownAddress {
  /** Everything it has received and the books hold, unmatched money too, ledger units; what was moved away since is not taken off. */
  readonly received: readonly { readonly token: TokenCode; readonly amount: bigint }[];
}
