import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { insertUser } from "#lib/domain/members/store.ts";
import { refundClaims } from "#lib/domain/withdrawals/claims/tables.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { openTestCli, type Row } from "#tests/support/run-cli.ts";

const OLD = "an-old-secret-key-of-forty-characters-ok";
const NEW = "a-new-secret-key-of-forty-characters-too";
const t = await databaseOfFile();

const cliOf = (keys: Record<string, string>) => openTestCli(() => ({ DATABASE_URL: t.url, ...keys }));
const sealed = async () => {
  const { rows } = await t.database.pool.query<{ secret: Buffer; previous: Buffer | null }>(
    "select secret, previous_secret as previous from webhook_endpoints order by id",
  );
  return rows;
};

test("secrets reseal encrypts once what a previous key encrypted, and keeps the secrets", async () => {
  const old = cliOf({ SECRET_KEY: OLD });
  const made = await old.answer<Record<"live", Row>>("merchant create --email a@example.com --name A");
  const { webhook_secret: current } = await old.answer("webhook endpoint rotate 1");

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

  await cliOf({ SECRET_KEY: NEW }).refuses({
    "secrets reseal": /cannot be opened with SECRET_KEY or SECRET_KEY_PREVIOUS/,
  });
  const before = await sealed();

  const both = cliOf({ SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD });
  assert.deepEqual(await both.answer("secrets reseal"), { resealed: 5, secrets: 5 });
  assert.deepEqual(await both.answer("secrets reseal"), { resealed: 0, secrets: 5 });
  const [first] = await sealed();
  assert.notDeepEqual(first?.secret, before[0]?.secret);
  const secrets = openSecrets(NEW);
  const { rows } = await t.database.pool.query("select totp_secret from users");
  assert.equal(secrets.open(rows[0].totp_secret), "the app's secret");
  const [claim] = await t.db.select().from(refundClaims);
  assert.equal(secrets.open(claim?.sealedSecret ?? Buffer.alloc(0)), "the claim's secret");
  assert.equal(secrets.open(first?.secret ?? Buffer.alloc(0)), current);
  assert.equal(secrets.open(first?.previous ?? Buffer.alloc(0)), made.live.webhook_secret);
});
