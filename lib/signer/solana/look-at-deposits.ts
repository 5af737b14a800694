import type { Logger } from "pino";
import type { SolanaTokenAccount } from "#lib/chains/solana/types.ts";
import { toLedgerUnits } from "#lib/chains/units.ts";
import { recordLook } from "#lib/domain/deposits/unswept/find-unswept.ts";
import type { SweptToken, UnsweptAddress } from "#lib/domain/deposits/unswept/queries.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { findLastSweep, listDeposits, lookLater } from "../list-deposits.ts";
import type { JournalEntry } from "../types.ts";
import { deriveKey, type SolanaKey } from "./hot-key.ts";
import type { Hot } from "./plan-transaction.ts";

/** Addresses that a node is asked about at once: more than one transaction has room for. */
const MOST_ADDRESSES = 20;
/** Token accounts of one address in a transaction. */
const MOST_ACCOUNTS = 4;
/** Until an address is looked at again whose token account is frozen. */
const FROZEN_MS = 3_600_000;
/** As pools are filled: hardened steps, because ed25519 has no others. */
const PATH = /^m(?:\/[0-9]{1,10}'){2,6}$/;

export interface LookDeps {
  readonly db: Db;
  readonly log: Logger;
  readonly now: () => Date;
  /** The seed of the signer's words. */
  readonly seed: Uint8Array;
}

/** A deposit address as a node sees it. */
export interface Deposit {
  /** With the balance as its amount: what one transaction cannot move gets no address an earlier turn. */
  readonly row: UnsweptAddress;
  /** The amount that was listed. It stays in the database while what the node says is doubted. */
  readonly listed: bigint;
  readonly key: SolanaKey;
  /** The part of the swept token that a transaction can move, in ledger units. */
  readonly balance: bigint;
  readonly lamports: bigint;
  /** The accounts of the token's mint to sweep: the fullest ones. Empty for SOL. */
  readonly accounts: readonly SolanaTokenAccount[];
}

/**
 * Asks a node about the addresses that probably hold most of a token. Returns those that hold any, the largest first. An address counts
 * if the words derive its key, a balance if the node says so. `busy`: addresses in sweeps that wait for a block.
 */
export async function lookAtDeposits(
  hot: Hot,
  deps: LookDeps,
  {
    token,
    above,
    busy,
    own,
  }: {
    readonly token: SweptToken;
    readonly above: bigint;
    readonly busy: ReadonlySet<string>;
    readonly own: readonly JournalEntry[];
  },
): Promise<readonly Deposit[]> {
  const mintOf = hot.sending.findToken(token.token);
  if (mintOf === null) return [];
  const open = (row: UnsweptAddress) => openDeposit(hot, deps, row);
  const listed = await listDeposits(deps, token, { limit: MOST_ADDRESSES, open });
  const ours = listed.filter(({ row }) => !busy.has(row.address));
  if (ours.length === 0 || ours.reduce((sum, { row }) => sum + row.amount, 0n) < above) return [];
  const { mint, decimals } = mintOf;
  const holdings = await hot.sending.fetchHoldings(
    ours.map(({ key }) => key.address),
    mint === null ? [] : [mint],
  );
  const deposits = ours.map(({ row, key }, at): Deposit => {
    const { lamports = 0n, tokens = [] } = holdings[at] ?? {};
    const accounts = pickAccounts(tokens[0] ?? []);
    const held = mint === null ? lamports : accounts.reduce((sum, { amount }) => sum + amount, 0n);
    const balance = toLedgerUnits(held, { token: token.token, decimals });
    return { row: { ...row, amount: balance }, listed: row.amount, key, balance, lamports, accounts };
  });
  const isBlocked = (at: number) =>
    holdings[at]?.tokens[0]?.some(({ isFrozen, amount }) => isFrozen && amount > 0n);
  const blocked = deposits.filter(({ balance }, at) => balance === 0n && isBlocked(at));
  if (blocked.length > 0) {
    const rows = blocked.map(({ row, listed }) => ({ ...row, amount: listed }));
    deps.log.warn(
      { addresses: rows.map(({ address }) => address) },
      "not swept: the token account is frozen",
    );
    await recordLook(
      deps.db,
      token,
      rows.map((row) => lookLater(row, deps.now(), FROZEN_MS)),
      deps.now(),
    );
  }
  await correct(deps, token, {
    wrong: deposits.filter((one) => one.balance !== one.listed && !blocked.includes(one)),
    // As on EVM networks: only one that is worth a sweep by itself does not wait for others.
    // An empty one is never explained by a sweep: one takes what was read, not what is there, and may fail.
    sweptAt: ({ row, balance }) => {
      if (balance === 0n) return null;
      return balance >= above ? deps.now() : findLastSweep(own, row.address, token.token);
    },
  });
  return deposits
    .filter(({ balance }) => balance > 0n)
    .sort((one, other) => (one.balance < other.balance ? 1 : -1));
}

/** Stores what addresses hold that the database lists with another amount: those with less would keep all others from their turn. */
function correct(
  { db, now }: LookDeps,
  token: SweptToken,
  { wrong, sweptAt }: { readonly wrong: readonly Deposit[]; readonly sweptAt: (one: Deposit) => Date | null },
): Promise<void> {
  const found = wrong.map((one) => {
    const { row, listed, balance } = one;
    return { ...row, amount: listed, balance, retryAt: null, sweptAt: sweptAt(one) };
  });
  return recordLook(db, token, found, now());
}

/**
 * Anyone can make token accounts of our address, empty ones too, and keep the right to close them. They would make a sweep
 * fail or too large. The others have their turn later.
 */
function pickAccounts(all: readonly SolanaTokenAccount[]): readonly SolanaTokenAccount[] {
  return all
    .filter(({ amount, isFrozen }) => amount > 0n && !isFrozen)
    .toSorted((a, b) => Number(b.amount > a.amount) - Number(b.amount < a.amount))
    .slice(0, MOST_ACCOUNTS);
}

/** Lets the next looks pass over addresses for a while. */
export function postpone(
  { db, now }: Pick<LookDeps, "db" | "now">,
  token: SweptToken,
  { deposits, ms }: { readonly deposits: readonly Deposit[]; readonly ms: number },
): Promise<void> {
  return recordLook(
    db,
    token,
    deposits.flatMap(({ row, listed }) =>
      [...new Set([row.amount, listed])].map((amount) => lookLater({ ...row, amount }, now(), ms)),
    ),
    now(),
  );
}

/** A deposit address with its key. Null if the words do not derive it at the path that the database has. */
function openDeposit(hot: Hot, { seed }: LookDeps, row: UnsweptAddress): Pick<Deposit, "row" | "key"> | null {
  const key = PATH.test(row.path) ? deriveKey(seed, row.path) : null;
  return key?.address === row.address && row.address !== hot.key.address ? { row, key } : null;
}
