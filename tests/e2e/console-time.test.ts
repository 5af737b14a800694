/** Signing in takes as long for an e-mail address that nobody has, so that nobody can list who works here. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { hashPassword } from "#lib/platform/passwords.ts";
import { addSignedIn } from "#tests/support/console.ts";
import { rankDifference } from "#tests/support/rank-test.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { aStranger, plainForm, type Stranger } from "#tests/support/stranger.ts";

/** Attempts for each kind of account. */
const ROUNDS = 14;
/** Attempts that an account has before it is locked. */
const TRIES = 10;
const SEEN = 4;

let stack: Stack;
let stranger: Stranger;
let origin: string;

before(async () => {
  stack = await startStack({ TRUSTED_PROXIES: "127.0.0.1,::1" });
  origin = new URL(stack.pageUrl).origin.replace("127.0.0.1", "localhost");
  stranger = await aStranger(stack, () => "198.51.100.1");
});
after(async () => {
  stranger?.close();
  await stack?.close();
});

/** Milliseconds that a wrong attempt takes. Each address of `from` may try a hundred times. */
async function timeOf(email: string, from: string): Promise<number> {
  const action = stranger.actions.signIn;
  assert.ok(action !== undefined);
  const body = plainForm({ email, password: "a wrong password", code: "000000" }, action);
  const start = performance.now();
  const response = await fetch(`${origin}/console/sign-in`, {
    method: "POST",
    redirect: "manual",
    body,
    headers: { origin, "x-forwarded-for": from },
  });
  await response.body?.cancel();
  const taken = performance.now() - start;
  assert.match(response.headers.get("location") ?? "", /notice=(wrong_sign_in|too_many_tries|busy)$/);
  return taken;
}

/** The e-mail addresses of new people who have this password. */
async function people(count: number, password: string | null): Promise<string[]> {
  const { pool } = stack.db.database;
  const { rows } = await pool.query("select id from merchants limit 1");
  const hash = password === null ? null : await hashPassword(password);
  const emails: string[] = [];
  for (let n = 0; n < count; n++) {
    const { userId } = await addSignedIn(stack.db.database, {
      merchantId: Number(rows[0].id),
      role: "cashier",
    });
    const changed = await pool.query("update users set password_hash = $1 where id = $2 returning email", [
      hash,
      userId,
    ]);
    emails.push(changed.rows[0].email);
  }
  return emails;
}

test("unknown, known, locked accounts and those without a password take the same time", async () => {
  const known = await people(Math.ceil(ROUNDS / TRIES), "a right password 1");
  const locked = await people(1, "a right password 2");
  for (let n = 0; n <= TRIES; n++) await timeOf(locked[0] ?? "", "198.51.100.99");
  const withPasskey = await people(Math.ceil(ROUNDS / TRIES), null);
  const kinds = {
    unknown: (round: number) => timeOf(`nobody${round}@example.com`, "198.51.100.2"),
    known: (round: number) => timeOf(known[round % known.length] ?? "", "198.51.100.3"),
    locked: () => timeOf(locked[0] ?? "", "198.51.100.4"),
    "without a password": (round: number) =>
      timeOf(withPasskey[round % withPasskey.length] ?? "", "198.51.100.5"),
  };
  const times: Record<string, number[]> = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const [kind, attempt] of Object.entries(kinds)) {
      times[kind] = [...(times[kind] ?? []), await attempt(round)];
    }
  }
  const unknown = times.unknown ?? [];
  for (const [kind, of] of Object.entries(times)) {
    const z = rankDifference(of, unknown);
    console.log(`${kind}: z ${z.toFixed(1)} against unknown`);
    assert.ok(Math.abs(z) < SEEN, `${kind}: z ${z}`);
  }
  // What does less work is seen by the same test: an address that has used up its tries.
  await Promise.all(Array.from({ length: 100 }, () => timeOf("x@example.com", "198.51.100.6")));
  const refused = await Array.fromAsync({ length: ROUNDS }, () => timeOf("x@example.com", "198.51.100.6"));
  assert.ok(Math.abs(rankDifference(refused, unknown)) > SEEN);
});
