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

/** The most unresolved rows that one contract at one address may have, and that one address may have. */
const MAX_PER_CONTRACT = 5;
const MAX_PER_ADDRESS = 50;

/**
 * Splits transfers of unlisted tokens, in their order, into those that are stored and those that are dropped. Without
 * the limits, anyone could fill the database and the operator's list with worthless tokens.
 * `counts` are the unresolved rows so far, by address and then by contract.
 */
export function applyUnlistedLimits<T extends { readonly addressId: number; readonly contract: string }>(
  transfers: readonly T[],
  counts: ReadonlyMap<number, ReadonlyMap<string, number>>,
): { readonly kept: readonly T[]; readonly dropped: readonly T[] } {
  const kept: T[] = [];
  const dropped: T[] = [];
  const rows = new Map([...counts].map(([addressId, contracts]) => [addressId, new Map(contracts)]));
  for (const transfer of transfers) {
    const contracts = rows.get(transfer.addressId) ?? new Map<string, number>();
    rows.set(transfer.addressId, contracts);
    const contractRows = contracts.get(transfer.contract) ?? 0;
    const addressRows = [...contracts.values()].reduce((sum, count) => sum + count, 0);
    const isBelowLimits = contractRows < MAX_PER_CONTRACT && addressRows < MAX_PER_ADDRESS;
    if (isBelowLimits) contracts.set(transfer.contract, contractRows + 1);
    (isBelowLimits ? kept : dropped).push(transfer);
  }
  return { kept, dropped };
}
