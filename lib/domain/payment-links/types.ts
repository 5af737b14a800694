import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { Rates } from "#lib/domain/rates/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";

/** docs/decisions.md, Payment links, State. */
export type LinkState =
  | "open"
  | "awaiting"
  | "partial"
  | "detected"
  | "completed"
  | "overpaid"
  | "failed"
  | "expired";

export type LinkReason = "underpaid" | "unconfirmed" | "expired";

/**
 * Which event has spoken for a payment: it was counted in a completion, came on top of one, was there (or on its way)
 * when the link failed, or came after that. null: none yet.
 */
export type PaymentAnnouncement = "completed" | "extra" | "failed" | "late";

export interface PaymentLinkSettings {
  /** Without a trailing slash; `${paymentUrl}/${refid}` is the page. */
  readonly paymentUrl: string;
  readonly quoteMinutes: number;
  readonly confirmGraceHours: number;
  /** Keys the hash under which a visitor's address is counted. Absent: one key per process, so one limit per process. */
  readonly visitorKey?: Uint8Array;
}

export interface CustomerDetails {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string | null;
}

export interface NetworkToken {
  readonly network: NetworkCode;
  readonly token: TokenCode;
}

/** A token amount in ledger units. */
export interface TokenAmount extends NetworkToken {
  readonly amount: bigint;
}

export interface QuoteView extends NetworkToken {
  /** As wallets show it. */
  readonly address: string;
  /** Ledger units that pay the whole link. */
  readonly amount: bigint;
  /** Ledger units that pay what is missing of it by now. */
  readonly asked: bigint;
  readonly rate: string;
  readonly rateSource: string;
  readonly rateAt: Date;
  readonly validUntil: Date;
  readonly live: boolean;
}

export interface PaymentView extends NetworkToken {
  readonly address: string;
  readonly txHash: string;
  readonly position: number;
  readonly amount: bigint;
  /** Decimal fraction of the link, 18 places; null while no rate could be had. */
  readonly worth: string | null;
  /** Price of one token that it was valued at; null with `worth`. */
  readonly rate: { readonly price: string; readonly source: string; readonly at: Date } | null;
  readonly confirmations: number;
  readonly requiredConfirmations: number;
  readonly status: 0 | 1 | 2;
  readonly late: boolean;
  readonly firstSeenAt: Date;
  readonly confirmedAt: Date | null;
}

/** What a list tells of a link: everything but its prices and payments. */
export interface PaymentLinkSummary {
  readonly id: number;
  readonly refid: string;
  readonly merchantId: number;
  readonly merchantName: string;
  readonly env: Env;
  readonly paymentReference: string;
  readonly paymentLink: string;
  readonly walletPreGenerated: boolean;
  /** Smallest unit of the currency. */
  readonly amount: bigint;
  readonly currency: CurrencyCode;
  readonly expiresAt: Date;
  readonly customer: CustomerDetails;
  /** JSON text as submitted. */
  readonly metadata: string | null;
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly state: LinkState;
  readonly reason: LinkReason | null;
  readonly late: boolean;
  readonly version: number;
  readonly seq: number;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
  /** One per network picked, in the order picked. */
  readonly wallets: readonly (NetworkToken & { readonly address: string })[];
}

/** How the merchant wants the page to look, and where customers find help. Not for the API. */
export interface MerchantBranding {
  /** SHA-256 of the logo's bytes, in hex. */
  readonly logo: string | null;
  /** "#rrggbb". */
  readonly accent: string | null;
  /** Mail address, https URL or telephone number. */
  readonly support: string | null;
}

/** Everything a reader may know of a link: what the API and the page are made from. */
export interface PaymentLinkView extends PaymentLinkSummary {
  readonly branding: MerchantBranding;
  /** Newest quote per picked network first, former ones after it. */
  readonly quotes: readonly QuoteView[];
  readonly payments: readonly PaymentView[];
  /**
   * What would finish it now, per picked network with a live quote; once it failed as underpaid, what was missing by
   * the newest quote. Empty once the whole was seen.
   */
  readonly remaining: readonly TokenAmount[];
  /** Only when overpaid. */
  readonly excess: readonly TokenAmount[];
  /** True from the deadline until the verdict: the page says that it is checking. */
  readonly checking: boolean;
  /** Pairs a customer may pick now: network on, amount receivable, a rate known; picked ones included. */
  readonly selectablePairs: readonly NetworkToken[];
  /** Picked networks that cannot be seen now: what is paid there is counted once they can. Not for the API. */
  readonly unwatched: readonly NetworkCode[];
}

/** Validated input of endpoint 24. */
export interface NewPaymentLink {
  /** Smallest unit of the currency. */
  readonly amount: bigint;
  readonly currency: CurrencyCode;
  readonly customer: CustomerDetails;
  readonly paymentReference: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** null: two hours after creation. */
  readonly expiresAt: Date | null;
  readonly metadata: string | null;
  /** Empty: addresses on demand. */
  readonly wallets: readonly NetworkToken[];
}

/** What this room's use cases are given. */
export interface PaymentLinkDeps {
  readonly db: Db;
  readonly networks: NetworkRegistry;
  readonly rates: Rates;
  readonly settings: PaymentLinkSettings;
}
