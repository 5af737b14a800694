import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { NetworkCode, PaymentPair } from "#lib/chains/networks.ts";
import type { Payer } from "#lib/dev-chains/payers/types.ts";
import type { PaymentLinkDeps, PaymentLinkView } from "#lib/domain/payment-links/types.ts";
import type { LinkState } from "#lib/domain/types.ts";
import type { EventType } from "#lib/domain/webhooks/events.ts";

/** The events that a payment can go through, in the order in which they are shown. */
export const SCENARIOS = [
  "exact",
  "short",
  "over",
  "underpaid",
  "late",
  "extra",
  "wrong_token",
  "replaced",
  "reorganised",
] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** State of a transaction at the end of the call. waiting: broadcast, in no block. */
type Fate = "waiting" | "mined" | "replaced" | "reorganised";

export interface PlayedTransaction {
  readonly txHash: string;
  readonly fate: Fate;
  /** Contract of the paid token if it is not the requested one. In the form that wallets show. */
  readonly contract: string | null;
}

export interface SandboxDeps {
  readonly links: PaymentLinkDeps;
  /** The payer of a pair in the test environment. null: the network is off, or nothing pays the token there. */
  payer(pair: PaymentPair): { readonly adapter: NetworkAdapter; readonly payer: Payer } | null;
  readonly now: () => Date;
  /** How long one scenario waits for the worker. */
  readonly patienceMs: number;
}

export interface PlayRequest {
  readonly refid: string;
  readonly scenario: Scenario;
  /** One of the link's networks and tokens. Both null: the last picked pair. */
  readonly network: string | null;
  readonly token: string | null;
  /** Decimal text of whole tokens to pay instead of the scenario's amount. Absent: the scenario's amount. */
  readonly amount?: string;
  /** Mines until the payment is final. `underpaid`, `extra` and `reorganised` always do. */
  readonly mine: boolean;
  /** Only a link of this merchant. Absent: any link. */
  readonly merchantId?: number;
}

export interface Played extends PaymentPair {
  readonly refid: string;
  readonly scenario: Scenario;
  /** In the form that wallets show. */
  readonly address: string;
  /** Ledger units of each transaction. With a requested amount and `extra`: of the last one. */
  readonly amount: bigint;
  readonly transactions: readonly PlayedTransaction[];
  /** The state that the link reaches, and its event. null: it depends on the requested amount. */
  readonly expected: { readonly state: LinkState; readonly event: EventType | null } | null;
}

export type PlayRefusal =
  | "link_not_found"
  | "link_takes_no_payment"
  | "no_wallet_picked"
  | "pair_not_offered"
  | "no_development_chain"
  | "scenario_not_playable"
  | "amount_too_small_to_split"
  | "amount_not_positive"
  | "amount_too_many_decimals"
  | "amount_too_large"
  | "token_data_unavailable"
  | "network_not_available"
  | "network_not_watched"
  | "sandbox_busy"
  | "action_failed";

export type PlayResult =
  | { readonly ok: true; readonly played: Played }
  | { readonly ok: false; readonly reason: PlayRefusal };

/** The offer of the page's panel for a link. */
export interface SandboxOffer {
  readonly network: NetworkCode;
  readonly token: PaymentPair["token"];
  readonly scenarios: readonly Scenario[];
}

/** Pays links on the development chains of the test environment. Exists only if the operator enables it. */
export interface Sandbox {
  play(request: PlayRequest): Promise<PlayResult>;
  /** Scenarios for the selected pair that is shown. null: none, or not a development chain. */
  panel(link: PaymentLinkView, shown: PaymentPair | null): Promise<SandboxOffer | null>;
}
