/** Signing in takes as long for an e-mail address that nobody has, so that nobody can list who works here. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { hashPassword } from "#lib/platform/passwords.ts";
import { addSignedIn } from "#tests/support/console.ts";
import { rankDifference } from "#tests/support/rank-test.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { aStranger, plainForm, type Stranger } from "#tests/support/stranger.ts";
import { until } from "#tests/support/until.ts";

/** Attempts for each kind of account: as many as it has before it is locked. Each costs a third of a second. */
const ROUNDS = 10;
/** Less than one in a thousand by chance. This many attempts reach at most 3.8. */
const SEEN = 3.4;

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

/** A wrong attempt: its answer, and milliseconds until then. Each address of `from` may try a hundred times. */
async function attempt(email: string, from: string): Promise<{ notice: string; taken: number }> {
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
  const [, notice = ""] = /notice=(.+)$/.exec(response.headers.get("location") ?? "") ?? [];
  return { notice, taken };
}

async function timeOf(email: string, from: string): Promise<number> {
  const { notice, taken } = await attempt(email, from);
  assert.equal(notice, "wrong_sign_in");
  return taken;
}

/** The e-mail address of a new person who has this hash of a password, and is locked or not. */
async function person(hash: string | null, isLocked = false): Promise<string> {
  const { pool } = stack.db.database;
  const { rows } = await pool.query("select id from merchants limit 1");
  const { userId } = await addSignedIn(stack.db.database, {
    merchantId: Number(rows[0].id),
    role: "cashier",
  });
  const changed = await pool.query(
    `update users set password_hash = $1, locked_until = case when $2 then now() + interval '15 minutes' end
     where id = $3 returning email`,
    [hash, isLocked, userId],
  );
  return changed.rows[0].email;
}

test("unknown, known, locked accounts and those without a password take the same time", async () => {
  const hash = await hashPassword("a right password");
  const known = await person(hash);
  const locked = await person(hash, true);
  const withPasskey = await person(null);
  const kinds = {
    unknown: (round: number) => timeOf(`nobody${round}@example.com`, "198.51.100.2"),
    known: () => timeOf(known, "198.51.100.3"),
    locked: () => timeOf(locked, "198.51.100.4"),
    "without a password": () => timeOf(withPasskey, "198.51.100.5"),
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
  const more = () => attempt("x@example.com", "198.51.100.6");
  await Promise.all(Array.from({ length: 100 }, more));
  const refused: number[] = [];
  await until("an address to be refused", async () => {
    const { notice, taken } = await more();
    if (notice === "too_many_tries") refused.push(taken);
    return refused.length === ROUNDS;
  });
  assert.ok(Math.abs(rankDifference(refused, unknown)) > SEEN);
});
