import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { findMerchant } from "./queries.ts";
import type { Merchant } from "./types.ts";
import { changeMerchant, type MerchantUpdate, type UpdateResult } from "./update-merchant.ts";

/** What merchants change themselves. The fee on buys and the state are the operator's. */
export type ProfileChanges = Pick<
  MerchantUpdate,
  | "name"
  | "support"
  | "accent"
  | "logo"
  | "latePolicy"
  | "toleranceUnderBps"
  | "toleranceUnderMax"
  | "toleranceOverBps"
  | "roundStablecoins"
  | "rateMarkupBps"
  | "fixedRates"
  | "paymentPairs"
  | "allowOrigins"
>;

/** Changes a merchant's own settings. The audit log gets each changed field, before and after. */
export async function changeOwnProfile(
  tx: Tx,
  { actor, merchantId }: { readonly actor: string; readonly merchantId: number },
  changes: ProfileChanges,
  now: Date,
): Promise<UpdateResult> {
  const before = await findMerchant(tx, merchantId);
  const changed = await changeMerchant(tx, before?.id ?? null, changes, now);
  if (!changed.ok || before === null) return changed;
  const details = Object.fromEntries(
    (Object.keys(changes) as (keyof ProfileChanges)[])
      .filter((field) => textOf(before, field) !== textOf(changed.merchant, field))
      .flatMap((field) => [
        [`${field}_before`, textOf(before, field)],
        [field, textOf(changed.merchant, field)],
      ]),
  );
  const subject = `merchant:${merchantId}`;
  await recordDecision(tx, { actor, action: "merchant.update", subject, merchantId, details }, now);
  return changed;
}

function textOf(merchant: Merchant, field: keyof ProfileChanges): string | number | boolean | null {
  const value = merchant[field];
  return typeof value === "object" && value !== null ? value.join(" ") : value;
}
