import type { Env } from "#lib/chains/network-data.ts";
import type { EventType, PaymentLinkEventType } from "#lib/domain/webhooks/events.ts";

/** Kinds of mail that a merchant switches. The first goes to the payer, the others to the merchant. */
export const MAIL_KINDS = [
  "receipt",
  "paid",
  "underpaid",
  "late",
  "unmatched",
  "endpoint_disabled",
  "digest",
] as const;
export type SwitchedKind = (typeof MAIL_KINDS)[number];
/** Mails that somebody asks for, one by one: to a person who is invited, to a payer who enters an address. Nobody can switch them off. */
export const ASKED_KINDS = ["invitation", "refund_claim"] as const;
export type MailKind = SwitchedKind | (typeof ASKED_KINDS)[number];

/** The merchant and environment of mails. */
export interface MailOwner {
  readonly merchantId: number;
  readonly env: Env;
}

/** An amount as decimal text, with the codes of network and token in lower case. */
export interface MailAmount {
  readonly network: string;
  readonly token: string;
  readonly amount: string;
}

interface MailPayment extends MailAmount {
  readonly tx_hash: string;
}

/** The data of a mail about a payment link. */
export interface LinkMailData {
  readonly event: PaymentLinkEventType;
  readonly refid: string;
  readonly reference: string;
  readonly url: string;
  readonly reason: string | null;
  /** Decimal text, and the currency's code in lower case. */
  readonly amount: string;
  readonly currency: string;
  /** When the event happened, ISO 8601. */
  readonly at: string;
  /** At most 20. */
  readonly payments: readonly MailPayment[];
  readonly received: readonly MailAmount[];
  readonly remaining: readonly MailAmount[];
  readonly excess: readonly MailAmount[];
  /** The payer's language on the page; null: unknown. Read it with languageOrEnglish: it may no longer be offered. */
  readonly language: string | null;
  /** The order, with amounts as decimal text. Absent in mails of an earlier version. */
  readonly description?: string | null;
  readonly items?: readonly { readonly name: string; readonly quantity: number; readonly amount: string }[];
}

/** The part of a mail about a link that no event has. */
export type LinkMailContext = Pick<LinkMailData, "language" | "description" | "items">;

/** Unmatched deposits that were held together. */
export interface UnmatchedMailData {
  readonly count: number;
  /** At most 20. */
  readonly deposits: readonly (MailAmount & { readonly id: number; readonly reason: string })[];
}

export interface EndpointMailData {
  readonly endpoint: number;
  readonly host: string;
  readonly reason: "gone" | "failing";
}

/** The events and credited amounts of one day (UTC). */
export interface DigestMailData {
  /** "2026-12-31". */
  readonly day: string;
  readonly events: readonly { readonly type: EventType; readonly count: number }[];
  readonly credited: readonly MailAmount[];
}

/** An invitation to the console. */
export interface InvitationMailData {
  /** The token of its link, encrypted with SECRET_KEY and written as base64: it is a secret while the mail waits. */
  readonly sealedToken: string;
  readonly role: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** A refund whose address the payer enters. The link is read when the mail is sent: it is no part of the mail while it waits. */
export interface ClaimMailData extends MailAmount {
  /** The id of the refund claim. */
  readonly claim: number;
  /** The payment link that was paid. */
  readonly refid: string;
  readonly reference: string;
  readonly note: string | null;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** As in LinkMailData. */
  readonly language: string | null;
}

export type MailData = (
  | LinkMailData
  | UnmatchedMailData
  | EndpointMailData
  | DigestMailData
  | InvitationMailData
  | ClaimMailData
) & {
  /** True for the last mail of its kind to this address within an hour. Further ones are left out. */
  readonly last?: boolean;
};

/** A mail to store, if the merchant wants its kind. `recipient` null: the merchant. */
export interface NewMail {
  readonly merchantId: number;
  readonly env: Env;
  readonly kind: MailKind;
  readonly recipient: string | null;
  readonly data: MailData;
}

/** A mail that this process sends now. */
export interface ClaimedMail {
  readonly id: number;
  readonly env: Env;
  readonly kind: MailKind;
  readonly recipient: string;
  readonly data: MailData;
  readonly token: string;
  readonly senderDomain: string;
  /** From 1. */
  readonly attempt: number;
  readonly createdAt: Date;
  readonly merchantName: string;
  /** The merchant's support contact; null: none. */
  readonly support: string | null;
}

/** The mail server, and the sender's address. */
export interface MailConfig {
  readonly server: {
    readonly host: string;
    readonly port: number;
    /** `starttls`: refused if the server does not offer it. `none`: for a server on this machine or in its network. */
    readonly tls: "implicit" | "starttls" | "none";
    readonly login: { readonly user: string; readonly pass: string } | null;
  };
  readonly from: { readonly name: string; readonly address: string };
  /** Without a trailing slash. Links to unsubscribe begin with it. */
  readonly publicUrl: string;
}

/** A file that a mail carries. */
export interface MailFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/**
 * The result of one attempt. Texts have no addresses and no secrets. `offered`: the server was ready for a mail and was given this
 * one, so it may have taken it. False: the connection or the login failed.
 */
export type MailOutcome =
  | { readonly kind: "sent"; readonly status: number }
  /** The server answered and refused: the mail, or every mail (`server`). */
  | { readonly kind: "refused"; readonly status: number; readonly server: boolean; readonly offered: boolean }
  | { readonly kind: "unreachable"; readonly error: string; readonly offered: boolean }
  /** This process stopped it at shutdown. */
  | { readonly kind: "interrupted" };

/** The decision after an attempt. `server`: true if other mails would fail now too. `counts`: it is an attempt of the schedule. */
export type MailDecision =
  | { readonly kind: "sent"; readonly status: number }
  | MailFailure<"retry", { readonly at: Date; readonly counts: boolean }>
  | MailFailure<"failed", unknown>;
type MailFailure<Kind, More> = {
  readonly kind: Kind;
  readonly status: number | null;
  readonly error: string;
  readonly server: boolean;
} & More;

/** The label of attempts in the metrics. */
export const MAIL_CATEGORIES = ["sent", "refused", "deferred", "timeout", "connection"] as const;
export type MailCategory = (typeof MAIL_CATEGORIES)[number];
