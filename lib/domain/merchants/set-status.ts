import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { findMerchant } from "./queries.ts";
import { changeMerchant } from "./update-merchant.ts";

/**
 * Disables or enables a merchant for a person, with an entry in the audit log. A disabled merchant can create nothing; what is on
 * its way is still credited. False if there is no such merchant, or if it was removed.
 */
export async function setMerchantStatus(
  tx: Tx,
  request: { readonly actor: string; readonly merchantId: number; readonly status: "active" | "disabled" },
  now: Date,
): Promise<boolean> {
  const { actor, merchantId, status } = request;
  const before = await findMerchant(tx, merchantId);
  if (before === null || before.status === "removed") return false;
  if (before.status === status) return true;
  await changeMerchant(tx, merchantId, { status }, now);
  const details = { merchant: before.email, status, status_before: before.status };
  const entry = { actor, action: "merchant.update", subject: `merchant:${merchantId}`, merchantId, details };
  await recordDecision(tx, entry, now);
  return true;
}
