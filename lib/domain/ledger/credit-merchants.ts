import type { UsdPriceLookup } from "#lib/domain/rates/types.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { openBatch, writeBatch } from "./post-transfers.ts";
import { listPostedCauses } from "./store.ts";
import type { AccountCode, DepositCredit, LedgerAccountRef } from "./types.ts";

/**
 * Credits deposits to their merchants, from the custody of their network or from what was unmatched there; what is
 * nobody's goes to unmatched. A merchant who owes (a credit was taken back after it had been spent) repays out of each
 * credit first. Skips causes posted before. Joins the caller's transaction; a fixed number of statements for any
 * number of credits. Without a price the statistics get theirs later (price-transfers.ts); the credit never waits.
 */
export async function creditMerchants(
  tx: Tx,
  credits: readonly DepositCredit[],
  now: Date,
  usdPriceOf?: UsdPriceLookup,
): Promise<void> {
  if (credits.length === 0) return;
  const keys = credits.flatMap((credit): LedgerAccountRef[] => [sourceOf(credit), targetOf(credit)]);
  const book = await openBatch(tx, keys, now, credits.flatMap(receivableOf));
  const known = await listPostedCauses(
    tx,
    credits.map(({ cause }) => cause),
  );
  for (const credit of credits) {
    if (known.has(credit.cause)) continue;
    const { env, token, amount, cause } = credit;
    const own = targetOf(credit).code;
    book.post({ env, token, from: sourceOf(credit).code, to: own, amount, cause });
    for (const receivable of receivableOf(credit)) {
      let repaid = -book.balance(receivable);
      if (amount < repaid) repaid = amount;
      if (repaid <= 0n) continue;
      const to = receivable.code;
      book.post({ env, token, from: own, to, amount: repaid, cause: `${cause}:repayment` });
    }
  }
  await writeBatch(tx, book, now, usdPriceOf && { usdPriceOf });
}

const account = ({ env, token }: DepositCredit, code: AccountCode): LedgerAccountRef => ({
  env,
  token,
  code,
});
const sourceOf = (credit: DepositCredit) =>
  account(credit, `${credit.source ?? "custody"}:${credit.network}`);
const targetOf = (credit: DepositCredit) =>
  account(
    credit,
    credit.merchantId === null ? `unmatched:${credit.network}` : `merchant:${credit.merchantId}`,
  );
/** None where nobody is credited: nobody owes. */
const receivableOf = (credit: DepositCredit): LedgerAccountRef[] =>
  credit.merchantId === null ? [] : [account(credit, `receivable:${credit.merchantId}`)];
