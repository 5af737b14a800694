import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode, PaymentPair } from "#lib/chains/networks.ts";
import type { Merchant } from "#lib/domain/merchants/types.ts";
import type { Rates } from "#lib/domain/rates/types.ts";
import type { DepositStatus, LinkReason, LinkState, PaymentAnnouncement } from "#lib/domain/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { LanguageCode } from "#lib/platform/languages/languages.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";
import type { LinkItem } from "./order-rules.ts";
import type { paymentLinks, quotes } from "./tables.ts";

/** The status of a deposit that pays a link. A held deposit is unmatched, so it never does. */
export type PaymentStatus = Exclude<DepositStatus, "held">;

export interface PaymentLinkSettings {
  /** Without a trailing slash; `${paymentUrl}/${refid}` is the page. */
  readonly paymentUrl: string;
  readonly quoteMinutes: number;
  readonly confirmGraceHours: number;
  /** Key of the hash that counts a visitor's IP address. If absent, each process has its own key and its own count. */
  readonly visitorKey?: Uint8Array;
  /** True if events also cause mails (SMTP_URL). */
  readonly sendsMail?: boolean;
}

export interface CustomerDetails {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string | null;
}

/** How much of a link's amount payments pay, by its tolerance. */
export type Coverage = "part" | "whole" | "over";

/** A token amount in ledger units. */
export interface TokenAmount extends PaymentPair {
  readonly amount: bigint;
}

/** Money of a link that goes back to its payer: a refund that was not given up, or what a refund claim promises. */
export interface Refund extends TokenAmount {
  /** When it was asked for. */
  readonly at: Date;
  /** When a promise ends, unless somebody takes it. null: it does not. */
  readonly until: Date | null;
}

/** A deposit on another network or in another token than the link asks for at the address. */
export interface AstrayPayment extends TokenAmount {
  readonly txHash: string;
}

export interface QuoteView extends PaymentPair {
  /** In the form that wallets display. */
  readonly address: string;
  /** Ledger units that pay the whole link. */
  readonly amount: bigint;
  /** Ledger units that pay what is still missing. */
  readonly asked: bigint;
  readonly rate: string;
  readonly rateSource: string;
  readonly rateAt: Date;
  /** Ledger units. A smaller payment alone does not change the link's state. */
  readonly minimumReceive: bigint;
  readonly validUntil: Date;
  readonly live: boolean;
}

export interface PaymentView extends PaymentPair {
  readonly address: string;
  readonly txHash: string;
  readonly position: number;
  readonly amount: bigint;
  /** Fraction of the link as decimal text, 18 places. null while no rate is available. */
  readonly worth: string | null;
  /** Price of one token that values the payment. null if `worth` is null. */
  readonly rate: { readonly price: string; readonly source: string; readonly at: Date } | null;
  readonly confirmations: number;
  readonly requiredConfirmations: number;
  readonly status: PaymentStatus;
  readonly late: boolean;
  readonly firstSeenAt: Date;
  readonly confirmedAt: Date | null;
}

/** A payment link in a list: without its quotes and payments. */
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
  /** A text about the order, for the payer. */
  readonly description: string | null;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** Language of the page that the merchant asked for. null: that of the payer's browser. The API does not show it. */
  readonly language: LanguageCode | null;
  /** Names of the pairs (pairCode) that the customer can choose from. null: the merchant's. The API does not show it. */
  readonly pairs: readonly string[] | null;
  /** The merchant took it out of the list of its plugin. The API does not show it. */
  readonly isArchived: boolean;
  /** A device of the merchant started the payment and shows its page. */
  readonly pointOfSale: boolean;
  readonly state: LinkState;
  readonly reason: LinkReason | null;
  readonly late: boolean;
  readonly version: number;
  readonly seq: number;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
  /** One for each selected pair, in the order of selection. */
  readonly wallets: readonly (PaymentPair & { readonly address: string })[];
}

