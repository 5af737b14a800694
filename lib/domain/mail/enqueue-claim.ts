import type { Env } from "#lib/chains/network-data.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { isMailAddress } from "./rules.ts";
import { insertMails } from "./store.ts";
import type { ClaimMailData } from "./types.ts";

/**
 * Stores the mail that brings a refund claim to a customer. Returns false if it sends no mail: the merchant is disabled, the address is not a mail
 * address, or it had too many of them within an hour.
 */
export async function enqueueClaimMail(
  tx: Tx,
  mail: {
    readonly merchantId: number;
    readonly env: Env;
    readonly recipient: string;
    readonly data: ClaimMailData;
  },
  now: Date,
): Promise<boolean> {
  if (!isMailAddress(mail.recipient)) return false;
  // Claims of many links count for one address: a link's lock is not enough.
  await lockMerchant(tx, mail.merchantId);
  const { stored } = await insertMails(tx, [{ ...mail, kind: "refund_claim" }], now);
  return stored === 1;
}
