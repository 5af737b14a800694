import type { Env } from "#lib/chains/network-data.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import type { Secrets } from "#lib/platform/secrets.ts";
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

/**
 * Stores the mail that invites a person to the console of a merchant. Returns false if no mail is sent: the merchant is disabled, the address is not a mail
 * address, or it had too many invitations of the merchant within an hour. `env` says nothing here: people work in both.
 */
export async function enqueueInvitation(
  tx: Tx,
  sealer: Pick<Secrets, "seal">,
  invitation: {
    readonly merchantId: number;
    readonly email: string;
    readonly role: string;
    readonly expiresAt: Date;
    readonly token: string;
  },
  now: Date,
): Promise<boolean> {
  const { merchantId, email, role, expiresAt, token } = invitation;
  if (!isMailAddress(email)) return false;
  const sealedToken = sealer.seal(token).toString("base64");
  const data = { sealedToken, role, expiresAt: expiresAt.toISOString() };
  const mail = { merchantId, env: "live", kind: "invitation", recipient: email, data } as const;
  const { stored } = await insertMails(tx, [mail], now);
  return stored === 1;
}
