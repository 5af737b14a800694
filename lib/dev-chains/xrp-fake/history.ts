import type { LedgerResult } from "./apply-transaction.ts";
import type { AccountNode } from "./state.ts";
import type { SignedXrpTransaction } from "./transaction.ts";

export interface Included extends LedgerResult {
  readonly transaction: SignedXrpTransaction;
  readonly ledger: Ledger;
  /** Its index in the ledger. */
  readonly index: number;
  readonly nodes: readonly AccountNode[];
}

/** A closed and validated ledger. */
export interface Ledger {
  readonly index: number;
  readonly hash: string;
  readonly parentHash: string;
  /** Seconds since the year 2000. */
  readonly closeTime: number;
  readonly parentCloseTime: number;
  readonly totalCoins: bigint;
  /** This fake's own hash, not a tree's. */
  readonly contentHash: string;
  readonly transactions: Included[];
}

interface ChangeFields {
  readonly PreviousTxnID?: string;
  readonly PreviousTxnLgrSeq?: number;
}

/** Closed ledgers, as far as this server still keeps them. */
export interface History {
  /** undefined: no ledger is closed. */
  newest(): Ledger | undefined;
  /** undefined: it does not exist or was removed. */
  at(index: number): Ledger | undefined;
  /** The newest ledgers without a gap. */
  held(): { readonly min: number; readonly max: number };
  /** As server_info writes it, with gaps: "1-5,9". */
  complete(): string;
  forget(from: number, to: number): void;
  find(hash: string): Included | undefined;
  /** Transactions of the ledgers from..to that changed the account, oldest first. */
  affecting(account: string, from: number, to: number): readonly Included[];
  /** The newest change of an account up to a ledger, as the account names it. Empty: none. */
  lastChange(account: string, upTo: number): ChangeFields;
  /** A node of metadata with the change of its account before. */
  linked(node: AccountNode): AccountNode;
  addLedger(ledger: Ledger): void;
  addTransaction(one: Included): void;
}

export function openHistory(): History {
  const ledgers: Ledger[] = [];
  const forgotten = new Set<number>();
  const included = new Map<string, Included>();
  const byAccount = new Map<string, Included[]>();
  const changes = new Map<string, { readonly hash: string; readonly index: number }[]>();
  const lastChange = (account: string, upTo: number): ChangeFields => {
    const last = changes.get(account)?.findLast(({ index }) => index <= upTo);
    return last ? { PreviousTxnID: last.hash, PreviousTxnLgrSeq: last.index } : {};
  };
  return {
    newest: () => ledgers.at(-1),
    at: (index) => (forgotten.has(index) ? undefined : ledgers[index - 1]),
    held() {
      const max = ledgers.length;
      let min = max;
      while (min > 1 && !forgotten.has(min - 1)) min -= 1;
      return { min, max };
    },
    complete: () => ranges(ledgers.map(({ index }) => index).filter((index) => !forgotten.has(index))),
    forget(from, to) {
      for (let index = from; index <= to; index++) forgotten.add(index);
    },
    find(hash) {
      const one = included.get(hash);
      return one && !forgotten.has(one.ledger.index) ? one : undefined;
    },
    affecting: (account, from, to) =>
      (byAccount.get(account) ?? []).filter(({ ledger }) => ledger.index >= from && ledger.index <= to),
    lastChange,
    linked: ({ ModifiedNode: change, ...node }) =>
      change === undefined
        ? node
        : {
            ModifiedNode: { ...change, ...lastChange(change.FinalFields.Account, Number.POSITIVE_INFINITY) },
          },
    addLedger: (ledger) => void ledgers.push(ledger),
    addTransaction(one) {
      one.ledger.transactions.push(one);
      included.set(one.transaction.hash, one);
      for (const { ModifiedNode, CreatedNode } of one.nodes) {
        const account = ModifiedNode?.FinalFields.Account ?? CreatedNode?.NewFields.Account ?? "";
        const made = changes.get(account) ?? [];
        changes.set(account, made);
        made.push({ hash: one.transaction.hash, index: one.ledger.index });
      }
      for (const address of touched(one.transaction)) {
        const list = byAccount.get(address) ?? [];
        byAccount.set(address, list);
        list.push(one);
      }
    },
  };
}

function touched({ account, fields }: SignedXrpTransaction): ReadonlySet<string> {
  const amounts = [fields.Amount, fields.SendMax, fields.LimitAmount] as ({ issuer?: string } | undefined)[];
  const issuers = amounts.flatMap((amount) => amount?.issuer ?? []);
  const destination = fields.Destination === undefined ? [] : [String(fields.Destination)];
  return new Set([account, ...destination, ...issuers]);
}

/** "1-5,9" */
function ranges(numbers: readonly number[]): string {
  const parts: [number, number][] = [];
  for (const number of numbers) {
    const last = parts.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else parts.push([number, number]);
  }
  return parts.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join();
}
