import type { TokenCode } from "#lib/platform/money/tokens.ts";

/** The balances of addresses at a block. */
export interface AddressBalances {
  /** The hash is null if the block is final. */
  readonly block: { readonly height: number; readonly hash: string | null };
  /** The balances above 0, in ledger units of each listed token. */
  readonly balances: readonly {
    readonly address: string;
    readonly token: TokenCode;
    readonly amount: bigint;
  }[];
}

/** The balances of addresses, as nodes report them. */
export interface Custody {
  /**
   * The balances of canonical addresses, at most as many as `balancePage` of the family allows. `at`: at this block, where nodes know
   * earlier states; elsewhere, and with null, at their newest.
   */
  fetchBalances(
    addresses: readonly string[],
    at: { readonly height: number; readonly hash: string } | null,
  ): Promise<AddressBalances>;
}
