import assert from "node:assert/strict";
import { test } from "node:test";
import { eq, like, sql } from "drizzle-orm";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import { deleteExpiredIdempotencyKeys } from "#lib/web/api/idempotency.ts";
import { idempotencyKeys } from "#lib/web/api/tables.ts";
import type { RequestBody } from "#packages/client/src/client.ts";
import { startTestApi } from "#tests/support/api.ts";
import { fund } from "#tests/support/fund.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";
import { refused, successOf } from "#tests/support/says.ts";

const clock = { now: new Date("2026-03-01T12:00:00.000Z") };
const api = await startTestApi({ now: () => clock.now });
const merchant = await api.merchant();

const LINK = { ...PAYMENT_LINK, wallets: [{ network: "bep20", token: "USDT" }] };
const create = (key: string, body: RequestBody<"/payment-links"> = LINK, as = merchant.test, at = api) =>
  at.client(as).POST("/payment-links", { params: { header: { "idempotency-key": key } }, body });

const links = () => api.database.db.$count(paymentLinks);

test("fifty concurrent requests with one idempotency key create one link and get the same response", async () => {
  const before = { links: await links(), addresses: await api.database.db.$count(addresses) };
  const answers = await Promise.all(Array.from({ length: 50 }, () => create("fifty")));
  assert.equal(new Set(answers.map((answer) => JSON.stringify(successOf(answer)))).size, 1);
  assert.equal((await links()) - before.links, 1);
  assert.equal((await api.database.db.$count(addresses)) - before.addresses, 1);
});

test("every request without an idempotency key creates a link", async () => {
  const before = await links();
  await create("");
  await create("");
  assert.equal((await links()) - before, 2);
});

test("rejects a repeated idempotency key with another body, and still responds to the first body", async () => {
  const first = await create("other-body");
  const other = await create("other-body", { ...LINK, amount: "26000" });
  refused(other, 409, "idempotency key already used with a different request");
  assert.deepEqual(successOf(await create("other-body")), successOf(first));
});

test("a repeated request gets its response after the link has expired; a first request then is refused", async () => {
  const started = clock.now;
  const body = { ...LINK, expires_at: "2026-03-01T12:10:00Z" };
  const first = successOf(await create("outlived", body));
  const before = await links();
  clock.now = new Date("2026-03-01T12:11:00.000Z");
  assert.deepEqual(successOf(await create("outlived", body)), first);
  const late = "expires_at must be a future iso 8601 date-time";
  refused(await create("too-late", body), 400, late);
  refused(await create("", body), 400, late);
  assert.equal(await links(), before);
  clock.now = started;
  successOf(await create("too-late", body));
});

test("refuses a malformed body before it checks the idempotency key", async () => {
  await create("wrong-body");
  const body = { ...LINK, expires_at: "tomorrow" };
  refused(await create("wrong-body", body), 400, "expires_at must be a future iso 8601 date-time");
});

test("an idempotency key belongs to its merchant and environment", async () => {
  const other = await api.merchant();
  const before = await links();
  await create("shared");
  await create("shared", undefined, merchant.live);
  await create("shared", undefined, other.test);
  assert.equal((await links()) - before, 3);
});

test("a failed request does not use up its idempotency key", async () => {
  const tooLittle = await create("second-try", { ...PAYMENT_LINK, amount: "0.01" });
  refused(tooLittle, 422, "amount is below what any network can receive");
  successOf(await create("second-try"));
});

test("an idempotency key has at most 255 characters", async () => {
  successOf(await create("k".repeat(255)));
  refused(await create("k".repeat(256)), 400, "idempotency key is too long");
});

