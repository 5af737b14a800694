import type { TokenCode } from "#lib/platform/money/tokens.ts";

/** What addresses hold at a block. */
export interface AddressBalances {
  /** The hash is null if the block is final. */
  readonly block: { readonly height: number; readonly hash: string | null };
  /** Those above 0, in ledger units of each listed token. */
  readonly balances: readonly {
    readonly address: string;
    readonly token: TokenCode;
    readonly amount: bigint;
  }[];
}
