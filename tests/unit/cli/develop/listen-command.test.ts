/** `paylink listen` against a real socket and a real receiver. */
import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { sql } from "drizzle-orm";
import { apiKeys } from "#lib/domain/merchants/tables.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { verifyWebhook } from "#packages/client/src/client.ts";
import { SECRET_KEY } from "#tests/support/api.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { newMerchant } from "#tests/support/new-merchant.ts";
import { openTestCli } from "#tests/support/run-cli.ts";
import { startCommand } from "#tests/support/running-command.ts";
import { startServiceServer } from "#tests/support/service-server.ts";
import { until } from "#tests/support/until.ts";

const base = await databaseOfFile();
const { origin } = await startServiceServer(base);

/** A shop's receiver that answers with `status`. */
const shop = { status: 200, received: [] as { headers: IncomingHttpHeaders; body: string }[] };
const receiver = createServer(async (request, response) => {
  shop.received.push({ headers: request.headers, body: await text(request) });
  response.writeHead(shop.status).end();
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
after(() => receiver.close());
const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;

let merchants = 0;
async function aMerchant() {
  merchants += 1;
  const email = `developer${merchants}@shop.example`;
  const made = await newMerchant(base.db, { sealer: openSecrets(SECRET_KEY), email, name: "Shop" });
  return { id: made.merchant.id, live: made.live.apiKey, key: made.test.apiKey };
}
const emit = (merchantId: number, type: "payment_link_completed" | "deposit_credited" = "deposit_credited") =>
  base.db.transaction((tx) =>
    emitRawEvent(
      tx,
      { merchantId, env: "test", type, dataJson: '{"amount": 1.50}', txHashes: [] },
      new Date(),
    ),
  );

test("forwards each event with a signature that the shop can verify, prints a line, and ends with Ctrl-C", async () => {
  const { id, key } = await aMerchant();
  const env = { PAYLINK_URL: `${origin}/v1`, PAYLINK_KEY: key };
  const { printed, interrupt } = startCommand(env, "listen", "--forward-to", hook);
  await until("the connection", () => printed.stderr.includes("connected to"));
  shop.received = [];
  const first = await emit(id, "payment_link_completed");
  await until("the first line", () => printed.stdout.includes(`evt_${first.id}`));
  shop.status = 503;
  const second = await emit(id);
  await until("the second line", () => printed.stdout.includes(`evt_${second.id}`));
  shop.status = 200;
  assert.equal(await interrupt(), 0);

  const [secretLine = "", ...lines] = printed.stdout.trimEnd().split("\n");
  const secret = secretLine.replace("webhook secret: ", "");
  assert.deepEqual(
    shop.received.map(({ headers, body }) => verifyWebhook(secret, body, headers).id),
    [`evt_${first.id}`, `evt_${second.id}`],
  );
  assert.match(shop.received[0]?.body ?? "", /"data":\{"amount": 1\.50\}\}$/);
  const time = "\\d{4}-\\d{2}-\\d{2}T[\\d:.]+Z";
  assert.match(
    lines[0] ?? "",
    new RegExp(`^${time}  payment_link_completed  evt_${first.id}  200  \\d+ ms$`),
  );
  assert.match(lines[1] ?? "", new RegExp(`^${time}  deposit_credited  evt_${second.id}  503  \\d+ ms$`));
});

test("the secret stays the same for a key and differs between keys", async () => {
  const [one, other] = [await aMerchant(), await aMerchant()];
  const cli = openTestCli(() => ({ PAYLINK_URL: origin, PAYLINK_KEY: one.key }));
  const { stdout } = await cli.run("listen --print-secret");
  assert.match(stdout, /^whsec_[A-Za-z0-9+/]{43}=\n$/);
  assert.equal((await cli.run("listen --print-secret")).stdout, stdout);
  const others = openTestCli(() => ({ PAYLINK_URL: origin, PAYLINK_KEY: other.key }));
  assert.notEqual((await others.run("listen --print-secret")).stdout, stdout);
});

test("after a lost connection it receives what it missed, once", async () => {
  const { id, key } = await aMerchant();
  const env = { PAYLINK_URL: origin, PAYLINK_KEY: key };
  const { printed, interrupt } = startCommand(
    env,
    "listen",
    "--forward-to",
    hook,
    "--events",
    "deposit_credited",
  );
  await until("the connection", () => printed.stderr.includes("connected to"));
  const before = await emit(id);
  await emit(id, "payment_link_completed");
  await until("the event", () => printed.stdout.includes(`evt_${before.id} `));
  // The server closes the connections of all programs when it may have missed notifications.
  await base.db.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'paylink listener' and datname = current_database()`,
  );
  const missed = await emit(id);
  await until("the missed event", () => printed.stdout.includes(`evt_${missed.id} `));
  assert.equal(await interrupt(), 0);
  assert.match(printed.stderr, /not connected to .* \(transport close\): trying again/);
  assert.deepEqual(
    printed.stdout.match(/evt_\d+/g),
    [before, missed].map((one) => `evt_${one.id}`),
  );
});

test("after a lost connection it receives an event that was stored later than one with a higher id", async () => {
  const { id, key } = await aMerchant();
  const env = { PAYLINK_URL: origin, PAYLINK_KEY: key };
  const { printed, interrupt } = startCommand(env, "listen", "--forward-to", hook);
  await until("the connection", () => printed.stderr.includes("connected to"));
  await emit(id);
  const { lower, higher } = await base.db.transaction(async (tx) => {
    const event = {
      merchantId: id,
      env: "test",
      type: "deposit_credited",
      dataJson: "{}",
      txHashes: [],
    } as const;
    const lower = await emitRawEvent(tx, event, new Date());
    const higher = await emit(id);
    await until("the higher id", () => printed.stdout.includes(`evt_${higher.id} `));
    await tx.execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'paylink listener' and datname = current_database()`,
    );
    await until("the lost connection", () => printed.stderr.includes("not connected to"));
    return { lower, higher };
  });
  assert.ok(lower.id < higher.id);
  await until("the lower id", () => printed.stdout.includes(`evt_${lower.id} `));
  assert.equal(await interrupt(), 0);
  const sent = printed.stdout.match(/evt_\d+/g) ?? [];
  assert.equal(new Set(sent).size, sent.length, "none was sent twice");
});

