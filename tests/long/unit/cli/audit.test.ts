import assert from "node:assert/strict";
import { userInfo } from "node:os";
import { after, before, test } from "node:test";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { findCaller } from "#lib/domain/merchants/find-caller.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { type CliRun, runCli } from "#tests/support/run-cli.ts";

const SECRET_KEY = "a-secret-key-of-forty-characters-for-tests";
const EMAIL = "shop@example.com";
let t: TestDatabase;
before(async () => {
  t = await testDatabase();
});
after(() => t.close());

const cli = (...args: string[]) => runCli({ DATABASE_URL: t.url, SECRET_KEY, USER: "ada" }, ...args);
function answer<T>(run: CliRun): T {
  assert.equal(run.status, 0, run.stderr);
  return run.json() as T;
}
interface Key {
  id: number;
  last4: string;
  api_key: string;
  revoked_at: string | null;
}
const works = (text: string, at: Date) => findCaller(t.db, text, "test", at);
const entries = async () => t.db.select().from(auditLog).orderBy(auditLog.id);
async function newest() {
  const { actor, action, subject, details } = (await entries()).at(-1)!;
  assert.equal(actor, "operator:ada");
  return { action, subject, details };
}

test("records the creation and changes of a merchant without its secrets", async () => {
  const made = answer<{ merchant: { id: number }; live: { api_key: string; webhook_secret: string } }>(
    cli(
      "merchant",
      "create",
      "--email",
      EMAIL,
      "--name",
      "Shop",
      "--webhook-url",
      "https://shop.example/hook",
    ),
  );
  const subject = `merchant:${made.merchant.id}`;
  assert.deepEqual(await newest(), {
    action: "merchant.create",
    subject,
    details: { merchant: EMAIL, name: "Shop", webhook_url: "https://shop.example/hook", scope: "full" },
  });
  answer(
    cli(
      ...["merchant", "update", EMAIL, "--late-policy", "accept", "--tolerance-under-bps", "5", "--disable"],
      ...["--env", "test", "--webhook-url", "none", "--allow-origin", "https://a.example"],
    ),
  );
  assert.deepEqual(await newest(), {
    action: "merchant.update",
    subject,
    details: {
      merchant: EMAIL,
      latePolicy: "accept",
      toleranceUnderBps: 5,
      status: "disabled",
      webhookUrl: null,
      webhookEnv: "test",
      allowOrigins: "https://a.example",
    },
  });
  answer(cli("merchant", "update", EMAIL, "--enable"));
  const all = JSON.stringify(await entries());
  assert.equal(all.includes(made.live.api_key) || all.includes(made.live.webhook_secret), false);
});

test("records the creation, rotation and end of a key by its last four characters", async () => {
  const made = answer<Key>(
    cli("key", "create", EMAIL, "--env", "test", "--scope", "read", "--expires", "2099-01-01T00:00:00Z"),
  );
  const common = { merchant: EMAIL, env: "test", scope: "read" };
  assert.deepEqual(await newest(), {
    action: "key.create",
    subject: `key:${made.id}`,
    details: { ...common, last4: made.last4, expires_at: "2099-01-01T00:00:00.000Z", revoked_at: null },
  });

  const earliest = Date.now() + 30 * 60_000;
  const rotated = answer<Key & { old: Key; scope: string }>(
    cli("key", "rotate", String(made.id), "--overlap", "30m"),
  );
  assert.equal(rotated.scope, "read");
  const until = new Date(rotated.old.revoked_at!);
  assert.ok(until.getTime() >= earliest && until.getTime() <= Date.now() + 30 * 60_000);
  const justBefore = new Date(until.getTime() - 1);
  assert.ok((await works(made.api_key, justBefore)) && (await works(rotated.api_key, justBefore)));
  assert.equal(await works(made.api_key, until), null);
  assert.equal((await works(rotated.api_key, until))?.scope, "read");
  assert.deepEqual(await newest(), {
    action: "key.rotate",
    subject: `key:${rotated.id}`,
    details: {
      ...common,
      last4: rotated.last4,
      expires_at: null,
      revoked_at: null,
      old_key: made.id,
      old_until: until.toISOString(),
    },
  });

  const at = answer<Key & { old: Key }>(cli("key", "rotate", String(rotated.id), "--overlap", "0"));
  assert.equal(await works(rotated.api_key, new Date()), null);
  answer(cli("key", "revoke", String(at.id)));
  assert.equal(await works(at.api_key, new Date()), null);
  assert.equal((await newest()).action, "key.revoke");
  const count = (await entries()).length;
  for (const [args, message] of [
    [["rotate", String(at.id)], "the key is revoked or expired: create a new one with `key create`"],
    [["rotate", "999999"], "no key has this id: see `key list`"],
    [["rotate", String(made.id), "--expires", "2001-01-01"], "--expires is in the past: give a later time"],
  ] as [string[], string][]) {
    const run = cli("key", ...args);
    assert.deepEqual([run.status, run.stdout, run.stderr], [1, "", `${message}\n`]);
  }
  assert.equal(cli("key", "rotate", String(made.id), "--overlap", "soon").status, 2);
  assert.equal((await entries()).length, count);
  assert.equal(JSON.stringify(await entries()).includes(made.api_key), false);
});

test("lists address entries, and records their creation and removal", async () => {
  const entry = ["--name", "office", "--address", "198.51.100.0/24"];
  const { id } = answer<{ id: number }>(cli("ip", "add", EMAIL, ...entry));
  const details = { merchant: EMAIL, name: "office", address: "198.51.100.0/24" };
  assert.deepEqual(await newest(), { action: "ip.add", subject: `ip:${id}`, details });
  const [listed, ...others] = answer<Record<string, unknown>[]>(cli("ip", "list", EMAIL));
  assert.deepEqual(
    [listed!.id, listed!.name, listed!.address, others],
    [id, "office", "198.51.100.0/24", []],
  );
  answer(cli("ip", "remove", String(id)));
  assert.deepEqual(await newest(), { action: "ip.remove", subject: `ip:${id}`, details });
  assert.deepEqual(answer(cli("ip", "list", EMAIL)), []);
  assert.equal(cli("ip", "list", "nobody@example.com").status, 1);
});

test("names the user of the system where the environment does not, as below cron or systemd", async () => {
  answer(
    runCli(
      { DATABASE_URL: t.url, SECRET_KEY },
      "merchant",
      "create",
      "--email",
      "b@example.com",
      "--name",
      "B",
    ),
  );
  assert.equal((await entries()).at(-1)!.actor, `operator:${userInfo().username}`);
});
