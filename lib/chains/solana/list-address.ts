import type { RpcClient } from "../rpc-client.ts";
import { accountOf, fetchHeld } from "./fetch-address-balances.ts";
import {
  type AccountSignature,
  fetchSignatures,
  fetchTokenAccounts,
  fetchTransactionBalances,
  listOwnTokenAccounts,
} from "./fetch-signatures.ts";
import { type Change, findStart, type Holding, readChange } from "./holdings.ts";
import type { TransactionBalances } from "./parse-block.ts";

/**
 * Slots before a range that are asked about again with it, about four minutes: a node's index of signatures may be behind its
 * blocks. It costs no further call.
 */
export const ASKED_AGAIN = 750;

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** By account. */
export type Holdings = ReadonlyMap<string, Holding>;

/** The memory of one node's answers about one address. */
export interface AddressMemory {
  /** The first slot of the last range that was asked about. */
  readonly from: number;
  /** The range of the last list that explains what the address holds. Null: it does not, or nothing was asked. */
  readonly covered: Range | null;
  /** Transactions that name the address or a token account of it, from ASKED_AGAIN before that range on. */
  readonly named: readonly AccountSignature[];
  /** Calls that the list took. Null: nothing was asked. */
  readonly calls: number | null;
  /** The balances of its accounts when everything up to then had been listed, or read in whole blocks. */
  readonly base: Holdings;
  /** Their balances when a list did not explain them. Once the blocks up to then were read, they are the base. */
  readonly doubt: Holdings | null;
  /** The listed transactions that were read. */
  readonly transactions: ReadonlyMap<string, TransactionBalances>;
}

/** Memory of an address that was never asked about. */
export const NOTHING_SHOWN: AddressMemory = {
  from: 0,
  covered: null,
  named: [],
  calls: null,
  base: new Map(),
  doubt: null,
  transactions: new Map(),
};

/** Fetches the holdings of these addresses at one slot of `at` or later: SOL, and tokens in the accounts that wallets use. */
export async function fetchHoldings(
  client: RpcClient,
  addresses: readonly string[],
  mints: ReadonlySet<string>,
  at: number,
): Promise<{ readonly slot: number; readonly of: ReadonlyMap<string, Holdings> }> {
  const asked = addresses.flatMap((owner) => [null, ...mints].map((mint) => accountOf(owner, mint)));
  const { slot, units } = await fetchHeld(client, asked, at);
  const of = new Map<string, Map<string, Holding>>(addresses.map((address) => [address, new Map()]));
  for (const [i, { owner, account }] of asked.entries()) {
    const held = units[i] ?? null;
    if (held !== null) of.get(owner)?.set(account, { slot, units: held });
  }
  return { slot, of };
}

export interface AddressQuestion {
  readonly address: string;
  readonly mints: ReadonlySet<string>;
  readonly range: Range;
  /** The holdings of the address that fetchHoldings found, and their slot. */
  readonly held: { readonly slot: number; readonly holdings: Holdings };
  readonly reads: TransactionReads;
}

/**
 * Lists the transactions that name an address or a token account of it, and checks that they explain what it holds: a node
 * may leave some out. Asked are the address, which is named by what pays SOL to it and by what it signs, and every token
 * account of it, since only that account is named by what pays tokens. A token account that was given away or closed is in no
 * list, but its owner has signed for that: it is found in that transaction.
 */