/** How the merchant's page looks and where customers find help. The API does not show it. */
export interface MerchantBranding {
  /** SHA-256 of the logo's bytes, in hex. */
  readonly logo: string | null;
  /** "#rrggbb". */
  readonly accent: string | null;
  /** Mail address, https URL or telephone number. */
  readonly support: string | null;
}

/** A payment link with its quotes and payments: the source of the API's answer and of the page. */
export interface PaymentLinkView extends PaymentLinkSummary {
  /** The positions of the order. Empty if the merchant gave none. */
  readonly items: readonly LinkItem[];
  readonly branding: MerchantBranding;
  /** First the newest quote of each selected pair, then the older ones. */
  readonly quotes: readonly QuoteView[];
  /** At most PAYMENTS_SHOWN, in the order of their arrival. */
  readonly payments: readonly PaymentView[];
  /** The number of all payments. */
  readonly paymentCount: number;
  /** The amounts seen or credited so far, for each network and token, less the parts that are refunded or promised. */
  readonly received: readonly TokenAmount[];
  /** The amounts refunded or promised, for each network and token. */
  readonly refunded: readonly TokenAmount[];
  /**
   * The amount that completes the link now, for each selected pair with a live quote. If the link failed as
   * underpaid: the amount that was missing by the newest quote. Empty once the full amount was seen.
   */
  readonly remaining: readonly TokenAmount[];
  /** The amounts credited and not needed for the link's amount, for each network and token, in every state. */
  readonly excess: readonly TokenAmount[];
  /** How much of the link the payments pay that count for its state (coverageOf). The API does not show it. */
  readonly coverage: Coverage;
  /** True from the deadline until the link ends. The page then says that it is checking. */
  readonly checking: boolean;
  /** Pairs that a customer can select now: network on, amount receivable, rate known. Includes the selected ones. */
  readonly selectablePairs: readonly PaymentPair[];
  /** The cost of the whole link now in each selectable pair with a rate. The API does not show it. */
  readonly estimates: readonly TokenAmount[];
  /** Money at the link's addresses that pays nothing, the oldest first. The API does not show it. */
  readonly astray: readonly AstrayPayment[];
  /** Selected networks that no watcher reads now. Payments there count later. The API does not show it. */
  readonly unwatched: readonly NetworkCode[];
  /** Selected networks whose nodes refuse to show waiting transactions. The API does not show it. */
  readonly blockOnly: readonly NetworkCode[];
  /** Selected networks whose finality is late: payments there are seen and count later. The API does not show it. */
  readonly slow: readonly NetworkCode[];
}

/** Validated input of endpoint 24 (docs/service-interface.md). */
export interface NewPaymentLink {
  /** Absent: a new one. A refid that a link has already violates a unique constraint. */
  readonly refid?: string;
  /** Smallest unit of the currency. */
  readonly amount: bigint;
  readonly currency: CurrencyCode;
  /** Without an e-mail address, the link has no customer. */
  readonly customer: CustomerDetails;
  readonly paymentReference: string;
  /** Where the customer continues after paying. Null: the customer stays on the link's own page. */
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  /** A time of null means two hours after creation. */
  readonly expiresAt: Date | null;
  readonly metadata: string | null;
  /** The order, for the payer. Absent: nothing is said of it. */
  readonly description?: string | null;
  readonly items?: readonly LinkItem[];
  /** Language of the page. Absent: that of the customer's browser. */
  readonly language?: LanguageCode | null;
  /** Empty means that addresses are allocated when the customer selects a network. */
  readonly wallets: readonly PaymentPair[];
  /** The pairs that the customer can choose from, in their order. Absent: the merchant's. */
  readonly pairs?: readonly PaymentPair[] | undefined;
  /**
   * The form that creates the link, how many units of its stock the link takes, and the device of the merchant that
   * sells. Absent: none.
   */
  readonly form?: { readonly id: number; readonly quantity: number; readonly deviceId: number | null };
}

