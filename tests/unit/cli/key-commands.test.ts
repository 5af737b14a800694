/** API keys and the addresses that may use them: each change is recorded, and never the key. */
import assert from "node:assert/strict";
import { userInfo } from "node:os";
import { beforeEach, test } from "node:test";
import { eq } from "drizzle-orm";
import { findCaller } from "#lib/domain/members/find-caller.ts";
import { apiKeys, ipEntries } from "#lib/domain/merchants/tables.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { openTestCli, type Row } from "#tests/support/run-cli.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { readDecisions, readLastDecision } from "./decisions.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const HALF_AN_HOUR_MS = 30 * 60_000;
let counter = 0;
let email = "";
let merchantId = 0;

const t = await databaseOfFile();
beforeEach(async () => {
  counter++;
  email = `shop${counter}@example.com`;
  merchantId = await aMerchant(t.db, email);
});

const cli = openTestCli(() => ({ DATABASE_URL: t.url, USER: "ada" }), { now: () => NOW });
interface Key {
  readonly id: number;
  readonly last4: string;
  readonly api_key: string;
  readonly revoked_at: string | null;
}

test("keys are created, listed and revoked, and wrong ones are refused", async () => {
  const works = async (key: Key, at: string) =>
    (await findCaller(t.db, key.api_key, "live", new Date(at)))?.scope ?? null;
  const old = await cli.answer<Key>(`key create ${email}`);
  const expires = "2099-01-01T00:00:00.000Z";
  const added = await cli.answer<Key>(`key create ${email} --scope payment-links --expires ${expires}`);
  const rows = await cli.answer<Row[]>(`key list ${email}`);
  assert.deepEqual(Object.keys(rows[0]!), [
    ...["id", "env", "scope", "last4", "made_by", "created_at", "expires_at", "last_used_at", "revoked_at"],
  ]);
  assert.deepEqual(
    rows.map(({ env, scope, last4, expires_at }) => [env, scope, last4, expires_at]),
    [
      ["live", "full", old.api_key.slice(-4), null],
      ["live", "payment-links", added.api_key.slice(-4), expires],
    ],
  );
  const revoked = await cli.answer<Key>(`key revoke ${old.id} --at 2098-01-01T00:00`);
  assert.equal(revoked.revoked_at, "2098-01-01T00:00:00.000Z");
  assert.deepEqual(
    [await works(old, "2097-12-31"), await works(added, "2098-06-01")],
    ["full", "payment-links"],
  );
  await cli.answer(`key revoke ${added.id}`);
  await cli.refuses({
    [`key revoke ${added.id}`]: "the key is revoked already",
    "key revoke 999999": "no key has this id: see `key list`",
    [`key revoke ${old.id} --at 2001-01-01`]: "--at is in the past: give a later time",
    [`key create ${email} --expires 2001-01-01`]: "--expires is in the past: give a later time",
  });
  await cli.misuses(
    /^error: /,
    `key create ${email} --expires tomorrow`,
    `key create ${email} --scope everything`,
    `key create ${email} --env staging`,
  );
  assert.equal(await t.db.$count(apiKeys, eq(apiKeys.merchantId, merchantId)), 2);
});

test("rotates a key, and records each change by the last four characters", async () => {
  const expires = "2099-01-01T00:00:00.000Z";
  const made = await cli.answer<Key>(`key create ${email} --env test --scope read --expires ${expires}`);
  const recordedLast = async (action: string, id: number, details: Record<string, unknown>) =>
    assert.deepEqual(await readLastDecision(t.db), {
      actor: "operator:ada",
      action,
      subject: `key:${id}`,
      details: { env: "test", scope: "read", revoked_at: null, ...details },
    });
  await recordedLast("key.create", made.id, { last4: made.last4, expires_at: expires });
  const rotated = await cli.answer<Key & { old: Key }>(`key rotate ${made.id} --overlap 30m`);
  const until = new Date(NOW.getTime() + HALF_AN_HOUR_MS).toISOString();
  assert.equal(rotated.old.revoked_at, until);
  const { last4 } = rotated;
  await recordedLast("key.rotate", rotated.id, {
    last4,
    expires_at: null,
    old_key: made.id,
    old_until: until,
  });
  const last = await cli.answer<Key>(`key rotate ${rotated.id} --overlap 0`);
  await cli.answer(`key revoke ${last.id}`);
  const recorded = await readDecisions(t.db);
  assert.equal(recorded.at(-1)?.action, "key.revoke");
  await cli.refuses({
    [`key rotate ${last.id}`]: "the key is revoked or expired: create a new one with `key create`",
    "key rotate 999999": "no key has this id: see `key list`",
    [`key rotate ${made.id} --expires 2001-01-01`]: "--expires is in the past: give a later time",
  });
  await cli.misuses(/^error: /, `key rotate ${made.id} --overlap soon`);
  assert.deepEqual(await readDecisions(t.db), recorded);
  assert.equal(JSON.stringify(recorded).includes(made.api_key), false);
});

test("adds, lists and removes address entries, and records it", async () => {
  const entry = { name: "office", address: "2001:db8::/48" };
  const added = await cli.answer<{ id: number }>(
    `ip add ${email} --name ${entry.name} --address ${entry.address}`,
  );
  const { id } = added;
  assert.deepEqual(added, { id, ...entry });
  const recorded = { actor: "operator:ada", subject: `ip:${id}`, details: entry };
  assert.deepEqual(await readLastDecision(t.db), { action: "ip.add", ...recorded });
  const listed = await cli.answer<Row[]>(`ip list ${email}`);
  assert.deepEqual(listed, [{ id, ...entry, created_at: NOW.toISOString() }]);
  assert.equal(await t.db.$count(ipEntries, eq(ipEntries.merchantId, merchantId)), 1);
  assert.deepEqual(await cli.answer(`ip remove ${id}`), { id, removed: true });
  assert.deepEqual(await readLastDecision(t.db), { action: "ip.remove", ...recorded });
  assert.deepEqual(await cli.answer(`ip list ${email}`), []);
  await cli.refuses({
    [`ip remove ${id}`]: "no address entry has this id: see `ip list`",
    [`ip add ${email} --name x --address office`]:
      "--address must be an IPv4 or IPv6 address, or a CIDR range",
    "ip list nobody@example.com": "no merchant has this e-mail address: see `merchant list`",
  });
});

test("names the user of the system where the environment does not, as below cron or systemd", async () => {
  for (const [env, name] of [
    [{}, userInfo().username],
    [{ USER: "root", SUDO_USER: "bob" }, "bob"],
  ] as const) {
    const elsewhere = openTestCli(() => ({ DATABASE_URL: t.url, ...env }));
    await elsewhere.answer(`key create ${email}`);
    assert.equal((await readLastDecision(t.db))?.actor, `operator:${name}`);
  }
});