export async function listAddress(
  client: RpcClient,
  { address, mints, range, held, reads }: AddressQuestion,
  before: AddressMemory,
): Promise<AddressMemory> {
  const { from } = range;
  // A proof from a slot on says nothing of the slots before it.
  const memory = before.from <= from ? before : NOTHING_SHOWN;
  const isDoubtRead = memory.doubt !== null && from > slotOf(memory.doubt);
  const base = (isDoubtRead ? memory.doubt : null) ?? memory.base;
  const since = Math.max(0, from - ASKED_AGAIN);
  const list = (account: string, at: number) => {
    const after = base.get(account)?.slot ?? since;
    return fetchSignatures(client, account, { from: Math.min(since, after + 1), at });
  };

  const holdings = new Map(held.holdings);
  let at = held.slot;
  for (const mint of mints) {
    const found = await fetchTokenAccounts(client, { owner: address, mint, at });
    at = found.slot;
    for (const [account, units] of found.units) holdings.set(account, { slot: at, units });
  }
  // Up to the slot of the lists: what left them by then was signed by the owner.
  const lists = new Map([[address, await list(address, at)]]);
  // An account that the address no longer shows must have left it by a listed transaction.
  const gone = [...base.keys()].filter((account) => !holdings.has(account));
  const proven = new Map([
    ...holdings,
    ...gone.map((account) => [account, { slot: at, units: 0n }] as const),
  ]);
  const calls = mints.size + proven.size;
  const transactions = new Map<string, TransactionBalances>();
  const find = async (signature: string) => {
    const balances = await reads.find(signature);
    if (balances !== null) transactions.set(signature, balances);
    return balances;
  };
  const accounts = new Set(proven.keys());
  let isExplained = true;
  const signed = mints.size === 0 ? [] : (lists.get(address) ?? []);
  for (const { signature } of signed.filter(({ slot, failed }) => slot >= since && !failed)) {
    const balances = await find(signature);
    if (balances === null) isExplained = false;
    else for (const account of listOwnTokenAccounts(balances, address)) accounts.add(account);
  }
  accounts.delete(address);
  for (const account of accounts) lists.set(account, await list(account, at));
  for (const [account, holding] of proven) {
    const kind = account === address ? "lamports" : "tokens";
    const start = base.get(account) ?? null;
    const proof = { account, kind, listed: lists.get(account) ?? [], start, holding, from } as const;
    isExplained = isExplained && (await explains(proof, find));
  }
  const named = [...lists.values()].flat().filter(({ slot, failed }) => slot >= since && !failed);
  // This list must name, too, every transaction of this range that an earlier list named.
  const signatures = new Set(named.map(({ signature }) => signature));
  const isLeftOut = ({ slot, signature }: AccountSignature) => slot >= from && !signatures.has(signature);
  if (memory.named.some(isLeftOut)) isExplained = false;
  const shown = { from, named, calls, base, transactions };
  if (isExplained) return { ...shown, covered: range, base: holdings, doubt: null };
  return { ...shown, covered: null, doubt: isDoubtRead ? proven : (memory.doubt ?? proven) };
}

/** The newest slot of these holdings. */
export function slotOf(holdings: Holdings): number {
  return Math.max(...[...holdings.values()].map(({ slot }) => slot));
}

/** Reads transactions, each once, however many addresses it names. */
export interface TransactionReads {
  /** Null: the node does not have it, or as many as `most` were read. */
  find(signature: string): Promise<TransactionBalances | null>;
  /** Whether as many as `most` were read. */
  isSpent(): boolean;
}

export function openTransactionReads(
  client: RpcClient,
  mints: ReadonlySet<string>,
  { known, most }: { readonly known: ReadonlyMap<string, TransactionBalances>; readonly most: number },
): TransactionReads {
  const found = new Map<string, Promise<TransactionBalances | null>>();
  let left = most;
  return {
    async find(signature) {
      const before = known.get(signature) ?? found.get(signature);
      if (before !== undefined) return before;
      if (left === 0) return null;
      left -= 1;
      const balances = fetchTransactionBalances(client, signature, mints);
      found.set(signature, balances);
      return balances;
    },
    isSpent: () => left === 0,
  };
}

interface Proof {
  readonly account: string;
  readonly kind: "lamports" | "tokens";
  readonly listed: readonly AccountSignature[];
  /** Null: what the account held before is not known. */
  readonly start: Holding | null;
  readonly holding: Holding;
  readonly from: number;
}

/**
 * Returns whether the listed transactions lead to what the account holds: from what it is known to have held, otherwise from what the
 * newest transaction before the range left, otherwise from nothing.
 */
async function explains(
  { account, kind, listed, start, holding, from }: Proof,
  find: (signature: string) => Promise<TransactionBalances | null>,
): Promise<boolean> {
  const older = start === null ? listed.find(({ slot }) => slot < from) : undefined;
  const first = start === null ? (older?.slot ?? from) : start.slot + 1;
  const changes: Change[] = [];
  for (const { signature, slot } of listed) {
    if (slot < first || slot > holding.slot) continue;
    const balances = await find(signature);
    const change = balances && readChange(balances, account, kind);
    if (change === null) return false;
    changes.push(change);
  }
  const before = findStart(changes, holding.units);
  const expected = older === undefined ? (start?.units ?? 0n) : before;
  return before !== null && before === expected;
}
