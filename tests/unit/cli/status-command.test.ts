import assert from "node:assert/strict";
import { test } from "node:test";
import { watchCursors } from "#lib/domain/deposits/tables.ts";
import { createWallet } from "#lib/domain/wallets/create-wallet.ts";
import { webhookEndpoints } from "#lib/domain/webhooks/tables.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { openTestCli } from "#tests/support/run-cli.ts";

const t = await databaseOfFile();
const xpub = createWallet().accounts.find(({ env, network }) => env === "test" && network === "bep20")!.xpub;
const variables = () => ({
  DATABASE_URL: t.url,
  SECRET_KEY: "status-secret-0123456789-0123456789",
  // Nothing answers there: the status asks no node.
  TEST_BEP20_RPC_URL: "http://127.0.0.1:1",
  TEST_BEP20_XPUB: xpub,
});

const NOTHING = {
  links: { open: { live: 0, test: 0 }, overdue: 0 },
  deposits: { waiting: 0, held: 0 },
  withdrawals: { waiting: 0, to_review: 0 },
  webhooks: { due: 0, failing_endpoints: 0, disabled_endpoints: 0 },
  mails: { due: 0, failed: 0 },
  replica: null,
};

test("status of a new installation: nothing runs, nothing waits", async () => {
  const status = await openTestCli(variables).answer("status");
  const { version, attention, ...rest } = status;
  assert.match(String(version), /^\d+\.\d+\.\d+/);
  assert.ok(Object.values(attention as object).every((count) => count === 0));
  assert.deepEqual(rest, {
    sessions: { server: 0, watchers: 0, signer: 0 },
    networks: [
      {
        env: "test",
        network: "bep20",
        watched: false,
        height: null,
        lag_blocks: null,
        read_at: null,
        finality_late: false,
        gap_blocks: 0,
      },
    ],
    ...NOTHING,
  });
});

test("status counts what runs, waits and fails, on one screen", async (context) => {
  const server = openDatabase(t.url, { applicationName: "paylink listener" });
  context.after(server.close);
  // PgBouncer keeps such sessions for ten minutes after the server.
  const left = openDatabase(t.url);
  context.after(left.close);
  for (const client of [await left.pool.connect(), await left.pool.connect()]) client.release();
  const now = new Date();
  await server.db.insert(watchCursors).values({
    env: "test",
    network: "bep20",
    height: 90,
    hash: "0x",
    nodeHeight: 93,
    passStartedAt: now,
  });
  const cli = openTestCli(variables);
  await cli.answer("merchant create --email shop@example.com --name Shop");
  await server.db.update(webhookEndpoints).set({ failingSince: now });
  const status = await cli.answer("status");
  assert.partialDeepStrictEqual(status, {
    sessions: { server: 1 },
    networks: [{ watched: true, height: 90, lag_blocks: 3, read_at: now.toISOString() }],
    webhooks: { failing_endpoints: 2 },
  });
  const { stdout } = await cli.run("status --table");
  assert.match(stdout, /^Paylink \d/);
  assert.match(stdout, /^server +connected to the database$/m);
  assert.match(stdout, /^test bep20 +watched, read to 90, 3 blocks behind its node$/m);
  assert.match(stdout, /^webhooks +0 due, 2 endpoints fail$/m);
  assert.match(stdout, /^attention +nothing was set aside$/m);
  assert.ok(stdout.trimEnd().split("\n").length <= 24);
});
