import { rescale } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";

/** A token with its decimals on one chain. */
export interface ChainToken {
  readonly token: TokenCode;
  readonly decimals: number;
}

/** Converts ledger units to the chain's units, rounded up: a request never asks for less than is due. */
export function toChainUnits(amount: bigint, { token, decimals }: ChainToken): bigint {
  const step = 10n ** BigInt(TOKENS[token].ledgerDecimals - decimals);
  return (amount + step - 1n) / step;
}

/** Converts the chain's units to ledger units. */
export function toLedgerUnits(amount: bigint, { token, decimals }: ChainToken): bigint {
  return rescale(amount, decimals, TOKENS[token].ledgerDecimals);
}
