import type { UsdPriceLookup } from "#lib/domain/rates/types.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { isWithinDeskLimit } from "./buy-rules.ts";
import { insertBuys, reserveBuyIds } from "./buy-store.ts";
import { openBatch, writeBatch } from "./post-transfers.ts";
import type { LedgerBatch } from "./rules.ts";
import type { AccountCode, LedgerAccountRef, NewLedgerTransfer, PlacedBuy, PricedBuy } from "./types.ts";

export type BuyOutcome = "placed" | "usdt_balance_too_small" | "desk_limit_reached";

/**
 * Executes buys in their order within one transaction: USDT goes from the merchant to the desk (cost) and to the fees,
 * the token from the desk to the merchant; the desk may owe tokens up to its limit. Those that the money or the desk
 * does not allow are left out, each with its outcome. A fixed number of statements for any number of buys: desk and fees
 * are everybody's accounts, and they stay locked until the commit.
 */
export async function placeBuys(
  tx: Tx,
  buys: readonly PricedBuy[],
  usdPriceOf: UsdPriceLookup,
  now: Date,
): Promise<readonly BuyOutcome[]> {
  const ids = await reserveBuyIds(tx, buys.length);
  const book = await openBatch(tx, buys.flatMap(accountsOf), now);
  const placed: PlacedBuy[] = [];
  const outcomes = buys.map((buy, i): BuyOutcome => {
    const refusal = refusalOf(book, buy);
    if (refusal !== null) return refusal;
    const one = { ...buy, id: ids[i] ?? 0 };
    for (const transfer of transfersOf(one)) book.post(transfer);
    placed.push(one);
    return "placed";
  });
  await insertBuys(tx, placed, now);
  await writeBatch(tx, book, now, { usdPriceOf });
  return outcomes;
}

function refusalOf(book: LedgerBatch, buy: PricedBuy): Exclude<BuyOutcome, "placed"> | null {
  const { env, token, merchantId, amount, cost, fee, rate, deskLimitUsd } = buy;
  const money = book.balance({ env, token: "usdt", code: `merchant:${merchantId}` });
  if (money < cost + fee) return "usdt_balance_too_small";
  const owed = amount - book.balance({ env, token, code: "desk" });
  return isWithinDeskLimit(token, owed, rate.price, deskLimitUsd) ? null : "desk_limit_reached";
}

function accountsOf({ env, token, merchantId }: PricedBuy): readonly LedgerAccountRef[] {
  const own: AccountCode = `merchant:${merchantId}`;
  return [
    { env, token: "usdt", code: own },
    { env, token, code: own },
    { env, token: "usdt", code: "desk" },
    { env, token, code: "desk" },
    { env, token: "usdt", code: "fees" },
  ];
}

function transfersOf({
  id,
  env,
  token,
  merchantId,
  amount,
  cost,
  fee,
}: PlacedBuy): readonly NewLedgerTransfer[] {
  const own: AccountCode = `merchant:${merchantId}`;
  const paid = { env, token: "usdt", from: own } as const;
  return [
    { ...paid, to: "desk", amount: cost, cause: `buy:${id}:cost` },
    ...(fee > 0n ? [{ ...paid, to: "fees", amount: fee, cause: `buy:${id}:fee` } as const] : []),
    { env, token, from: "desk", to: own, amount, cause: `buy:${id}:token` },
  ];
}
