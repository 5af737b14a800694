/** One transaction of several withdrawals, some pending and some that were sent before: each gets it once, with few statements. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { asc, inArray } from "drizzle-orm";
import pg from "pg";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { type PaymentRequest, submitPayment } from "#lib/domain/withdrawals/send/submit-payment.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { SIGNER } from "#tests/support/acts.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { bep20 } from "#tests/support/watched-chain.ts";
import { askFor, fund, USDT } from "#tests/support/withdrawals.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const LATER = new Date("2026-03-01T12:05:00Z");
const networks = bep20("http://127.0.0.1:9");

const t = await databaseOfFile();
const merchantId = await aMerchant(t.db, "shop@example.com");
await fund(t.db, networks.find("test", "bep20")!, merchantId, 1_000n * USDT);

async function ask(count: number) {
  const made = [];
  for (let i = 0; i < count; i += 1) {
    const to = `0x${(0xaaaa_0000 + made.length).toString(16).padStart(40, "0")}`;
    const one = await askFor({ db: t.db, networks }, { merchantId, now: NOW }, { to, amount: USDT });
    assert.ok(one.ok);
    made.push(one.withdrawal);
  }
  return made;
}

const hashOf = (byte: string) => `0x${byte.repeat(32)}`;
const submit = (hash: string, request: Omit<PaymentRequest, "actor">, now: Date) =>
  submitPayment(
    t.db,
    { ...request, actor: SIGNER },
    async () => ({ env: "test", network: "bep20", hash, raw: "0x", kind: "payout", spends: [], moves: [] }),
    now,
  );
const read = (ids: readonly number[]) =>
  t.db
    .select()
    .from(withdrawals)
    .where(inArray(withdrawals.id, [...ids]))
    .orderBy(asc(withdrawals.id));

test("a transaction of pending and of sent withdrawals is appended to each, and audited as what it is", async () => {
  const [first, second, third] = (await ask(3)).map(({ id, refid }) => ({ id, refid }));
  assert.ok(first && second && third);
  const [old, next] = [hashOf("11"), hashOf("22")];
  assert.ok(await submit(old, { withdrawalIds: [first.id], spends: ["a:1"], isDead: () => false }, NOW));
  const ids = [first.id, second.id, third.id];
  const isOther = { withdrawalIds: ids, spends: ["a:2"], isDead: () => false };
  assert.equal(await submit(next, isOther, LATER), false, "the first could be paid twice");
  assert.deepEqual(
    (await read(ids)).map(({ status }) => status),
    ["processing", "pending", "pending"],
  );

  const isReplacement = { withdrawalIds: ids, spends: ["a:1", "a:2"], isDead: () => false };
  assert.ok(await submit(next, isReplacement, LATER));
  assert.ok(await submit(next, isReplacement, LATER), "again, after a crash");
  const added = {
    hash: next,
    namedAt: LATER.toISOString(),
    spends: ["a:1", "a:2"],
    block: null,
    seen: false,
  };
  const earlier = { ...added, hash: old, namedAt: NOW.toISOString(), spends: ["a:1"] };
  assert.deepEqual(
    (await read(ids)).map(({ status, txHash, transactions }) => ({ status, txHash, transactions })),
    [[earlier, added], [added], [added]].map((transactions) => ({
      status: "processing",
      txHash: next,
      transactions,
    })),
  );
  const entries = await t.db
    .select()
    .from(auditLog)
    .where(
      inArray(
        auditLog.subject,
        [first, second, third].map(({ refid }) => `withdrawal:${refid}`),
      ),
    )
    .orderBy(asc(auditLog.id));
  assert.deepEqual(
    entries
      .filter((entry) => entry.actor === "signer" && entry.merchantId === merchantId)
      .map(({ action, subject }) => [action, subject]),
    [
      ["withdrawal.sent", `withdrawal:${first.refid}`],
      ["withdrawal.replace", `withdrawal:${first.refid}`],
      ["withdrawal.sent", `withdrawal:${second.refid}`],
      ["withdrawal.sent", `withdrawal:${third.refid}`],
    ],
  );
});

test("a batch of twenty takes as many statements as one withdrawal", async () => {
  const counts = [];
  for (const [size, byte] of [
    [1, "33"],
    [20, "44"],
  ] as const) {
    const withdrawalIds = (await ask(size)).map(({ id }) => id);
    const query = mock.method(pg.Client.prototype, "query");
    assert.ok(await submit(hashOf(byte), { withdrawalIds, spends: [], isDead: () => false }, NOW));
    counts.push(query.mock.callCount());
    query.mock.restore();
  }
  assert.ok((counts[0] ?? 0) > 3, "the statements are counted");
  assert.equal(counts[1], counts[0]);
});
