import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { insertUser } from "#lib/domain/members/store.ts";
import { refundClaims } from "#lib/domain/withdrawals/claims/tables.ts";
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
  await t.db.transaction(async (tx) => {
    // Without the payment link that it refunds.
    await tx.execute("set local session_replication_role = replica");
    const place = { env: "live", network: "bep20", token: "usdt", merchantId: 1, paymentLinkId: 1 } as const;
    const secret = {
      secretHash: Buffer.alloc(32),
      sealedSecret: openSecrets(OLD).seal("the claim's secret"),
    };
    const at = new Date();
    await tx.insert(refundClaims).values({
      ...place,
      ...secret,
      amount: 1n,
      requestedBy: "cli",
      expiresAt: at,
      createdAt: at,
      updatedAt: at,
    });
  });

  const alone = run({ SECRET_KEY: NEW }, "secrets", "reseal");
  assert.equal(alone.status, 1);
  assert.match(alone.stderr, /cannot be opened with SECRET_KEY or SECRET_KEY_PREVIOUS/);
  const before = await sealed();

  const both = { SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD };
  assert.deepEqual(run(both, "secrets", "reseal").json(), { resealed: 5, secrets: 5 });
  assert.deepEqual(run(both, "secrets", "reseal").json(), { resealed: 0, secrets: 5 });
  const [first] = await sealed();
  assert.notDeepEqual(first?.secret, before[0]?.secret);
  const secrets = openSecrets(NEW);
  const { rows } = await t.database.pool.query("select totp_secret from users");
  assert.equal(secrets.open(rows[0].totp_secret), "the app's secret");
  const [claim] = await t.db.select().from(refundClaims);
  assert.equal(secrets.open(claim?.sealedSecret ?? Buffer.alloc(0)), "the claim's secret");
  assert.equal(secrets.open(first?.secret ?? Buffer.alloc(0)), current);
  assert.equal(secrets.open(first?.previous ?? Buffer.alloc(0)), live.webhook_secret);
});
