import { actorOf, keyOf, userOf } from "#lib/domain/authority/actor.ts";
import { may } from "#lib/domain/authority/role-rules.ts";
import type { Act } from "#lib/domain/authority/types.ts";
import { VERBS } from "#lib/domain/authority/verb-rules.ts";
import { findRole } from "#lib/domain/members/queries.ts";
import { findApiKey, findKeyMaker } from "#lib/domain/merchants/queries.ts";
import { isKeyActive } from "#lib/domain/merchants/rules.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import type { Withdrawal } from "./types.ts";

/**
 * Returns the actor that asked for a withdrawal, as the audit log names it. A key asks for the person who made it, so that nobody approves
 * what their own key asked for. A key that the operator made belongs to no person.
 */
export async function findAsker(
  db: Db | Tx,
  { requestedBy }: Pick<Withdrawal, "requestedBy">,
): Promise<string | null> {
  const key = keyOf(requestedBy ?? "");
  const maker = key === null ? null : await findKeyMaker(db, key);
  return maker === null ? requestedBy : actorOf(maker);
}

/**
 * Whether the creator of a refund claim, as the audit log names it, could still create one: a person by their role, a key while it works and
 * by the role of its maker. The operator always can.
 */
export async function mayStillClaim(
  db: Db | Tx,
  { merchantId, env }: Pick<Act, "merchantId" | "env">,
  creator: string,
  now: Date,
): Promise<boolean> {
  const mayBe = async (userId: number) => {
    const role = await findRole(db, { merchantId, userId });
    return role !== null && may(role, VERBS["refund_claim.create"].action);
  };
  const [userId, keyId] = [userOf(creator), keyOf(creator)];
  if (keyId === null) return userId === null || mayBe(userId);
  const key = await findApiKey(db, { merchantId, env }, keyId);
  if (key === null || !isKeyActive(key, now)) return false;
  return key.madeBy === null || mayBe(key.madeBy);
}
