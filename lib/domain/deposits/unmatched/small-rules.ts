import type { TokenCode } from "#lib/platform/money/tokens.ts";

/** Unmatched transfers below this worth are small. */
const SMALL_BELOW_CENTS = 100n;
/** A small one is recorded while its address has fewer open unmatched deposits of its token. */
export const MAX_OPEN_SMALL = 5;
/** This many small ones of a transaction that somebody asked for are recorded at each address in any case. */
const MAX_REQUESTED_SMALL = 50;

interface Unmatchable {
  readonly txHash: string;
  readonly addressId: number;
  readonly token: TokenCode;
  readonly unmatchedReason: string | null;
}

/** Returns whether an unmatched transfer is small. `usdCents` null: there is no price, so it may be worth a lot. */
export function isSmall({ unmatchedReason }: Unmatchable, usdCents: bigint | null): boolean {
  return unmatchedReason !== null && usdCents !== null && usdCents < SMALL_BELOW_CENTS;
}

/** The key of what is counted together. */
export const openKey = ({ addressId, token }: Pick<Unmatchable, "addressId" | "token">) =>
  `${addressId} ${token}`;

/**
 * Splits new transfers, in their order, into those that are recorded and small unmatched ones that are left out. Without
 * the limit, a stranger could fill the database and the operator's list with dust. `open` are the open unmatched
 * deposits so far, by openKey. `requested` is the transaction that somebody asked for.
 */
export function leaveOutSmall<T extends Unmatchable>(
  transfers: readonly T[],
  small: ReadonlySet<T>,
  { open, requested }: { readonly open: ReadonlyMap<string, number>; readonly requested: string | null },
): { readonly kept: readonly T[]; readonly leftOut: readonly T[] } {
  const counts = new Map(open);
  const ofRequested = new Map<number, number>();
  const kept: T[] = [];
  const leftOut: T[] = [];
  for (const transfer of transfers) {
    const count = counts.get(openKey(transfer)) ?? 0;
    const asked =
      transfer.txHash === requested ? (ofRequested.get(transfer.addressId) ?? 0) : MAX_REQUESTED_SMALL;
    const isKept = !small.has(transfer) || count < MAX_OPEN_SMALL || asked < MAX_REQUESTED_SMALL;
    (isKept ? kept : leftOut).push(transfer);
    if (!isKept || transfer.unmatchedReason === null) continue;
    counts.set(openKey(transfer), count + 1);
    if (small.has(transfer)) ofRequested.set(transfer.addressId, asked + 1);
  }
  return { kept, leftOut };
}
