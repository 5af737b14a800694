import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type {
  LinkState,
  NetworkToken,
  PaymentLinkDeps,
  PaymentLinkView,
} from "#lib/domain/payment-links/types.ts";
import type { EventType } from "#lib/domain/webhooks/types.ts";

/** What may come of a payment. In the order in which they are shown. */
export const SCENARIOS = [
  "exact",
  "short",
  "over",
  "late",
  "wrong_token",
  "replaced",
  "reorganised",
] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** What became of a transaction by the end of the call. waiting: broadcast, in no block. */
export type Fate = "waiting" | "mined" | "replaced" | "reorganised";

export interface PlayedTransaction {
  readonly txHash: string;
  readonly fate: Fate;
  /** Of the token that was paid, when that is not the one asked for. As wallets show it. */
  readonly contract: string | null;
}

/**
 * Pays on one development chain, with coins without end. Amounts in the chain's units of the token (native coin:
 * of the coin); addresses as wallets show them. Throws NodeError when the node refuses or does not answer.
 */
export interface Payer {
  /** False where any of the network's nodes is one that other people could be using. */
  isDevelopmentChain(): Promise<boolean>;
  mine(blocks: number): Promise<void>;
  /** Broadcasts a payment and answers its hash. */
  pay(to: string, amount: bigint): Promise<string>;
  /** Pays as much of a token that is listed nowhere. Absent where the chain has no tokens. */
  payOtherToken?(to: string, amount: bigint): Promise<{ txHash: string; contract: string }>;
  /**
   * Pays, and once `seen` resolves, pays the same again by a transaction that excludes the first and carries a higher
   * fee. Absent where the chain knows no such thing.
   */
  payTwice?(
    to: string,
    amount: bigint,
    seen: (txHash: string) => Promise<void>,
  ): Promise<{ replaced: string; by: string }>;
  /** Replaces the blocks from the transaction's on by more others, which can never hold it. */
  takeBack(txHash: string): Promise<void>;
}

export interface SandboxDeps {
  readonly links: PaymentLinkDeps;
  /** Of a network that is on in the test environment; null: it is off, or has no payer. */
  payer(network: string): { readonly adapter: NetworkAdapter; readonly payer: Payer } | null;
  readonly now: () => Date;
  /** How long the worker may take to see what it is waited for. */
  readonly patienceMs: number;
}

export interface PlayRequest {
  readonly refid: string;
  readonly scenario: Scenario;
  /** Which of the link's networks and tokens; both null: what was picked last. */
  readonly network: string | null;
  readonly token: string | null;
  /** Decimal text of whole tokens to pay instead of what the scenario would; absent: what the scenario says. */
  readonly amount?: string;
  /** Mines until the payment is final. */
  readonly mine: boolean;
  /** Only a link of this merchant's; absent: whoever holds the link. */
  readonly merchantId?: number;
}

export interface Played extends NetworkToken {
  readonly refid: string;
  readonly scenario: Scenario;
  /** As wallets show it. */
  readonly address: string;
  /** Ledger units. */
  readonly amount: bigint;
  readonly transactions: readonly PlayedTransaction[];
  /** Where the link comes to stand, and the event that tells of it; null: an amount was given, so it depends. */
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

/** What the page's panel offers of a link. */
export interface SandboxPanel {
  readonly network: NetworkCode;
  readonly token: NetworkToken["token"];
  readonly scenarios: readonly Scenario[];
}

/** The payer of links on the development chains of the test environment; there is one only where the operator says so. */
export interface Sandbox {
  play(request: PlayRequest): Promise<PlayResult>;
  /** What can be played on the network shown; null: nothing, or no development chain. */
  panel(link: PaymentLinkView, network: string | null): Promise<SandboxPanel | null>;
}
