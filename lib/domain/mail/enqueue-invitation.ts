import type { Tx } from "#lib/platform/db/connection.ts";
import type { Secrets } from "#lib/platform/secrets.ts";
import { isMailAddress } from "./rules.ts";
import { insertMails } from "./store.ts";

/** The mail that invites a person to the console of a merchant. `env` says nothing here: people work in both. */
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
): Promise<void> {
  const { merchantId, email, role, expiresAt, token } = invitation;
  if (!isMailAddress(email)) return;
  const sealedToken = sealer.seal(token).toString("base64");
  const data = { sealedToken, role, expiresAt: expiresAt.toISOString() };
  await insertMails(tx, [{ merchantId, env: "live", kind: "invitation", recipient: email, data }], now);
}
