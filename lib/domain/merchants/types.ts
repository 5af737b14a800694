import type { Env } from "#lib/chains/network-data.ts";

export type KeyScope = "full" | "read" | "payment-links";
export const KEY_SCOPES = ["full", "read", "payment-links"] as const satisfies readonly KeyScope[];

/** Who is calling: what a valid key stands for. */
export interface ApiCaller {
  readonly merchant: Merchant;
  readonly env: Env;
  readonly keyId: number;
  readonly scope: KeyScope;
}

export interface Merchant {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly status: "active" | "disabled" | "removed";
  readonly latePolicy: "hold" | "accept";
  /** Percent as decimal text. */
  readonly feePercentage: string;
  readonly toleranceUnderBps: number;
  readonly toleranceOverBps: number;
  readonly rateMarkupBps: number;
  readonly fixedRates: string | null;
  /** Web origins whose pages may show the payment page in a frame. */
  readonly allowOrigins: readonly string[];
  /** SHA-256 of the logo's bytes, in hex. */
  readonly logo: string | null;
  /** "#rrggbb", lower case. */
  readonly accent: string | null;
  /** Mail address, https URL or telephone number. */
  readonly support: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A logo as it is kept and served: a square WebP, and the SHA-256 of its bytes in hex. */
export interface MerchantLogo {
  readonly hash: string;
  readonly bytes: Buffer;
}

/** A key as it may be shown again: never the key. */
export interface ApiKey {
  readonly id: number;
  readonly env: Env;
  readonly scope: KeyScope;
  readonly last4: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** May lie ahead: the key is valid until then. */
  readonly revokedAt: Date | null;
}

export interface IpEntry {
  readonly id: number;
  readonly name: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What use cases of this room need to keep a secret. */
export interface SecretSealer {
  seal(text: string): Buffer;
}

/** Whom a merchant's links and wallets are made for: one per e-mail address and environment. */
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
