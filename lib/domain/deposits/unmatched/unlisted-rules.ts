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
