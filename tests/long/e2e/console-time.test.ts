/** Signing in takes as long for an e-mail address that nobody has, so that nobody can list who works here. */
import assert from "node:assert/strict";
import { hashPassword } from "#lib/platform/passwords.ts";
import { expect, test } from "#tests/e2e/fixtures.ts";
import { addSignedIn } from "#tests/support/console.ts";
import type { Stack } from "#tests/support/stack.ts";
import { newAddress, plainForm } from "#tests/support/stranger.ts";
import { rankDifference } from "./rank-test.ts";

/** Attempts for each kind of account: as many as it has before it is locked. Each costs a third of a second. */
const ROUNDS = 10;
/** Less than one in a thousand by chance. This many attempts reach at most 3.8. */
const SEEN = 3.4;

/** The e-mail address of a new person who has this hash of a password, and is locked or not. */
async function person({ db, merchantId }: Stack, hash: string | null, isLocked = false): Promise<string> {
  const { userId } = await addSignedIn(db.database, { merchantId, role: "cashier" });
  const changed = await db.database.pool.query(
    `update users set password_hash = $1, locked_until = case when $2 then now() + interval '15 minutes' end
     where id = $3 returning email`,
    [hash, isLocked, userId],
  );
  return changed.rows[0].email;
}

test("unknown, known, locked accounts and those without a password take the same time", async ({
  shop,
  stranger,
  desk: { origin },
}) => {
  const action = stranger.actions.signIn ?? "";
  /** A wrong attempt: its answer, and milliseconds until then. Each address may try a hundred times. */
  const attempt = async (email: string, from: string) => {
    const body = plainForm({ email, password: "a wrong password", code: "000000" }, action);
    const headers = { origin, "x-forwarded-for": from };
    const start = performance.now();
    const request = { method: "POST", redirect: "manual", body, headers } as const;
    const response = await fetch(`${origin}/console/sign-in`, request);
    await response.body?.cancel();
    const taken = performance.now() - start;
    const [, notice = ""] = /notice=(.+)$/.exec(response.headers.get("location") ?? "") ?? [];
    return { notice, taken };
  };
  const hash = await hashPassword("a right password");
  const emails: Record<string, string> = {
    known: await person(shop, hash),
    locked: await person(shop, hash, true),
    "without a password": await person(shop, null),
  };
  const times = new Map<string, number[]>();
  const kinds = ["unknown", ...Object.keys(emails)].map((kind) => [kind, newAddress()] as const);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [kind, from] of kinds) {
      const { notice, taken } = await attempt(emails[kind] ?? `nobody${round}@example.com`, from);
      assert.equal(notice, "wrong_sign_in");
      times.set(kind, [...(times.get(kind) ?? []), taken]);
    }
  }
  const unknown = times.get("unknown") ?? [];
  for (const [kind, taken] of times) {
    const z = rankDifference(taken, unknown);
    assert.ok(Math.abs(z) < SEEN, `${kind}: z ${z} against unknown`);
  }
  // The same test notices an address that does less work, because it has used up its tries.
  const from = newAddress();
  const more = () => attempt("x@example.com", from);
  await Promise.all(Array.from({ length: 100 }, more));
  const refused: number[] = [];
  await expect(async () => {
    const { notice, taken } = await more();
    if (notice === "too_many_tries") refused.push(taken);
    assert.equal(refused.length, ROUNDS);
  }).toPass({ intervals: [0] });
  assert.ok(Math.abs(rankDifference(refused, unknown)) > SEEN);
});
