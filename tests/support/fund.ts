import type { Env } from "#lib/chains/network-data.ts";
import { creditMerchants } from "#lib/domain/ledger/credit-merchants.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { parseAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";

let funded = 0;

/** Converts whole tokens, "0.5", to ledger units. */
export function units(token: TokenCode, amount: string): bigint {
  const parsed = parseAmount(amount, TOKENS[token].ledgerDecimals);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.units;
}

/**
 * Credits a merchant with whole tokens from the operator, valued at `price`. Returns the cause of the
 * credit.
 */
export async function fund(
  db: Db,
  to: { readonly merchantId: number; readonly token: TokenCode; readonly amount: string; readonly env?: Env },
  now: Date,
  price: string | null = "1",
): Promise<string> {
  funded += 1;
  const { merchantId, token, env = "test" } = to;
  const network = token === "btc" ? "bitcoin" : "bep20";
  const cause = `operator:${env}:fund-${funded}`;
  const credit = { env, token, network, merchantId, amount: units(token, to.amount), cause } as const;
  await db.transaction((tx) =>
    creditMerchants(tx, [credit], now, () => (price === null ? null : { price, source: "kraken" })),
  );
  return cause;
}
