/** A merchant's own limits and address book: what they refuse, who may loosen them, and that nothing asked for at the same time gets past. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { listBook } from "#lib/domain/withdrawals/limits/limit-queries.ts";
import { bookRefusal, limitRefusal, loosensLimits } from "#lib/domain/withdrawals/limits/limit-rules.ts";
import {
  addBookAddress,
  removeBookAddress,
  setAddressBook,
  setWithdrawalLimits,
} from "#lib/domain/withdrawals/limits/limit-withdrawals.ts";
import { performAs, personOf } from "#tests/support/acts.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { bep20 } from "#tests/support/watched-chain.ts";
import { operatorSteps } from "#tests/support/withdrawal-steps.ts";
import { askFor, DESTINATION, fund, USDT } from "#tests/support/withdrawals.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const later = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
const networks = bep20("http://127.0.0.1:9");
const adapter = networks.find("test", "bep20")!;

const t = await databaseOfFile();

async function shop(name: string) {
  const merchantId = await aMerchant(t.db, `${name}@example.com`);
  await fund(t.db, adapter, merchantId, 1_000n * USDT);
  const owner = { merchantId, actor: personOf(1, "owner", NOW), now: NOW };
  const who = (isOperator: boolean) => (isOperator ? { merchantId, now: NOW } : owner);
  return {
    merchantId,
    owner,
    limit: (perTransfer: bigint | null, perDay: bigint | null, isOperator = false) =>
      performAs(t.db, who(isOperator), setWithdrawalLimits, { token: "usdt", perTransfer, perDay }),
    book: (on: boolean, isOperator = false) => performAs(t.db, who(isOperator), setAddressBook, { isOn: on }),
    add: (address: string, at = NOW) =>
      performAs(t.db, { ...owner, actor: personOf(1, "owner", at), now: at }, addBookAddress, {
        adapter,
        name: "Safe",
        address,
      }),
    ask: async (amount: bigint, at = NOW, more: { toCustomer?: boolean } = {}) => {
      const made = await askFor({ db: t.db, networks }, { merchantId, now: at }, { amount, ...more });
      return made.ok ? made.withdrawal : made.reason;
    },
  };
}

test("limits refuse what is above them, and count what did not fail within 24 hours", async () => {
  const s = await shop("limited");
  assert.ok((await s.limit(50n * USDT, 80n * USDT)).ok);
  assert.equal(await s.ask(51n * USDT), "above_transfer_limit");
  const first = await s.ask(50n * USDT);
  assert.ok(typeof first !== "string");
  assert.equal(await s.ask(31n * USDT, later(23)), "above_day_limit");
  assert.ok(typeof (await s.ask(30n * USDT, later(23))) !== "string");
  assert.equal(await s.ask(1n * USDT, later(23)), "above_day_limit");
  assert.ok((await operatorSteps({ db: t.db, networks }).fail(first.refid, null, later(23))).ok);
  assert.ok(typeof (await s.ask(50n * USDT, later(23))) !== "string", "what failed no longer counts");
  assert.ok(typeof (await s.ask(30n * USDT, later(48))) !== "string");
});

test("twenty withdrawals at the same time get no further than one after another", async () => {
  const s = await shop("hasty");
  assert.ok((await s.limit(null, 50n * USDT)).ok);
  const asked = await Promise.all(Array.from({ length: 20 }, () => s.ask(20n * USDT)));
  assert.equal(asked.filter((one) => typeof one !== "string").length, 2);
  assert.deepEqual([...new Set(asked.filter((one) => typeof one === "string"))], ["above_day_limit"]);
});

test("a merchant makes its rules stricter, and only the operator looser; the audit log has before and after", async () => {
  const s = await shop("strict");
  assert.ok((await s.limit(50n * USDT, null)).ok);
  assert.ok((await s.limit(40n * USDT, 90n * USDT)).ok);
  for (const [perTransfer, perDay] of [
    [null, 90n * USDT],
    [41n * USDT, 90n * USDT],
    [40n * USDT, null],
    [10n * USDT, 91n * USDT],
  ] as const)
    assert.deepEqual(await s.limit(perTransfer, perDay), { ok: false, reason: "limit_raised" });
  assert.ok((await s.limit(null, null, true)).ok);
  assert.ok((await s.book(true)).ok);
  assert.deepEqual(await s.book(false), { ok: false, reason: "book_switched_off" });
  assert.ok((await s.book(false, true)).ok);
  const entries = await t.db.select().from(auditLog);
  const limits = entries.filter(
    ({ action, merchantId }) => action === "withdrawal.limit" && merchantId === s.merchantId,
  );
  assert.deepEqual(
    limits.map(({ details }) => [details.per_transfer_before, details.per_transfer]),
    [
      [null, "50"],
      ["50", "40"],
      ["40", null],
    ],
  );
});

test("with an address book, money goes to entries of a day ago alone, and refunds to customers", async () => {
  const s = await shop("careful");
  assert.ok((await s.book(true)).ok);
  assert.equal(await s.ask(USDT), "destination_not_in_book");
  assert.deepEqual(await s.add("0x1234"), { ok: false, reason: "destination_malformed" });
  assert.ok((await s.add(DESTINATION)).ok);
  assert.deepEqual(await s.add(DESTINATION.toLowerCase(), later(30)), {
    ok: false,
    reason: "book_has_address",
  });
  assert.equal(await s.ask(USDT, later(23.9)), "destination_too_new");
  assert.ok(typeof (await s.ask(USDT, later(24))) !== "string");
  const [entry] = await listBook(t.db, { merchantId: s.merchantId, env: "test" });
  const remove = async (merchantId = s.merchantId) =>
    (await performAs(t.db, { ...s.owner, merchantId }, removeBookAddress, { id: entry?.id ?? 0 })).ok;
  assert.equal(await remove(s.merchantId + 1), false, "another merchant's");
  assert.equal(await remove(), true);
  assert.equal(await s.ask(USDT, later(48)), "destination_not_in_book");
  assert.ok(typeof (await s.ask(USDT, later(48), { toCustomer: true })) !== "string");
  // Removed and added again, it waits again.
  assert.ok((await s.add(DESTINATION, later(48))).ok);
  assert.equal(await s.ask(USDT, later(49)), "destination_too_new");
});

test("the rules at their edges", () => {
  const limits = { perTransfer: 10n, perDay: 20n };
  assert.equal(limitRefusal(limits, { amount: 10n, recent: 10n }), null);
  assert.equal(limitRefusal(limits, { amount: 11n, recent: 0n }), "above_transfer_limit");
  assert.equal(limitRefusal(limits, { amount: 1n, recent: 20n }), "above_day_limit");
  assert.equal(limitRefusal({ perTransfer: null, perDay: null }, { amount: 1n, recent: 9n }), null);
  assert.equal(
    limitRefusal({ perTransfer: 0n, perDay: null }, { amount: 1n, recent: 0n }),
    "above_transfer_limit",
  );
  assert.equal(bookRefusal(null, NOW), "destination_not_in_book");
  assert.equal(bookRefusal(NOW, later(24)), null);
  assert.equal(loosensLimits({ perTransfer: null, perDay: null }, limits), false);
  assert.equal(loosensLimits(limits, { perTransfer: null, perDay: 1n }), true);
});
