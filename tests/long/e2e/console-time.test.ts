/** Signing in takes as long for an e-mail address that nobody has, so that nobody can list who works here. */
import assert from "node:assert/strict";
import { hashPassword } from "#lib/platform/passwords.ts";
import { expect, test } from "#tests/e2e/fixtures.ts";
import { addSignedIn } from "#tests/support/console.ts";
import type { Stack } from "#tests/support/stack.ts";
import { newAddress, plainForm } from "#tests/support/stranger.ts";
import { rankDifference } from "./rank-test.ts";

/** Attempts for each account: as many as it has before it is locked. Each costs a third of a second. */
const ROUNDS = 10;
/** Accounts of each kind: with one alone, equal times would look different once in 1,600 runs. */
const ACCOUNTS = 2;
/** Less than one in a million by chance, for all kinds together. This many attempts reach at most 5.4. */
const SEEN = 4.7;

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
  const people = (...how: [hash: string | null, isLocked?: boolean]) =>
    Array.fromAsync({ length: ACCOUNTS }, () => person(shop, ...how));
  const emails: Record<string, string[]> = {
    known: await people(hash),
    locked: await people(hash, true),
    "without a password": await people(null),
  };
  const times = new Map<string, number[]>();
  const kinds = ["unknown", ...Object.keys(emails)].map((kind) => [kind, newAddress()] as const);
  for (let round = 0; round < ROUNDS * ACCOUNTS; round++) {
    for (const [kind, from] of kinds) {
      const email = emails[kind]?.[round % ACCOUNTS] ?? `nobody${round}@example.com`;
      const { notice, taken } = await attempt(email, from);
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
    // So many that a few which a busy machine delays count for nothing.
    assert.equal(refused.length, 4 * ROUNDS);
  }).toPass({ intervals: [0] });
  assert.ok(Math.abs(rankDifference(refused, unknown)) > SEEN);
});
