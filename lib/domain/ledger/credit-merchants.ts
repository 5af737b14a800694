import type { UsdPriceLookup } from "#lib/domain/rates/types.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { openBatch, writeBatch } from "./post-transfers.ts";
import { postRepayment, receivableAccount } from "./rules.ts";
import { listPostedCauses } from "./store.ts";
import type { AccountCode, DepositCredit, LedgerAccountRef } from "./types.ts";

/**
 * Credits deposits to their merchants, from the custody account of their network or from its unmatched account. A
 * deposit without a merchant goes to the unmatched account. A merchant owes money if a credit was reversed after it
 * was spent. Such a merchant repays out of each credit first. Skips causes that are posted already. Joins the caller's
 * transaction. The number of statements is fixed for any number of credits. Without a price the credit is posted now
 * and the statistics follow later (price-transfers.ts).
 */
export async function creditMerchants(
  tx: Tx,
  credits: readonly DepositCredit[],
  now: Date,
  findUsdPrice?: UsdPriceLookup,
): Promise<void> {
  if (credits.length === 0) return;
  const accounts = credits.flatMap((credit) => [
    sourceAccount(credit),
    targetAccount(credit),
    ...receivableAccounts(credit),
  ]);
  const batch = await openBatch(tx, accounts, now);
  const posted = await listPostedCauses(
    tx,
    credits.map(({ cause }) => cause),
  );
  for (const credit of credits) {
    if (posted.has(credit.cause)) continue;
    const { env, token, amount, cause, merchantId } = credit;
    const { code: to } = targetAccount(credit);
    batch.post({ env, token, from: sourceAccount(credit).code, to, amount, cause });
    if (merchantId !== null) postRepayment(batch, { ...credit, merchantId }, `${cause}:repayment`);
  }
  await writeBatch(tx, batch, now, findUsdPrice && { findUsdPrice });
}

function account({ env, token }: DepositCredit, code: AccountCode): LedgerAccountRef {
  return { env, token, code };
}

function sourceAccount(credit: DepositCredit): LedgerAccountRef {
  return account(credit, `${credit.source ?? "custody"}:${credit.network}`);
}

function targetAccount(credit: DepositCredit): LedgerAccountRef {
  const { merchantId, network } = credit;
  return account(credit, merchantId === null ? `unmatched:${network}` : `merchant:${merchantId}`);
}

/** Empty for a deposit without a merchant. */
function receivableAccounts(credit: DepositCredit): LedgerAccountRef[] {
  const { merchantId } = credit;
  return merchantId === null ? [] : [receivableAccount({ ...credit, merchantId })];
}
