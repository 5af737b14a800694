import type { Tx } from "#lib/platform/db/connection.ts";
import { findUserByEmail } from "./queries.ts";
import { deleteOtherSessions, updateUser } from "./store.ts";
import type { UserRow } from "./types.ts";

/** Takes a person's rights as an operator away and ends their sessions. They stay a member where they are one. */
export async function revokeOperator(
  tx: Tx,
  email: string,
): Promise<
  | { readonly ok: true; readonly user: UserRow }
  | { readonly ok: false; readonly reason: "operator_not_found" }
> {
  const user = await findUserByEmail(tx, email);
  if (user === null || !user.isOperator) return { ok: false, reason: "operator_not_found" };
  await updateUser(tx, user.id, { isOperator: false });
  await deleteOtherSessions(tx, user.id, null);
  return { ok: true, user };
}
