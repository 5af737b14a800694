import type { Logger } from "pino";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { findUnswept, type LookedAt, recordLook } from "#lib/domain/deposits/unswept/find-unswept.ts";
import type { SweptToken, UnsweptAddress } from "#lib/domain/deposits/unswept/queries.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { JournalEntry } from "./types.ts";

/** Until an address of another key is looked at again. */
const FOREIGN_MS = 86_400_000;

interface ListDeps {
  readonly db: Db;
  readonly log: Logger;
  readonly now: () => Date;
}

/**
 * Lists the addresses that probably hold most of a token, the largest first. The database only says where to look: `open` returns null for
 * an address that the signer's words do not derive, which is then passed over for a day.
 */
export async function listDeposits<D>(
  deps: ListDeps,
  token: SweptToken,
  { limit, open }: { readonly limit: number; readonly open: (row: UnsweptAddress) => D | null },
): Promise<readonly D[]> {
  const rows = await findUnswept(deps.db, token, { limit, now: deps.now() });
  const opened = rows.map((row) => ({ row, deposit: open(row) }));
  const foreign = opened.flatMap(({ row, deposit }) => (deposit === null ? [row] : []));
  for (const { address, index, path } of foreign)
    deps.log.error({ address, index, path }, "not swept: the signer's words do not derive this address");
  const now = deps.now();
  await recordLook(
    deps.db,
    token,
    foreign.map((row) => lookLater(row, now, FOREIGN_MS)),
    now,
  );
  return opened.flatMap(({ deposit }) => (deposit === null ? [] : [deposit]));
}

/** Whether an address is the child of the account key that the database says it is. */
export const isDerived = (adapter: NetworkAdapter, { address, index }: UnsweptAddress): boolean =>
  index >= 0 && adapter.addresses.derive(index).address === address;

/** Lets the next looks pass over an address for a while. */
export const lookLater = (row: UnsweptAddress, now: Date, ms: number): LookedAt => ({
  ...row,
  balance: row.amount,
  retryAt: new Date(now.getTime() + ms),
});

/** When a sweep of a token of an address was last signed. Null: none is known. */
export function findLastSweep(own: readonly JournalEntry[], address: string, token: TokenCode): Date | null {
  const isIts = ({ kind, moves }: JournalEntry) =>
    kind === "sweep" && moves.some((move) => move.from === address && move.token === token);
  return own.findLast(isIts)?.at ?? null;
}
