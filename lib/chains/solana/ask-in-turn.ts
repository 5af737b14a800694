import type { AddressBook } from "../address-book.ts";
import { NodeError } from "../node-error.ts";
import type { RpcClient } from "../rpc-client.ts";
import { MOST_ACCOUNTS, openAccountTurns } from "./account-turns.ts";
import { accountOf } from "./fetch-address-balances.ts";
import { type AccountSignature, fetchSignatures, fetchTokenAccounts } from "./fetch-signatures.ts";
import type { LateSlots } from "./late-slots.ts";
import { ASKED_AGAIN, openTransactionReads, type Range } from "./list-address.ts";
import { MOST_SLOTS, openRounds } from "./rounds.ts";

/** Slots without a question after a failure: about eight minutes. */
const FAILED_SLOTS = 1_500;
/** Anybody can name an address in many transactions, for a fee each. A list of more pages is not read. */
const MOST_PAGES = 5;
/** The same for transactions that name an address: no more are read for the accounts that they emptied. */
const MOST_READS = 100;
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

/** The first slot that a question about `slot` reaches back to, as that of a new process does. */
const furthest = (slot: number) => Math.max(0, slot - MOST_SLOTS);

/**
 * Asks about one address after the other: a block's answer may have left a payment out, and nothing else in it shows that. It also finds what a
 * comparison of holdings does not: a payment that left at once, and one to another token account. A round continues when payments are expected
 * again, and the first two cover what another process compared. A node that does not answer is asked about the next address later.
 */
export function openTurns(late: LateSlots) {
  const rounds = openRounds();
  let askedAt: number | null = null;
  let showsAccounts = false;
  const accountTurns = openAccountTurns();
  /** Up to this slot a turn may ask as long ago as a new process does. */
  let wideUntil = 0;

  const askNext = async ({ client, book, mints, range, head }: Turn): Promise<void> => {
    const next = await rounds.findNext(book, range.from);
    if (next === null) return late.forgetBelow(lowest(range.from));
    const from = Math.max(0, next.from - ASKED_AGAIN);
    const { address } = next;
    const usual = [null, ...mints].map((mint) => accountOf(address, mint).account);
    // An account that strangers use more often than that holds back no other: the newest pages are read.
    const list = async (accounts: Iterable<string>, since: number) => {
      const question = { from: since, at: head, mostPages: MOST_PAGES, isCut: true };
      const lists = [...accounts].map((account) => fetchSignatures(client, account, question));
      const named = (await Promise.all(lists)).map((one) => one.filter(({ slot }) => slot >= since));
      const recorded = await book.findRecordedBlocks(named.flat().map(({ signature }) => signature));
      const unrecorded = named.flat().filter(({ signature }) => !recorded.has(signature));
      if (!late.add(unrecorded, range.from, address)) rounds.fail();
      return named;
    };
    const askStrange = async (units: ReadonlyMap<string, bigint>) => {
      const turn = accountTurns.choose(address, units);
      if (turn.isPart) wideUntil = range.from + MOST_SLOTS;
      await list(turn.accounts, turn.isPart ? Math.min(from, furthest(range.from)) : from);
      turn.done();
      return turn.accounts;
    };
    try {
      const others = await listTokenAccounts(client, { owner: address, mints, at: head });
      // A node refuses in passing, too.
      if (others === null) {
        showsAccounts = false;
        rounds.fail();
      }
      const [named = []] = await list(usual, from);
      const strange = new Map([...(others ?? [])].filter(([account]) => !usual.includes(account)));
      const asked = new Set([...usual, ...(others === null ? [] : await askStrange(strange))]);
      const emptied = await listEmptiedAccounts(client, { owner: address, mints, named });
      // Also those that are still there: a stranger may close one before its turn.
      const gone = emptied.accounts.filter((account) => !asked.has(account));
      if (emptied.isMissing || gone.length > MOST_ACCOUNTS) rounds.fail();
      await list(gone.slice(0, MOST_ACCOUNTS), from);
      showsAccounts = others !== null;
    } catch (error) {
      rounds.fail();
      if (!(error instanceof NodeError)) throw error;
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
  /** The lowest slot that a later question may ask for, in a range from `slot` on. */
  const lowest = (slot: number) =>
    Math.min(slot, rounds.from() ?? slot, slot < wideUntil ? furthest(slot) : slot) - ASKED_AGAIN;
  return { ask, lowest, showsAccounts: () => showsAccounts };
}

/**
 * Lists the token accounts that these transactions took something from, which name their owner: only the owner can do that. Nothing else
 * shows one that it has closed, as a sweep does. `isMissing`: the node does not have one that it lists.
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
): Promise<{ readonly accounts: readonly string[]; readonly isMissing: boolean }> {
  const found = new Set<string>();
  let isMissing = false;
  const reads = openTransactionReads(client, mints, { known: new Map(), most: MOST_READS });
  const read = async ({ signature }: AccountSignature) => {
    const transaction = await reads.find(signature);
    isMissing ||= transaction === null;
    const { accounts = [], tokensBefore = [], tokensAfter = [] } = transaction ?? {};
    // An account that was given to somebody else has nothing of the owner left.
    const kept = tokensAfter.filter((one) => one.owner === owner);
    const after = new Map(kept.map((one) => [one.accountIndex, one.amount]));
    const emptied = tokensBefore.filter(
      (one) => one.owner === owner && one.amount > (after.get(one.accountIndex) ?? 0n),
    );
    for (const { accountIndex } of emptied) found.add(accounts[accountIndex] ?? "");
  };
  const done = named.filter(({ failed }) => mints.size > 0 && !failed);
  for (let i = 0; i < done.length && !reads.isSpent(); i += MOST_AT_ONCE)
    await Promise.all(done.slice(i, i + MOST_AT_ONCE).map(read));
  return { accounts: [...found], isMissing };
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
