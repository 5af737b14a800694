import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { insertUser } from "#lib/domain/members/store.ts";
import type { UserRow } from "#lib/domain/members/types.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";

/** A person with neither password nor passkeys. */
export async function aPerson(db: Db | Tx): Promise<UserRow> {
  const email = `${randomUUID()}@example.com`;
  const user = await db.transaction((tx) => insertUser(tx, { handle: randomUUID(), email, name: "A" }));
  assert.ok(user);
  return user;
}
