import { sha512Half } from "./transaction.ts";

interface XrpAccountState {
  balance: bigint;
  sequence: number;
  /** Payments without a destination tag are refused. */
  requiresTag: boolean;
  /** Only payments of chosen accounts are accepted. This fake knows no such accounts, so it refuses all payments. */
  refuses?: boolean;
}

/** Balances of all accounts, in XRP and in issued tokens. apply-transaction.ts changes them. */
export interface State {
  readonly accounts: Map<string, XrpAccountState>;
  /** Millionths of a token by holder, issuer and currency. One entry is one trust line. */
  readonly lines: Map<string, bigint>;
}

/** Drops that every account must keep, and that the first payment to a new account must bring. */
export const RESERVE = 1_000_000n;
export const BASE_FEE = 10n;
/** The fee that the open ledger asks for while no other is set. */
export const OPEN_FEE = 12n;
export const ALL_DROPS = 100_000_000_000_000_000n;

export function openState(holder: string): State {
  return {
    accounts: new Map([[holder, { balance: ALL_DROPS, sequence: 1, requiresTag: false }]]),
    lines: new Map(),
  };
}

export const lineOf = (
  holder: string,
  token: { readonly issuer: string; readonly currency: string },
): string => `${holder} ${token.issuer} ${token.currency}`;

/** A copy that the caller may discard. */
export function copyState({ accounts, lines }: State): State {
  return {
    accounts: new Map([...accounts].map(([address, account]) => [address, { ...account }])),
    lines: new Map(lines),
  };
}

interface AccountFields {
  readonly Account: string;
  readonly Balance: string;
  readonly Flags: number;
  readonly Sequence: number;
}

/** A changed account in a transaction's metadata. */
export interface AccountNode {
  readonly CreatedNode?: { readonly NewFields: AccountFields };
  readonly ModifiedNode?: { readonly FinalFields: AccountFields; readonly PreviousFields: object };
}

/** The metadata's nodes: what changed in the accounts between two states. */
export function affectedNodes(before: State, after: State): readonly AccountNode[] {
  return [...after.accounts].flatMap(([address, account]): AccountNode[] => {
    const old = before.accounts.get(address);
    const fields = {
      Account: address,
      Balance: String(account.balance),
      Flags: 0,
      Sequence: account.sequence,
    };
    const node = { LedgerEntryType: "AccountRoot", LedgerIndex: sha512Half(`a${address}`) };
    if (old === undefined) return [{ CreatedNode: { ...node, NewFields: fields } }];
    if (old.balance === account.balance && old.sequence === account.sequence) return [];
    const previous = { Balance: String(old.balance), Sequence: old.sequence };
    return [{ ModifiedNode: { ...node, FinalFields: fields, PreviousFields: previous } }];
  });
}