test("an idempotency key expires after 24 hours, on its next use and in the cleanup", async () => {
  const started = clock.now;
  const before = await links();
  await create("day");
  clock.now = new Date(started.getTime() + 24 * 3600_000 - 1000);
  await create("day");
  assert.equal((await links()) - before, 1);
  clock.now = new Date(started.getTime() + 24 * 3600_000);
  const again = successOf(await create("day"));
  assert.equal((await links()) - before, 2);
  assert.deepEqual(again, successOf(await create("day")));

  // Each statement deletes a thousand: one for all would keep the locks of each until it has read the last.
  await api.database.db.insert(idempotencyKeys).values(
    Array.from({ length: 1_500 }, (_, n) => ({
      ...{ merchantId: merchant.id, env: "test" as const, key: `old${n}`, createdAt: started },
      requestHash: Buffer.alloc(32),
    })),
  );
  const countOld = () => api.database.db.$count(idempotencyKeys, like(idempotencyKeys.key, "old%"));
  assert.equal(await deleteExpiredIdempotencyKeys(api.database.db, clock.now, AbortSignal.abort()), false);
  assert.ok((await countOld()) >= 500, "not all at once");
  assert.equal(await deleteExpiredIdempotencyKeys(api.database.db, clock.now), true);
  const left = await api.database.db.select({ key: idempotencyKeys.key }).from(idempotencyKeys);
  assert.deepEqual(left, [{ key: "day" }]);
  clock.now = started;
});

test("refuses a second request while the first runs for long; the creation may wait longer for other locks", async () => {
  const { db, database } = api.database;
  // tests/long/api/idempotency-wait.test.ts has the usual ten seconds.
  const hasty = await startTestApi({ now: () => clock.now, database, idempotencyWaitMs: 50 });
  await fund(db, { merchantId: merchant.id, token: "usdt", amount: "1000" }, clock.now);
  const holder = await database.pool.connect();
  try {
    await holder.query("begin");
    await holder.query(
      "insert into idempotency_keys (merchant_id, env, key, request_hash) values ($1, 'test', 'held', '\\x00')",
      [merchant.id],
    );
    await holder.query("select from ledger_accounts for update");
    const buy = hasty.client(merchant.test).POST("/trade/buy", {
      params: { header: { "idempotency-key": "waits" } },
      body: { amount: "0.001", token: "btc" },
    });
    const started = performance.now();
    for (let i = 0; i < 3; i++) {
      const second = await create("held", LINK, merchant.test, hasty);
      refused(second, 409, "request with this idempotency key is still in progress");
    }
    // A timer may end a millisecond early.
    assert.ok(performance.now() - started >= 140);
    await holder.query("rollback");
    successOf(await buy);
  } finally {
    await holder.query("rollback");
    holder.release();
  }
  successOf(await create("held"));
});

test("repeats of a request that takes long leave the connections to others", async () => {
  const { db, database } = api.database;
  await fund(db, { merchantId: merchant.id, token: "usdt", amount: "1000" }, clock.now);
  const other = await api.merchant();
  const holder = await database.pool.connect();
  let ended = 0;
  const buy = () =>
    api
      .client(merchant.test)
      .POST("/trade/buy", {
        params: { header: { "idempotency-key": "slow" } },
        body: { amount: "0.001", token: "btc" },
      })
      .finally(() => (ended += 1));
  try {
    await holder.query("begin");
    await holder.query("select from ledger_accounts for update");
    const same = Array.from({ length: 30 }, buy);
    for (let n = 0; n < 50; n++) {
      successOf(await api.client(other.test).GET("/payment-links", {}));
      assert.equal(ended, 0);
    }
    await holder.query("rollback");
    const [first, ...repeats] = (await Promise.all(same)).map((answer) => successOf(answer).data);
    for (const repeat of repeats) assert.deepEqual(repeat, first);
  } finally {
    await holder.query("rollback");
    holder.release();
  }
});

test("stores the response in the transaction that creates the link", async () => {
  const headers = { "idempotency-key": "kept" };
  const send = () => api.send({ path: "/payment-links", json: LINK, key: merchant.test, headers });
  const answer = await send();
  const [row] = await api.database.db
    .select({ xmin: sql<string>`${idempotencyKeys}.xmin::text`, response: idempotencyKeys.response })
    .from(idempotencyKeys)
    .where(eq(idempotencyKeys.key, "kept"));
  const { refid } = (answer.body as { data: { refid: string } }).data;
  const [link] = await api.database.db
    .select({ xmin: sql<string>`${paymentLinks}.xmin::text` })
    .from(paymentLinks)
    .where(eq(paymentLinks.refid, refid));
  assert.equal(row?.response, answer.text);
  assert.equal((await send()).text, answer.text);
  assert.equal(row?.xmin, link?.xmin);
});
