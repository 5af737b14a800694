import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { insertUser } from "#lib/domain/members/store.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { testDatabase } from "#tests/support/database.ts";
import { runCli } from "#tests/support/run-cli.ts";

const OLD = "an-old-secret-key-of-forty-characters-ok";
const NEW = "a-new-secret-key-of-forty-characters-too";
const t = await testDatabase();
after(() => t.close());

const run = (env: Record<string, string>, ...args: string[]) =>
  runCli({ DATABASE_URL: t.url, ...env }, ...args);
const sealed = async () => {
  const { rows } = await t.database.pool.query<{ secret: Buffer; previous: Buffer | null }>(
    "select secret, previous_secret as previous from webhook_endpoints order by id",
  );
  return rows;
};

test("secrets reseal encrypts once what a previous key encrypted, and keeps the secrets", async () => {
  const made = run({ SECRET_KEY: OLD }, "merchant", "create", "--email", "a@example.com", "--name", "A");
  assert.equal(made.status, 0, made.stderr);
  const { live } = made.json() as { live: { webhook_secret: string } };
  const rotated = run({ SECRET_KEY: OLD }, "webhook", "endpoint", "rotate", "1");
  const { webhook_secret: current } = rotated.json() as { webhook_secret: string };

  const person = { handle: randomUUID(), email: "ada@example.com", name: "Ada" };
  const totpSecret = openSecrets(OLD).seal("the app's secret");
  await t.db.transaction((tx) => insertUser(tx, { ...person, totpSecret }));

  const alone = run({ SECRET_KEY: NEW }, "secrets", "reseal");
  assert.equal(alone.status, 1);
  assert.match(alone.stderr, /cannot be opened with SECRET_KEY or SECRET_KEY_PREVIOUS/);
  const before = await sealed();

  const both = { SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD };
  assert.deepEqual(run(both, "secrets", "reseal").json(), { resealed: 4, secrets: 4 });
  assert.deepEqual(run(both, "secrets", "reseal").json(), { resealed: 0, secrets: 4 });
  const [first] = await sealed();
  assert.notDeepEqual(first?.secret, before[0]?.secret);
  const secrets = openSecrets(NEW);
  const { rows } = await t.database.pool.query("select totp_secret from users");
  assert.equal(secrets.open(rows[0].totp_secret), "the app's secret");
  assert.equal(secrets.open(first?.secret ?? Buffer.alloc(0)), current);
  assert.equal(secrets.open(first?.previous ?? Buffer.alloc(0)), live.webhook_secret);
});