test("ends when the key is revoked", async () => {
  const { id, key } = await aMerchant();
  const { printed, ended } = startCommand(
    { PAYLINK_URL: origin, PAYLINK_KEY: key },
    "listen",
    "--forward-to",
    hook,
  );
  await until("the connection", () => printed.stderr.includes("connected to"));
  await base.db.update(apiKeys).set({ revokedAt: new Date() }).where(sql`merchant_id = ${id}`);
  assert.equal(await ended, 1);
  assert.match(printed.stderr, /Paylink refused to send events: invalid api key\n$/);
});

test("refuses a live key and missing settings, and says what to do", async () => {
  const { live, key } = await aMerchant();
  const wrong = (env: Record<string, string>) => openTestCli(() => env);
  await wrong({ PAYLINK_URL: origin, PAYLINK_KEY: live }).refuses({
    "listen --forward-to http://localhost:1/": /^PAYLINK_KEY is a live key/,
  });
  await wrong({ PAYLINK_KEY: key }).refuses({
    "listen --print-secret": /^the address of Paylink is missing/,
  });
  await wrong({ PAYLINK_URL: "ftp://x" }).refuses({ "listen --print-secret": /not an http or https URL/ });
  await wrong({ PAYLINK_URL: origin }).refuses({ "listen --print-secret": /^the API key is missing/ });
  await wrong({ PAYLINK_URL: origin, PAYLINK_KEY: `${key}x` }).refuses({
    "listen --print-secret": "PAYLINK_KEY is incomplete or mistyped",
  });
  await wrong({ PAYLINK_URL: origin, PAYLINK_KEY: key }).refuses({
    listen: /^the receiver is missing/,
    "listen --forward-to http://localhost:22/": /^--forward-to must be/,
  });
});
