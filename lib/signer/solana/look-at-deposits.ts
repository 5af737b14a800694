import type { Logger } from "pino";
import type { SolanaTokenAccount } from "#lib/chains/solana/types.ts";
import { toLedgerUnits } from "#lib/chains/units.ts";
import { recordLook } from "#lib/domain/deposits/unswept/find-unswept.ts";
import type { SweptToken, UnsweptAddress } from "#lib/domain/deposits/unswept/queries.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { listDeposits, lookLater } from "../list-deposits.ts";
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
  readonly row: UnsweptAddress;
  readonly key: SolanaKey;
  /** The balance of the swept token, in ledger units. */
  readonly balance: bigint;
  readonly lamports: bigint;
  /** The accounts of the token's mint to sweep: the fullest ones. Empty for SOL. */
  readonly accounts: readonly SolanaTokenAccount[];
}

/**
 * Asks a node about the addresses that probably hold most of a token. An address counts if the words derive
 * its key, a balance if the node says so. `busy`: addresses in sweeps that wait for a block.
 */
export async function lookAtDeposits(
  hot: Hot,
  deps: LookDeps,
  {
    token,
    above,
    busy,
  }: { readonly token: SweptToken; readonly above: bigint; readonly busy: ReadonlySet<string> },
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
  const deposits = ours.map((one, at): Deposit => {
    const { lamports = 0n, tokens = [] } = holdings[at] ?? {};
    const accounts = pickAccounts(tokens[0] ?? []);
    const held = mint === null ? lamports : accounts.reduce((sum, { amount }) => sum + amount, 0n);
    return { ...one, lamports, accounts, balance: toLedgerUnits(held, { token: token.token, decimals }) };
  });
  const isBlocked = (at: number) =>
    holdings[at]?.tokens[0]?.some(({ isFrozen, amount }) => isFrozen && amount > 0n);
  const blocked = deposits.filter(({ balance }, at) => balance === 0n && isBlocked(at));
  if (blocked.length > 0) {
    const rows = blocked.map(({ row }) => row);
    deps.log.warn(
      { addresses: rows.map(({ address }) => address) },
      "not swept: the token account is frozen",
    );
    await postpone(deps, token, { rows, ms: FROZEN_MS });
  }
  const empty = deposits.filter((one) => one.balance === 0n && !blocked.includes(one));
  await recordLook(
    deps.db,
    token,
    empty.map(({ row }) => ({ ...row, balance: 0n, retryAt: null })),
    deps.now(),
  );
  return deposits.filter(({ balance }) => balance > 0n);
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
  { rows, ms }: { readonly rows: readonly UnsweptAddress[]; readonly ms: number },
): Promise<void> {
  return recordLook(
    db,
    token,
    rows.map((row) => lookLater(row, now(), ms)),
    now(),
  );
}

/** A deposit address with its key. Null if the words do not derive it at the path that the database has. */
function openDeposit(hot: Hot, { seed }: LookDeps, row: UnsweptAddress): Pick<Deposit, "row" | "key"> | null {
  const key = PATH.test(row.path) ? deriveKey(seed, row.path) : null;
  return key?.address === row.address && row.address !== hot.key.address ? { row, key } : null;
}
