import type { AddressBook } from "../address-book.ts";
import { NodeError } from "../node-error.ts";
import type { RpcClient } from "../rpc-client.ts";
import { MOST_ACCOUNTS, openAccountTurns } from "./account-turns.ts";
import { accountOf } from "./fetch-address-balances.ts";
import { fetchTokenAccounts, fetchTransactionBalances } from "./fetch-signatures.ts";
import type { LateSlots } from "./late-slots.ts";
import { ASKED_AGAIN, type Range } from "./list-address.ts";
import type { TransactionBalances } from "./parse-block.ts";
import { MOST_SLOTS, openRounds } from "./rounds.ts";
import { openLists, openReading, type Unread } from "./turn-backlog.ts";

/** Errors that may be about a single transaction. */
const OF_ONE_TRANSACTION: ReadonlySet<NodeError["kind"]> = new Set(["refused", "malformed"]);
/** Slots without a question after a failure: about eight minutes. */
const FAILED_SLOTS = 1_500;
/** Addresses that a pass of many slots asks about, and transactions that are read together. */
const MOST_AT_ONCE = 4;

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

export interface TurnReports {
  /** Transactions of an account were left out. */
  readonly leftOut?: (account: string) => void;
  /** A node did not answer about an address. */
  readonly failed?: (address: string, error: NodeError) => void;
}

/** The first slot that a question about `slot` reaches back to, as that of a new process does. */
const furthest = (slot: number) => Math.max(0, slot - MOST_SLOTS);

/**
 * Asks about one address after the other: a block's answer may have left a payment out, and nothing else in it shows that. It also finds what a
 * comparison of holdings does not: a payment that left at once, and one to another token account. A round continues when payments are expected
 * again, and the first two cover what another process compared. A node that does not answer is asked about the next address later.
 */