/** Dependencies of the payment link use cases in a transaction of their caller. */
export interface LinkServices {
  readonly networks: NetworkRegistry;
  readonly rates: Rates;
  readonly settings: PaymentLinkSettings;
}

/** Dependencies of the payment link use cases that read, or have transactions of their own. */
export interface PaymentLinkDeps extends LinkServices {
  readonly db: Db;
}

export type PaymentLinkRow = typeof paymentLinks.$inferSelect;
export type QuoteRow = typeof quotes.$inferSelect;
/** A quote to insert. The column has a default only for processes of the version before it. */
export type NewQuoteRow = typeof quotes.$inferInsert & Pick<QuoteRow, "minimumReceive">;

/** A link and the terms of its merchant. */
export interface LinkRow {
  readonly link: PaymentLinkRow;
  readonly merchant: Pick<
    Merchant,
    | "code"
    | "name"
    | "latePolicy"
    | "toleranceUnderBps"
    | "toleranceUnderMax"
    | "toleranceOverBps"
    | "roundStablecoins"
    | "rateMarkupBps"
    | "fixedRates"
    | "logo"
    | "accent"
    | "support"
    | "paymentPairs"
  >;
}

/** Payments of one link that every rule treats alike, summed up. Often a single one. */
export interface PaymentTotal extends TokenAmount {
  /** How many payments. */
  readonly payments: number;
  /** Ledger units that pay the full link by the payments' quote. null while they are not valued. */
  readonly fullAmount: bigint | null;
  readonly status: PaymentStatus;
  readonly announced: PaymentAnnouncement | null;
  /** True once an event has reported them as late. */
  readonly reportedLate: boolean;
  /** True if each of the payments is below its minimum, so that they do not change the state. */
  readonly belowMinimum: boolean;
  /** The newest payment's deposit. Identifies the total within its link. */
  readonly depositId: number;
  /** The earliest one's. All are before the end of the time to pay, or none is. */
  readonly firstSeenAt: Date;
  /** When the newest of them was recorded. Between the oldest and the newest, no refund was asked for. */
  readonly recordedAt: Date;
}

/** A payment, or a part of it, that one quote is to value. */
export interface PaymentPart extends PaymentPair {
  readonly depositId: number;
  /** Ledger units. */
  readonly amount: bigint;
  readonly status: PaymentStatus;
  /** True for the amount that a replaced transaction paid. */
  readonly early: boolean;
}

/** Amounts of links in one currency, in its smallest unit. Both ends are included. null: no end. */
export interface AmountRange {
  readonly currency: CurrencyCode;
  readonly least: bigint | null;
  readonly most: bigint | null;
}

/** A form that makes links, with all its devices, or one of these. */
export interface LinkSeller {
  readonly kind: "form" | "device";
  readonly id: number;
}

/** Selects links of one environment. null means any. */
export interface LinkFilter {
  readonly merchantId: number | null;
  readonly env: Env;
  readonly state: LinkState | null;
  readonly paymentReference: string | null;
  /** Completed by a payment of this pair. Absent: by any, or by none. */
  readonly paidBy?: PaymentPair | null;
  /** In this currency, of at least and at most so much (its smallest unit). Absent: any. */
  readonly amount?: AmountRange | null;
  /** Made by this form, or by this device of one. Absent: by anything. */
  readonly seller?: LinkSeller | null;
  /** The e-mail address of the customer, in lower case. Absent: any. */
  readonly customerEmail?: string;
  /** In one of these states, each with this reason, or with any. Absent: in any. */
  readonly anyOf?: readonly { readonly state: LinkState; readonly reason?: LinkReason }[];
  /** True: only links that the merchant has not archived. */
  readonly withoutArchived?: boolean;
  /** Created from `from` (included) to `to` (excluded). Absent: at any time. */
  readonly created?: { readonly from: Date | null; readonly to: Date | null };
}
