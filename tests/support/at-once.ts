/** Helpers for twenty requests at once: people, merchants and secrets (docs/operate/security.md). */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Role } from "#lib/domain/authority/types.ts";
import { findSignedIn, startSession } from "#lib/domain/members/sessions.ts";
import { insertMember, insertUser } from "#lib/domain/members/store.ts";
import type { SignedIn } from "#lib/domain/members/types.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { totpSecretFrom } from "#lib/platform/one-time-codes.ts";
import { hashPassword } from "#lib/platform/passwords.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { aMerchant } from "./unmatched.ts";

export const NOW = new Date("2026-11-24T12:00:00Z");
export const secrets = openSecrets("a secret key for tests, at least 32 long");
export const SECRET = totpSecretFrom(Buffer.from("12345678901234567890"));
export const PASSWORD = "correct horse battery staple";
/** The default takes a third of a second for each try. */
export const passwordCost = { N: 2, r: 1, p: 1 };
export const browser = { ip: "192.0.2.1", userAgent: "test" };

export const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
export const countOk = (results: readonly { readonly ok: boolean }[]) =>
  results.filter(({ ok }) => ok).length;

/** People and merchants of a database, and `atOnce`: twenty transactions at the same time. */
export async function openCrowd(db: Db) {
  const passwordHash = await hashPassword(PASSWORD, passwordCost);
  let merchantNumber = 0;
  async function aPerson(): Promise<number> {
    const handle = randomUUID();
    const user = { handle, email: `${handle}@example.com`, name: "Ada", passwordHash };
    const row = await db.transaction((tx) => insertUser(tx, { ...user, totpSecret: secrets.seal(SECRET) }));
    assert.ok(row);
    return row.id;
  }
  return {
    aPerson,
    async aSignedIn(): Promise<SignedIn> {
      const userId = await aPerson();
      const token = await db.transaction((tx) => startSession(tx, userId, browser, NOW));
      const signedIn = await findSignedIn(db, token, NOW);
      assert.ok(signedIn);
      return signedIn;
    },
    newMerchant(): Promise<number> {
      merchantNumber += 1;
      return aMerchant(db, `shop${merchantNumber}@example.com`);
    },
    async aMember(merchantId: number, role: Role): Promise<number> {
      const userId = await aPerson();
      await db.transaction((tx) => insertMember(tx, { merchantId, userId, role }));
      return userId;
    },
    atOnce: <T>(work: (tx: Tx, i: number) => Promise<T>): Promise<T[]> =>
      Promise.all(numbers(20).map((i) => db.transaction((tx) => work(tx, i)))),
  };
}
