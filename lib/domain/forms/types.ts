import type { Env } from "#lib/chains/network-data.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";
import type { FormQuestion } from "./question-rules.ts";
import type { forms } from "./tables.ts";

export type FormRow = typeof forms.$inferSelect;

/** The terms of a form, which its merchant decides. Amounts are in the smallest unit of the currency. */
export interface FormTerms {
  readonly title: string;
  readonly description: string | null;
  readonly currency: CurrencyCode;
  /** The fixed amount. Null: the payer chooses the amount. */
  readonly amount: bigint | null;
  readonly minimumAmount: bigint | null;
  readonly maximumAmount: bigint | null;
  /** Decimal texts. */
  readonly suggestedAmounts: readonly string[];
  readonly ask: readonly FormQuestion[];
  readonly fields: readonly string[];
  readonly maxQuantity: number;
  readonly stock: number | null;
  readonly totalLimit: bigint | null;
  /** The reference of all links of the form. Null: the beginning of the form's code. */
  readonly paymentReference: string | null;
  /** Where the customer continues. Null: the form's own page. */
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  readonly expiresAt: Date | null;
}

/** The same as a request gives it: amounts are decimal texts in the currency, and nothing is checked. */
export interface FormInput
  extends Omit<FormTerms, "currency" | "amount" | "minimumAmount" | "maximumAmount" | "totalLimit" | "ask"> {
  readonly currency: string;
  readonly amount: string | null;
  readonly minimumAmount: string | null;
  readonly maximumAmount: string | null;
  readonly totalLimit: string | null;
  readonly ask: readonly string[];
}

/** The quantity and amount that the links of a form that are neither expired nor failed take from its limits. */
export interface FormTaken {
  readonly quantity: number;
  /** Smallest unit of the currency. */
  readonly amount: bigint;
}

export const NOTHING_TAKEN: FormTaken = { quantity: 0, amount: 0n };

/** A form as its merchant sees it. */
export interface FormView extends FormTerms {
  readonly id: number;
  readonly code: string;
  readonly merchantId: number;
  readonly env: Env;
  readonly paymentReference: string;
  /** SHA-256 of the picture's bytes, in hex. null: none. */
  readonly picture: string | null;
  /** URL of the form's page. */
  readonly url: string;
  readonly taken: FormTaken;
  readonly archivedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Why a form accepts no submission now. */
export type FormClosed = "closed" | "sold_out";

/** The answers of a payer, as they were sent. */
export interface SubmittedFields {
  readonly amount: string;
  readonly quantity: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  readonly note: string;
  /** In the order of the form's fields. */
  readonly fields: readonly string[];
}
