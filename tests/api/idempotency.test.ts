import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eq, sql } from "drizzle-orm";
import { forgetOldKeys } from "#lib/api/idempotency.ts";
import { addresses, idempotencyKeys, paymentLinks } from "#lib/db/schema.ts";
import { startApi, type TestAnswer } from "#tests/support/api.ts";
import { aPaymentLink } from "#tests/support/payment-link.ts";

const clock = { now: new Date("2026-03-01T12:00:00.000Z") };
const api = await startApi({ now: () => clock.now });
after(() => api.close());
const merchant = await api.merchant();

const BEP20 = '[{"network":"bep20","token":"USDT"}]';

function create(
  key: string,
  form = aPaymentLink({ wallets: BEP20 }),
  as = merchant.test,
): Promise<TestAnswer> {
  return api.send({
    path: "/payment-links",
    form,
    headers: {
      [as.startsWith("pl_live_") ? "x-api-key" : "x-staging-api-key"]: as,
      "idempotency-key": key,
    },
  });
}

const links = () => api.database.db.$count(paymentLinks);
const shown = ({ status, body }: TestAnswer) => ({ status, body });
const refused = (status: number, message: string) => ({ status, body: { status: "fail", message } });

test("fifty requests at once with one key make one link, and all get the same answer", async () => {
  const before = { links: await links(), addresses: await api.database.db.$count(addresses) };
  const answers = await Promise.all(Array.from({ length: 50 }, () => create("fifty")));
  assert.equal(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size, 1);
  assert.equal(answers[0]?.status, 200);
  assert.equal((await links()) - before.links, 1);
  assert.equal((await api.database.db.$count(addresses)) - before.addresses, 1);
});

test("without the header every request makes a link", async () => {
  const before = await links();
  await create("");
  await create("");
  assert.equal((await links()) - before, 2);
});

test("the key with another body is refused, with the first body it still answers", async () => {
  const first = await create("other-body");
  assert.deepEqual(
    shown(await create("other-body", aPaymentLink({ wallets: BEP20, amount: "26000" }))),
    refused(409, "idempotency key already used with a different request"),
  );
  assert.deepEqual(shown(await create("other-body")), shown(first));
});

test("a key is its merchant's and its environment's own", async () => {
  const other = await api.merchant();
  const before = await links();
  await create("shared");
  await create("shared", undefined, merchant.live);
  await create("shared", undefined, other.test);
  assert.equal((await links()) - before, 3);
});

test("a refused call keeps no key: the corrected one may use it", async () => {
  assert.deepEqual(
    shown(await create("second-try", aPaymentLink({ amount: "0.01" }))),
    refused(422, "amount is below what any network can receive"),
  );
  assert.equal((await create("second-try")).status, 200);
});

test("a key is at most 255 characters", async () => {
  assert.equal((await create("k".repeat(255))).status, 200);
  assert.deepEqual(shown(await create("k".repeat(256))), refused(400, "idempotency key is too long"));
});

test("after 24 hours a key is forgotten, by its next use and by the sweep", async () => {
  const started = clock.now;
  const before = await links();
  await create("day");
  clock.now = new Date(started.getTime() + 24 * 3600_000 - 1000);
  await create("day");
  assert.equal((await links()) - before, 1);
  clock.now = new Date(started.getTime() + 24 * 3600_000);
  const again = await create("day");
  assert.equal(again.status, 200);
  assert.equal((await links()) - before, 2);
  assert.equal(again.text, (await create("day")).text);

  assert.ok((await forgetOldKeys(api.database.db, clock.now)) > 0);
  const left = await api.database.db.select({ key: idempotencyKeys.key }).from(idempotencyKeys);
  assert.deepEqual(left, [{ key: "day" }]);
  clock.now = started;
});

test("a first use that is still running after ten seconds refuses the second", async () => {
  const holder = await api.database.database.pool.connect();
  try {
    await holder.query("begin");
    await holder.query(
      "insert into idempotency_keys (merchant_id, env, key, request_hash) values ($1, 'test', 'held', '\\x00')",
      [merchant.id],
    );
    const started = performance.now();
    const answer = await create("held");
    assert.deepEqual(shown(answer), refused(409, "request with this idempotency key is still in progress"));
    assert.ok(performance.now() - started >= 9_900);
  } finally {
    await holder.query("rollback");
    holder.release();
  }
  assert.equal((await create("held")).status, 200);
});

test("an answer is kept in the transaction that makes the link", async () => {
  const answer = await create("kept");
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
  assert.equal(row?.xmin, link?.xmin);
});
