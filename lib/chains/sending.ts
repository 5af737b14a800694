import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { NetworkFamily } from "./network-data.ts";

/** Throws NodeError if an answer cannot be true. */
export type Check<T> = (answer: T) => Promise<void> | void;

/**
 * The requests and broadcasts of every family's signer. Every failure is a NodeError. Each family has its own members in addition, and a
 * guard for them (isEvmSending in evm/sending.ts), so that this module imports no family.
 */
export interface Sending {
  /** The family whose members it has. TRON's differs from the other networks that are read as EVM. */
  readonly kind: NetworkFamily;
  /** The account that the signer pays from, canonical. Null if only the signer's words derive it. */
  hotAccount(): string | null;
  /** Sends a signed transaction to every node. Accepts one that a node has already. Throws if none took it. */
  broadcast(raw: string): Promise<void>;
}

/** Sending where one account pays, and nodes can be asked what it holds. Elsewhere deposits pay. */
export interface AccountSending extends Sending {
  /** Fetches the balance of an account in each listed token, in ledger units. */
  fetchBalances(account: string): Promise<ReadonlyMap<TokenCode, bigint>>;
}

/** Whether one account pays on the network. */
export const paysFromAccount = (sending: Sending | null): sending is AccountSending =>
  sending !== null && "fetchBalances" in sending;
