import { invitationUrl, invite } from "#lib/domain/members/invite.ts";
import { findUserByEmail } from "#lib/domain/members/queries.ts";
import { findMerchantByEmail } from "#lib/domain/merchants/queries.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import type { DemoState } from "./state.ts";

const OWNER = "owner@paylink.example";
const OPERATOR = "operator@paylink.example";

/** URLs that open the console as the demo merchant's owner and as the operator: an invitation, until somebody has used one. */
export async function makeConsoleLinks(
  databaseUrl: string,
  webUrl: string,
  state: DemoState,
): Promise<{ readonly owner: string; readonly operator: string }> {
  // Passkeys need a host name.
  const consoleUrl = `${webUrl.replace("127.0.0.1", "localhost")}/console`;
  const { db, close } = openDatabase(databaseUrl, { max: 2 });
  try {
    return await db.transaction(async (tx) => {
      const merchant = state.merchant && (await findMerchantByEmail(tx, state.merchant.email));
      const linkFor = async (email: string, place: Place) => {
        if ((await findUserByEmail(tx, email)) !== null) return consoleUrl;
        const invited = await invite(tx, { email, invitedBy: null, ...place }, new Date());
        return invited.ok ? invitationUrl(consoleUrl, invited.token) : consoleUrl;
      };
      return {
        owner:
          merchant === null ? consoleUrl : await linkFor(OWNER, { merchantId: merchant.id, role: "owner" }),
        operator: await linkFor(OPERATOR, { merchantId: null, role: null }),
      };
    });
  } finally {
    await close();
  }
}

type Place =
  | { readonly merchantId: number; readonly role: "owner" }
  | { readonly merchantId: null; readonly role: null };
