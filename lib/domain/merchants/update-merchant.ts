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

export async function updateMerchant(
  tx: Tx,
  email: string,
  update: MerchantUpdate,
  now: Date,
): Promise<
  | { ok: true; merchant: Merchant }
  | { ok: false; reason: "merchant_not_found" | "no_endpoint" | InvalidMerchantField }
> {
  const { webhook, logo, ...changes } = update;
  const invalid = findInvalidField({ ...changes, webhookUrl: webhook?.url });
  if (invalid !== null) return { ok: false, reason: invalid };
  const found = await findMerchantByEmail(tx, email);
  if (found === null) return { ok: false, reason: "merchant_not_found" };
  if (webhook !== undefined) {
    const changed = await setEndpointUrl(tx, { merchantId: found.id, ...webhook });
    if (!changed.ok) return changed;
  }
  if (logo !== undefined) await replaceLogo(tx, found.id, logo);
  const withLogo = logo === undefined ? changes : { ...changes, logo: logo?.hash ?? null };
  await updateMerchantRow(tx, found.id, withLogo, now);
  const merchant = await findMerchant(tx, found.id);
  return merchant === null ? { ok: false, reason: "merchant_not_found" } : { ok: true, merchant };
}
