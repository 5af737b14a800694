import type { Env } from "#lib/chains/network-data.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";

/** The roles of a merchant's staff. role-rules.ts says what each may do. */
export type Role = "owner" | "manager" | "developer" | "accountant" | "cashier";

export const KEY_SCOPES = ["full", "read", "payment-links", "withdrawals", "webhooks", "settings"] as const;
/** A scope that people choose for a key. */
export type KeyScope = (typeof KEY_SCOPES)[number];
/** The scope of a key that speaks Greenfield alone: its permissions say what it may. */
export const GREENFIELD_SCOPE = "greenfield";
/** The scope of any key. */
export type HeldScope = KeyScope | typeof GREENFIELD_SCOPE;

/** The permissions of Greenfield keys, under the names that plugins of shops ask for. */
export const PERMISSIONS = [
  "btcpay.store.canviewinvoices",
  "btcpay.store.cancreateinvoice",
  "btcpay.store.canmodifyinvoices",
  "btcpay.store.canviewstoresettings",
  "btcpay.store.canmodifystoresettings",
  "btcpay.store.webhooks.canmodifywebhooks",
  "btcpay.store.cancreatenonapprovedpullpayments",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The rights of a Greenfield key. */
export interface Grant {
  readonly permissions: readonly Permission[];
  /** The web origin of the program that has the key, to which alone it may send webhooks. null: nobody said it. */
  readonly origin: string | null;
}

/** The operator with the command. */
export interface OperatorActor {
  readonly kind: "operator";
  /** Name of the system's user. */
  readonly name: string;
}

/** A person in the console. */
export interface PersonActor {
  readonly kind: "person";
  readonly userId: number;
  /** The role of the person at the merchant. Null: the person acts for themself alone, wherever they work. */
  readonly role: Role | "operator" | null;
  /** When the person last proved who they are. */
  readonly verifiedAt: Date;
}

/** A program with an API key. */
export interface KeyActor {
  readonly kind: "key";
  readonly keyId: number;
  readonly scope: HeldScope;
  /** The rights of a Greenfield key. Absent or null for every other key. */
  readonly grant?: Grant | null;
  /** Id of the person who made the key. null: the operator did. */
  readonly madeBy: number | null;
  /** The role that this person has now. null: the operator made the key. */
  readonly makerRole: Role | null;
  /** Address that the request came from. */
  readonly clientAddress: string;
}

/** A payer who has the secret of a refund claim. */
interface PayerActor {
  readonly kind: "payer";
  readonly claimId: number;
}

/** The program that pays withdrawals. Its own policy says what it may, not the table of verbs. */
export interface SignerActor {
  readonly kind: "signer";
}

export type Actor = OperatorActor | PersonActor | KeyActor | PayerActor | SignerActor;

/** One change that somebody makes to the installation: in one transaction, at one time. */
export interface InstallationAct {
  readonly tx: Tx;
  readonly now: Date;
  readonly actor: Actor;
}

/** The same at a merchant. */
export interface Act extends InstallationAct {
  readonly merchantId: number;
  readonly env: Env;
}

/** An act that a program does at a merchant many times, in a transaction of the caller or in transactions of its own. */
export interface ProgramAct extends Omit<Act, "tx"> {
  readonly db: Db | Tx;
}

/** One change that a person makes to their own account. */
export interface OwnAct extends InstallationAct {
  readonly actor: PersonActor;
  /** The session in which they make it. */
  readonly sessionId: number;
}
