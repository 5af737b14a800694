import type { Logger } from "pino";
import type { SolanaTokenAccount } from "#lib/chains/solana/types.ts";
import { toLedgerUnits } from "#lib/chains/units.ts";
import { findUnswept, recordLook } from "#lib/domain/deposits/unswept/find-unswept.ts";
import type { SweptToken, UnsweptAddress } from "#lib/domain/deposits/unswept/queries.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { deriveKey, type SolanaKey } from "./hot-key.ts";
import type { Hot } from "./plan-transaction.ts";

/** Addresses that a node is asked about at once: more than one transaction has room for. */
const MOST_ADDRESSES = 20;
/** Until an address of another key is looked at again. */
const FOREIGN_MS = 86_400_000;
/** As pools are filled: hardened steps, because ed25519 has no others. */
const PATH = /^m(?:\/[0-9]{1,10}'){2,6}$/;

export interface LookDeps {
  readonly db: Db;
  readonly log: Logger;
  readonly now: () => Date;
  /** Of the signer's words. */
  readonly seed: Uint8Array;
}

/** A deposit address as a node sees it. */
export interface Deposit {
  readonly row: UnsweptAddress;
  readonly key: SolanaKey;
  /** Of the token that is swept, in ledger units. */
  readonly balance: bigint;
  readonly lamports: bigint;
  /** Of the token's mint. Empty for SOL. */
  readonly accounts: readonly SolanaTokenAccount[];
}

/**
 * Asks a node about the addresses that probably hold most of a token. The database is only asked where to look: an address counts if the
 * words derive its key, a balance if the node says so. `busy`: addresses in sweeps that wait for a block.
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
  const { db, now } = deps;
  const listed = hot.sending.findToken(token.token);
  if (listed === null) return [];
  const rows = await findUnswept(db, token, { limit: MOST_ADDRESSES, now: now() });
  const free = rows.filter(({ address }) => !busy.has(address));
  const known = free.map((row) => ({ row, key: openDeposit(hot, deps, row) }));
  const ours = known.flatMap(({ row, key }) => (key === null ? [] : [{ row, key }]));
  const foreign = known.flatMap(({ row, key }) => (key === null ? [row] : []));
  await postpone(deps, token, { rows: foreign, ms: FOREIGN_MS });
  if (ours.length === 0 || ours.reduce((sum, { row }) => sum + row.amount, 0n) < above) return [];
  const { mint, decimals } = listed;
  const holdings = await hot.sending.fetchHoldings(
    ours.map(({ key }) => key.address),
    mint === null ? [] : [mint],
  );
  const deposits = ours.map((one, at): Deposit => {
    const { lamports = 0n, tokens = [] } = holdings[at] ?? {};
    const accounts = tokens[0] ?? [];
    const held = mint === null ? lamports : accounts.reduce((sum, { amount }) => sum + amount, 0n);
    return { ...one, lamports, accounts, balance: toLedgerUnits(held, { token: token.token, decimals }) };
  });
  const empty = deposits.filter(({ balance }) => balance === 0n);
  await recordLook(
    db,
    token,
    empty.map(({ row }) => ({ ...row, balance: 0n, retryAt: null })),
  );
  return deposits.filter(({ balance }) => balance > 0n);
}

/** Lets the next looks pass over addresses for a while. */
export function postpone(
  { db, now }: Pick<LookDeps, "db" | "now">,
  token: SweptToken,
  { rows, ms }: { readonly rows: readonly UnsweptAddress[]; readonly ms: number },
): Promise<void> {
  const retryAt = new Date(now().getTime() + ms);
  return recordLook(
    db,
    token,
    rows.map((row) => ({ ...row, balance: row.amount, retryAt })),
  );
}

/** The key of a deposit address. null: the words do not derive it at the path that the database has. */
function openDeposit(hot: Hot, { seed, log }: LookDeps, { address, path }: UnsweptAddress): SolanaKey | null {
  const key = PATH.test(path) ? deriveKey(seed, path) : null;
  if (key?.address === address && address !== hot.key.address) return key;
  log.warn({ address, path }, "not swept: the signer's words do not derive this address");
  return null;
}
