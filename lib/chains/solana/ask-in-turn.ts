import type { AddressBook } from "../address-book.ts";
import { NodeError } from "../node-error.ts";
import type { RpcClient } from "../rpc-client.ts";
import { accountOf } from "./fetch-address-balances.ts";
import { type AccountSignature, fetchSignatures, fetchTokenAccounts } from "./fetch-signatures.ts";
import type { LateSlots } from "./late-slots.ts";
import { ASKED_AGAIN, openTransactionReads, type Range } from "./list-address.ts";
import { openRounds } from "./rounds.ts";

/** Slots without a question after a failure: about eight minutes. */
const FAILED_SLOTS = 1_500;
/** Anybody can name an address in many transactions, for a fee each. A list of more pages is not read. */
const MOST_PAGES = 5;
/** The same for transactions that name an address: no more are read for the accounts that they emptied. */
const MOST_READS = 100;
/** Addresses that a pass of many slots asks about, and transactions that are read together. */
const MOST_AT_ONCE = 4;
/** Anybody can make token accounts of an address, for a deposit each. Of more than these, each turn lists the next ones. */
const MOST_ACCOUNTS = 50;

export interface Turn {
  readonly client: RpcClient;
  readonly book: AddressBook;
  readonly mints: ReadonlySet<string>;
  /** The range that is read now. */
  readonly range: Range;
  /** The newest slot that the node has shown. */
  readonly head: number;
  /** No payment is expected, or no blocks are read: fewer calls matter more than seconds. */
  readonly isSlow: boolean;
}

/**
 * Asks about one address after the other: a block's answer may have left a payment out, and nothing else in it shows that. It also finds what a
 * comparison of holdings does not: a payment that left at once, and one to another token account. A round continues when payments are expected
 * again, and the first two cover what another process compared. A node that does not answer is asked about the next address later.
 */
export function openTurns(late: LateSlots) {
  const rounds = openRounds();
  let askedAt: number | null = null;
  let showsAccounts = false;
  /** The place of the account that the next turn begins with, by address. */
  const places = new Map<string, number>();

  const choose = (address: string, accounts: readonly string[]) => {
    if (accounts.length <= MOST_ACCOUNTS) return accounts;
    // The other accounts are asked about the same slots in the next rounds.
    rounds.fail();
    const place = (places.get(address) ?? 0) % accounts.length;
    places.set(address, place + MOST_ACCOUNTS);
    const sorted = accounts.toSorted();
    return [...sorted.slice(place), ...sorted].slice(0, MOST_ACCOUNTS);
  };
  const askNext = async ({ client, book, mints, range, head }: Turn): Promise<void> => {
    const next = await rounds.findNext(book, range.from);
    if (next === null) return late.forgetBelow(lowest(range.from));
    const from = Math.max(0, next.from - ASKED_AGAIN);
    const { address } = next;
    const usual = [null, ...mints].map((mint) => accountOf(address, mint).account);
    const list = async (accounts: Iterable<string>) => {
      const lists = [...accounts].map((account) =>
        fetchSignatures(client, account, { from, at: head, mostPages: MOST_PAGES }),
      );
      const named = (await Promise.all(lists)).map((one) => one.filter(({ slot }) => slot >= from));
      const recorded = await book.findRecordedBlocks(named.flat().map(({ signature }) => signature));
      late.add(
        named.flat().filter(({ signature }) => !recorded.has(signature)),
        range.from,
      );
      return named;
    };
    try {
      const others = await listTokenAccounts(client, { owner: address, mints, at: head });
      showsAccounts = others !== null;
      // A node refuses in passing, too.
      if (!showsAccounts) rounds.fail();
      const accounts = new Set([...usual, ...choose(address, others ?? [])]);
      const [named = []] = await list(accounts);
      const emptied = await listEmptiedAccounts(client, { owner: address, mints, named });
      await list(emptied.filter((account) => !accounts.has(account)));
    } catch (error) {
      rounds.fail();
      if (!(error instanceof NodeError)) throw error;
      askedAt = range.to + FAILED_SLOTS;
    }
  };
  const ask = async (turn: Turn): Promise<void> => {
    const { range, isSlow } = turn;
    const every = rounds.everySlots(isSlow);
    const due = askedAt === null ? 1 : Math.floor((range.to - askedAt) / every);
    if (due < 1) return;
    askedAt = range.to;
    const most = isSlow ? MOST_AT_ONCE : 1;
    // A failure sets a later slot.
    for (let i = 0; i < Math.min(due, most) && askedAt === range.to; i++) await askNext(turn);
  };
  /** The lowest slot that a later question may ask for, in a range from `slot` on. */
  const lowest = (slot: number) => Math.min(slot, rounds.from() ?? slot) - ASKED_AGAIN;
  return { ask, lowest, showsAccounts: () => showsAccounts };
}

/**
 * Lists the token accounts that held something before these transactions, which name their owner: only the owner can empty an account. Nothing else
 * shows one that it has closed, as a sweep does.
 */
async function listEmptiedAccounts(
  client: RpcClient,
  {
    owner,
    mints,
    named,
  }: {
    readonly owner: string;
    readonly mints: ReadonlySet<string>;
    readonly named: readonly AccountSignature[];
  },
): Promise<readonly string[]> {
  const found = new Set<string>();
  const reads = openTransactionReads(client, mints, { known: new Map(), most: MOST_READS });
  const read = async ({ signature }: AccountSignature) => {
    const { accounts = [], tokensBefore = [] } = (await reads.find(signature)) ?? {};
    const held = tokensBefore.filter((one) => one.owner === owner && one.amount > 0n);
    for (const { accountIndex } of held) found.add(accounts[accountIndex] ?? "");
  };
  const done = named.filter(({ failed }) => mints.size > 0 && !failed);
  for (let i = 0; i < done.length && !reads.isSpent(); i += MOST_AT_ONCE)
    await Promise.all(done.slice(i, i + MOST_AT_ONCE).map(read));
  return [...found];
}

/** Lists all token accounts of an owner. Null: the node refuses to. */
async function listTokenAccounts(
  client: RpcClient,
  { owner, mints, at }: { readonly owner: string; readonly mints: ReadonlySet<string>; readonly at: number },
): Promise<readonly string[] | null> {
  const found: string[] = [];
  try {
    for (const mint of mints)
      found.push(...(await fetchTokenAccounts(client, { owner, mint, at })).units.keys());
  } catch (error) {
    if (error instanceof NodeError && error.kind === "refused") return null;
    throw error;
  }
  return found;
}
