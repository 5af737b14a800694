import { actorOf, keyOf } from "#lib/domain/authority/actor.ts";
import { findKeyMaker } from "#lib/domain/merchants/queries.ts";
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
