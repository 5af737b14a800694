import type { AuditEntry } from "#lib/domain/audit/record-decision.ts";
import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import type { Act } from "#lib/domain/authority/types.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";
import { findMerchant } from "./queries.ts";
import { findInvalidField } from "./schema.ts";
import { type MerchantChanges, replaceLogo, updateMerchantRow } from "./store.ts";
import type { Merchant, StoredPicture } from "./types.ts";

/** The settings of the console alone. */
export interface ConsoleChanges {
  readonly timeZone: string;
  readonly displayCurrency: CurrencyCode;
}

/** The settings with which a merchant is shown and paid. The fee on buys and the status are the operator's. */
export type ProfileChanges = Omit<
  MerchantChanges,
  "logo" | "status" | "feePercentage" | keyof ConsoleChanges
> & {
  readonly logo?: StoredPicture | null;
};

/** Changes settings of a merchant. A refusal names the first field that breaks its rule. */
export const updateMerchant = defineVerb(
  "merchant.update",
  async (act, { logo, ...fields }: ProfileChanges) => {
    const invalid = findInvalidField(fields);
    if (invalid !== null) return refuse(invalid);
    const changes = logo === undefined ? fields : { ...fields, logo: logo?.hash ?? null };
    await lockMerchant(act.tx, act.merchantId);
    if (logo !== undefined) await replaceLogo(act.tx, act.merchantId, logo);
    return change(act, await getMerchant(act), changes);
  },
);

/** Sets the fee on a merchant's buys. */
export const setFee = defineVerb("merchant.fee", async (act, changes: { readonly feePercentage: string }) => {
  const invalid = findInvalidField(changes);
  if (invalid !== null) return refuse(invalid);
  await lockMerchant(act.tx, act.merchantId);
  return change(act, await getMerchant(act), changes);
});

/** Changes the settings of the console, as a part of a verb. `before`: the merchant as it was. */
export async function changeConsole(act: Act, changes: ConsoleChanges) {
  const invalid = findInvalidField(changes);
  if (invalid !== null) return refuse(invalid);
  await lockMerchant(act.tx, act.merchantId);
  const before = await getMerchant(act);
  return { ...(await change(act, before, changes)), before };
}

/**
 * Disables or enables a merchant. A disabled merchant can create nothing, and its withdrawals wait; its payments on their way are still
 * credited.
 */
export const setStatus = defineVerb(
  "merchant.status",
  async (act, changes: { readonly status: "active" | "disabled" }) => {
    await lockMerchant(act.tx, act.merchantId);
    const before = await findMerchant(act.tx, act.merchantId);
    if (before === null || before.status === "removed") return refuse("merchant_not_found");
    return change(act, before, changes);
  },
);

async function change({ tx, now, merchantId }: Act, before: Merchant, changes: MerchantChanges) {
  await updateMerchantRow(tx, merchantId, changes, now);
  const merchant = await getMerchant({ tx, merchantId });
  const details = detailsOf(before, merchant);
  const isChanged = Object.keys(details).length > 0;
  return done({ merchant }, isChanged ? { subject: `merchant:${merchantId}`, details } : null);
}

async function getMerchant({ tx, merchantId }: Pick<Act, "tx" | "merchantId">): Promise<Merchant> {
  const merchant = await findMerchant(tx, merchantId);
  if (merchant === null) throw new Error(`there is no merchant ${merchantId}`);
  return merchant;
}

/** Each changed field, before and after. */
function detailsOf(before: Merchant, after: Merchant): AuditEntry["details"] {
  const from = new Map(Object.entries(before));
  const changed = Object.entries(after).filter(
    ([field, value]) => field !== "updatedAt" && textOf(from.get(field)) !== textOf(value),
  );
  return Object.fromEntries(
    changed.flatMap(([field, value]) => [
      [`${field}_before`, textOf(from.get(field))],
      [field, textOf(value)],
    ]),
  );
}

const textOf = (value: unknown) =>
  Array.isArray(value)
    ? value.join(" ")
    : value instanceof Date
      ? value.toISOString()
      : (value as string | number | boolean | null);
