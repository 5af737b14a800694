import { invitationUrl, inviteMember } from "#lib/domain/members/invite.ts";
import { addOperator } from "#lib/domain/members/operators.ts";
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
      const act = { tx, now: new Date(), actor: { kind: "operator", name: "demo" } } as const;
      const merchant = state.merchant && (await findMerchantByEmail(tx, state.merchant.email));
      const linkFor = async (email: string, invite: () => Promise<Invited>) => {
        if ((await findUserByEmail(tx, email)) !== null) return consoleUrl;
        const invited = await invite();
        return invited.ok ? invitationUrl(consoleUrl, invited.token) : consoleUrl;
      };
      const inviteOwner = (merchantId: number) =>
        inviteMember({ ...act, merchantId, env: "test" }, { email: OWNER, role: "owner", mailSealer: null });
      return {
        owner: merchant === null ? consoleUrl : await linkFor(OWNER, () => inviteOwner(merchant.id)),
        operator: await linkFor(OPERATOR, () => addOperator(act, { email: OPERATOR })),
      };
    });
  } finally {
    await close();
  }
}

type Invited = { readonly ok: true; readonly token: string } | { readonly ok: false };
