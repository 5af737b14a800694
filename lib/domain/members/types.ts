import type { Role } from "#lib/domain/authority/types.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";
import type { invitations, passkeys, users } from "./tables.ts";

export type UserRow = typeof users.$inferSelect;
export type InvitationRow = typeof invitations.$inferSelect;
export type PasskeyRow = typeof passkeys.$inferSelect;

/** A person who is signed in. */
export interface SignedIn {
  readonly sessionId: number;
  readonly userId: number;
  readonly name: string;
  readonly email: string;
  readonly isOperator: boolean;
  /** When the person last used a passkey or a code in this session. Long ago for a former token, which proves nothing. */
  readonly verifiedAt: Date;
  /** True if the browser has the token before the last renewal. */
  readonly isFormer: boolean;
}

/** The browser of a session, as its list shows it. */
export interface Browser {
  readonly ip: string;
  readonly userAgent: string;
}

/** A merchant whose console a person may open. */
export interface Workplace {
  readonly merchantId: number;
  /** The merchant's part of URLs: random, so that it reveals and guesses nothing. */
  readonly code: string;
  readonly name: string;
  /** IANA name of the time zone of the merchant's days. */
  readonly timeZone: string;
  /** The fiat currency in which balances are valued. */
  readonly displayCurrency: CurrencyCode;
  readonly role: Role | "operator";
}

/** The offer of an invitation, as its page shows it. */
export interface Invitation {
  readonly email: string;
  readonly role: Role | "operator";
  /** The merchant to join. Null: the invitation is for the operator, or of a person who is reset. */
  readonly merchantName: string | null;
  /** True if someone with this e-mail address has signed up already: they join after signing in. */
  readonly isKnownUser: boolean;
  /** True if the operator has reset the person, who signs up again. It then offers no role. */
  readonly isReset: boolean;
}
