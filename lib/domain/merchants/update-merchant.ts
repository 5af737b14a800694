import type { Env } from "#lib/chains/network-data.ts";
import { setEndpointUrl } from "#lib/domain/webhooks/webhook-endpoints.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { findMerchant, findMerchantByEmail } from "./queries.ts";
import { findInvalidField, type InvalidMerchantField } from "./schema.ts";
import { type MerchantChanges, replaceLogo, updateMerchantRow } from "./store.ts";
import type { Merchant, StoredPicture } from "./types.ts";

/** What an operator can change. `webhook` belongs to one environment, all other fields to the merchant. */
export type MerchantUpdate = Omit<MerchantChanges, "logo"> & {
  webhook?: { env: Env; url: string | null };
  logo?: StoredPicture | null;
};

type UpdateRefusal = "merchant_not_found" | "no_endpoint" | InvalidMerchantField;
export type UpdateResult =
  | { readonly ok: true; readonly merchant: Merchant }
  | { readonly ok: false; readonly reason: UpdateRefusal };

/** Changes the settings of the merchant with this e-mail address. */
export async function updateMerchant(
  tx: Tx,
  email: string,
  update: MerchantUpdate,
  now: Date,
): Promise<UpdateResult> {
  const found = await findMerchantByEmail(tx, email);
  return changeMerchant(tx, found?.id ?? null, update, now);
}

/** Changes the settings of a merchant. null: there is none. A refusal names the first field that breaks its rule. */
export async function changeMerchant(
  tx: Tx,
  id: number | null,
  update: MerchantUpdate,
  now: Date,
): Promise<UpdateResult> {
  const { webhook, logo, ...changes } = update;
  const invalid = findInvalidField({ ...changes, webhookUrl: webhook?.url });
  if (invalid !== null) return { ok: false, reason: invalid };
  if (id === null) return { ok: false, reason: "merchant_not_found" };
  if (webhook !== undefined) {
    const changed = await setEndpointUrl(tx, { merchantId: id, ...webhook });
    if (!changed.ok) return changed;
  }
  if (logo !== undefined) await replaceLogo(tx, id, logo);
  const withLogo = logo === undefined ? changes : { ...changes, logo: logo?.hash ?? null };
  await updateMerchantRow(tx, id, withLogo, now);
  const merchant = await findMerchant(tx, id);
  return merchant === null ? { ok: false, reason: "merchant_not_found" } : { ok: true, merchant };
}
