import type { Env } from "#lib/chains/network-data.ts";
import type { HeldScope, Permission, Role } from "#lib/domain/authority/types.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";

/** The caller of the API: the merchant and the rights of a valid key. */
export interface ApiCaller {
  readonly merchant: Merchant;
  readonly env: Env;
  readonly keyId: number;
  readonly scope: HeldScope;
  /** The permissions of a Greenfield key. null for every other key. */
  readonly permissions: readonly Permission[] | null;
  /** Web origin of the program that has a Greenfield key. null: nobody said it. */
  readonly origin: string | null;
  /** Id of the person who made the key. null: the operator did. */
  readonly madeBy: number | null;
  /** The role that this person has now. null: the operator made the key. */
  readonly makerRole: Role | null;
}

export interface Merchant {
  readonly id: number;
  /** The merchant's part of the console's URLs. Random: it reveals and guesses nothing. */
  readonly code: string;
  readonly email: string;
  readonly name: string;
  readonly status: "active" | "disabled" | "removed";
  readonly latePolicy: "hold" | "accept";
  /** Percent as decimal text. */
  readonly feePercentage: string;
  readonly toleranceUnderBps: number;
  /** The most that may be missing, in whole units of the link's currency. Null: no limit but the basis points. */
  readonly toleranceUnderMax: number | null;
  readonly toleranceOverBps: number;
  /** Amounts of stablecoins that payers are asked for are rounded up to a cent. */
  readonly roundStablecoins: boolean;
  readonly rateMarkupBps: number;
  readonly fixedRates: string | null;
  /** Names of the pairs (pairCode) that links can be paid with, in the order shown. Null: DEFAULT_PAIRS. */
  readonly paymentPairs: readonly string[] | null;
  /** Web origins whose pages may show the payment page in a frame. */
  readonly allowOrigins: readonly string[];
  /** SHA-256 of the logo's bytes, in hex. */
  readonly logo: string | null;
  /** "#rrggbb", lower case. */
  readonly accent: string | null;
  /** Mail address, https URL or telephone number. */
  readonly support: string | null;
  /** IANA name of the time zone of its days in the console. */
  readonly timeZone: string;
  /** The fiat currency in which the console values balances. */
  readonly displayCurrency: CurrencyCode;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A picture as it is stored and served: WebP, and the SHA-256 of its bytes in hex. */
export interface StoredPicture {
  readonly hash: string;
  readonly bytes: Buffer;
}

/** The data of a key that can be shown again. Never the key itself. */
export interface ApiKey {
  readonly id: number;
  readonly env: Env;
  readonly scope: HeldScope;
  /** The permissions of a Greenfield key. null for every other key. */
  readonly permissions: readonly Permission[] | null;
  /** Web origin of the program that has a Greenfield key. null: nobody said it. */
  readonly origin: string | null;
  readonly last4: string;
  /** The name that the merchant gave it. "": it has none. */
  readonly name: string;
  /** Id of the person who made it. null: the operator did. */
  readonly madeBy: number | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** Can be in the future: the key is valid until then. */
  readonly revokedAt: Date | null;
}

export interface IpEntry {
  readonly id: number;
  readonly name: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Encrypts a secret for storage. */
export interface SecretSealer {
  seal(text: string): Buffer;
}

/** The customer of a merchant's links and wallets: one per e-mail address, in upper or lower case, and environment. */
export interface Customer {
  readonly id: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string | null;
  readonly blacklisted: boolean;
  readonly verified: boolean;
  readonly createdAt: Date;
}