export function openTurns(late: LateSlots, reports: TurnReports = {}) {
  const rounds = openRounds();
  let askedAt: number | null = null;
  let showsAccounts = false;
  const accountTurns = openAccountTurns();
  const leftOut = (account: string) => {
    // A later list must have it.
    rounds.fail();
    reports.leftOut?.(account);
  };
  const [lists, reading] = [openLists(leftOut), openReading(leftOut)];
  const reach = openReach(rounds);

  const askNext = async (turn: Turn): Promise<void> => {
    const { client, book, mints, range, head } = turn;
    const next = await rounds.findNext(book, range.from);
    if (next === null) return late.forgetBelow(reach.lowest(range.from));
    const from = Math.max(0, next.from - ASKED_AGAIN);
    const { address } = next;
    const usual = [null, ...mints].map((mint) => accountOf(address, mint).account);
    const listing = openListing({ rounds, late, lists, reach }, turn, { address, from, usual });
    const { list } = listing;
    const askStrange = async (units: ReadonlyMap<string, bigint>) => {
      const some = accountTurns.choose(address, units);
      await list(some.accounts, some.isPart ? range.from : null);
      some.done();
      return some.accounts;
    };
    try {
      const others = await listTokenAccounts(client, { owner: address, mints, at: head });
      // A node refuses in passing, too.
      showsAccounts &&= others !== null;
      const [named = []] = await list(usual, null);
      const strange = new Map([...(others ?? [])].filter(([account]) => !usual.includes(account)));
      const asked = new Set([...usual, ...(others === null ? [] : await askStrange(strange))]);
      const unread = mints.size === 0 ? [] : reading.choose(address, named, from);
      const shown = await listEmptiedAccounts(client, { owner: address, mints, unread });
      const { emptied, missing, failure } = shown;
      if (others === null || missing.length > 0) rounds.fail();
      // Also those that are still there: a stranger may close one before its turn.
      const gone = chooseAccounts(emptied, asked);
      // Many transactions that name the address may have delayed this one, for longer than a new process asks about.
      await list(gone.accounts, gone.accounts.size > 0 ? Math.min(range.from, gone.oldest) : null);
      const read = gone.read.map((one) => ({ ...one, isDone: one.accounts.every(listing.isDone) }));
      reading.end(address, range.from, { read, missing });
      if (failure !== null && emptied.length === 0) throw failure;
      showsAccounts = others !== null;
    } catch (error) {
      rounds.fail();
      if (!(error instanceof NodeError)) throw error;
      reports.failed?.(address, error);
      if (error.kind === "refused") showsAccounts = false;
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
  return { ask, lowest: reach.lowest, showsAccounts: () => showsAccounts };
}

interface ListedIn {
  readonly rounds: Pick<ReturnType<typeof openRounds>, "fail">;
  readonly late: LateSlots;
  readonly lists: ReturnType<typeof openLists>;
  readonly reach: ReturnType<typeof openReach>;
}

/** Lists accounts of an address in its turn. */
function openListing(
  { rounds, late, lists, reach }: ListedIn,
  { client, book, range, head }: Turn,
  {
    address,
    from,
    usual,
  }: { readonly address: string; readonly from: number; readonly usual: readonly string[] },
) {
  let isLeftOut = false;
  return {
    /** `wide`: the slot that they are asked about as a new process at that slot does. Null: about the slots of the round. */
    async list(accounts: Iterable<string>, wide: number | null) {
      const since = wide === null ? from : Math.min(from, furthest(wide));
      if (wide !== null) reach.widen(range.from, since);
      const asked = [...accounts].map((account) => lists.list(client, account, { since, at: head }));
      const named = await Promise.all(asked);
      const recorded = await book.findRecordedBlocks(named.flat().map(({ signature }) => signature));
      const unrecorded = named.flat().filter(({ signature }) => !recorded.has(signature));
      if (late.add(unrecorded, range.from, address)) return named;
      rounds.fail();
      isLeftOut = true;
      // Each round lists the usual accounts.
      lists.beginAgain([...accounts].filter((account) => !usual.includes(account)));
      return named;
    },
    /** Whether all that names an account was listed and waits to be read. An account that is open may be closed before the next turn. */
    isDone: (account: string) => !isLeftOut && (usual.includes(account) || lists.isWhole(account)),
  };
}

/** Remembers how far back later questions may ask. */
function openReach(rounds: Pick<ReturnType<typeof openRounds>, "from">) {
  /** Up to this slot a turn may ask as long ago as a new process does. */
  let wideUntil = 0;
  /** A list that takes many turns asks about the same slots in each, while others get older. */
  let furthestBack = { since: 0, until: 0 };
  return {
    widen(slot: number, since: number) {
      wideUntil = slot + MOST_SLOTS;
      if (since <= furthestBack.since || slot >= furthestBack.until)
        furthestBack = { since, until: wideUntil };
    },
    /** The lowest slot that a later question may ask for, in a range from `slot` on. */
    lowest(slot: number) {
      const wide = slot < wideUntil ? furthest(slot) : slot;
      const listed = slot < furthestBack.until ? furthestBack.since : slot;
      return Math.min(slot, rounds.from() ?? slot, wide, listed) - ASKED_AGAIN;
    },
  };
}

/** The token accounts that a transaction took something from. */
interface Emptied extends Unread {
  readonly accounts: readonly string[];
}

/** Accounts of the first transactions that were not asked about, as many as a turn asks about. The other transactions are read again. */
function chooseAccounts(emptied: readonly Emptied[], asked: ReadonlySet<string>) {
  const accounts = new Set<string>();
  const read: Emptied[] = [];
  let oldest = Number.POSITIVE_INFINITY;
  for (const one of emptied) {
    const more = one.accounts.filter((account) => !asked.has(account));
    if (accounts.size > 0 && accounts.size + more.length > MOST_ACCOUNTS) break;
    for (const account of more) accounts.add(account);
    if (more.length > 0) oldest = Math.min(oldest, one.slot);
    read.push(one);
  }
  return { accounts, read, oldest };
}

/**
 * Lists the token accounts that these transactions took something from, which name their owner: only the owner can do that. Nothing else
 * shows one that it has closed, as a sweep does. `missing`: the node does not have these, although it lists them, or does not show them, as the
 * first `failure` says: one of them holds back no other.
 */
async function listEmptiedAccounts(
  client: RpcClient,
  {
    owner,
    mints,
    unread,
  }: {
    readonly owner: string;
    readonly mints: ReadonlySet<string>;
    readonly unread: readonly Unread[];
  },
): Promise<{
  readonly emptied: readonly Emptied[];
  readonly missing: readonly string[];
  readonly failure: NodeError | null;
}> {
  const emptied: Emptied[] = [];
  const missing: string[] = [];
  let failure: NodeError | null = null;
  const read = ({ signature }: Unread) =>
    fetchTransactionBalances(client, signature, mints).catch((error: unknown) => {
      const isOfOne = error instanceof NodeError && OF_ONE_TRANSACTION.has(error.kind);
      if (!isOfOne) throw error;
      failure ??= error;
      return null;
    });
  for (let i = 0; i < unread.length; i += MOST_AT_ONCE) {
    const part = unread.slice(i, i + MOST_AT_ONCE);
    const found = await Promise.all(part.map(read));
    for (const [n, one] of part.entries()) {
      const transaction = found[n] ?? null;
      if (transaction === null) missing.push(one.signature);
      else emptied.push({ ...one, accounts: listTaken(transaction, owner) });
    }
  }
  return { emptied, missing, failure };
}

/** The token accounts of an owner that a transaction took something from. */
function listTaken(
  { accounts, tokensBefore, tokensAfter }: TransactionBalances,
  owner: string,
): readonly string[] {
  // An account that was given to somebody else has nothing of the owner left.
  const kept = tokensAfter.filter((one) => one.owner === owner);
  const after = new Map(kept.map((one) => [one.accountIndex, one.amount]));
  return tokensBefore
    .filter((one) => one.owner === owner && one.amount > (after.get(one.accountIndex) ?? 0n))
    .map(({ accountIndex }) => accounts[accountIndex] ?? "");
}

/** Lists all token accounts of an owner, with what they hold. Null: the node refuses to. */
async function listTokenAccounts(
  client: RpcClient,
  { owner, mints, at }: { readonly owner: string; readonly mints: ReadonlySet<string>; readonly at: number },
): Promise<ReadonlyMap<string, bigint> | null> {
  const found = new Map<string, bigint>();
  try {
    for (const mint of mints)
      for (const [account, units] of (await fetchTokenAccounts(client, { owner, mint, at })).units)
        found.set(account, units);
  } catch (error) {
    if (error instanceof NodeError && error.kind === "refused") return null;
    throw error;
  }
  return found;
}
