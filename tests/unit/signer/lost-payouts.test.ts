import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eq } from "drizzle-orm";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { isSamePayout } from "#lib/signer/entry-rules.ts";
import { openLostPayouts } from "#lib/signer/lost-payouts.ts";
import type { JournalEntry, Payout } from "#lib/signer/types.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { evmNetwork } from "#tests/support/watched-chain.ts";
import { aWithdrawal, fund, USDT } from "#tests/support/withdrawals.ts";

const AT = new Date(1e12);
const networks = evmNetwork("bep20", ["http://127.0.0.1:9"], {});
let t: TestDatabase;
before(async () => {
  t = await testDatabase();
});
after(() => t.close());

/** The lost payouts of a journal with one payment, and the references that raise the alarm. */
function lostOf(db: Db, payout: Payout) {
  const entry = { kind: "payout", hash: "h", at: AT, payouts: [payout] } as unknown as JournalEntry;
  const journal = { listLive: () => [entry], listOfWithdrawal: () => [entry], outcomeOf: () => "final" };
  const missing: string[] = [];
  const lost = openLostPayouts({
    db,
    adapter: { env: "test", network: "bep20" },
    journal: journal as never,
    alarms: { raise: (_reason: string, { refid }: { refid: string }) => missing.push(refid) } as never,
    now: () => AT,
  });
  return { lost, missing };
}

const payout = {
  env: "test",
  network: "bep20",
  refid: "1",
  token: "usdt",
  amount: 5n,
  to: "x",
  merchantId: 1,
};

test("what is missing holds back its equal after a first look that the database failed", async () => {
  let isDown = true;
  const execute = async (...asked: Parameters<Db["execute"]>) => {
    if (isDown) throw new Error("no connection");
    return t.db.execute(...asked);
  };
  const { lost } = lostOf({ execute } as never, payout as Payout);
  await assert.rejects(lost.look());
  await assert.rejects(lost.look());
  isDown = false;
  await lost.look();
  assert.ok(lost.has({ ...payout, refid: "2" } as Payout));
});

test("a payment is missing although another merchant has taken its reference", async () => {
  const adapter = networks.find("test", "bep20")!;
  const [victim, other] = [
    await aMerchant(t.db, "victim@example.com"),
    await aMerchant(t.db, "other@example.com"),
  ];
  for (const merchant of [victim, other]) await fund(t.db, adapter, merchant, 100n * USDT);
  const { id, refid, amount, toAddress: to } = await aWithdrawal({ db: t.db, networks }, "other@example.com");
  const paid = { ...payout, refid, amount, to, merchantId: victim } as Payout;
  const taken = lostOf(t.db, paid);
  await taken.lost.look();
  assert.deepEqual(taken.missing, [refid]);
  assert.ok(taken.lost.has({ ...paid, refid: "2" }));
  await t.db.update(withdrawals).set({ merchantId: victim }).where(eq(withdrawals.id, id));
  const own = lostOf(t.db, paid);
  await own.lost.look();
  assert.deepEqual(own.missing, []);
  assert.ok(!own.lost.has({ ...paid, refid: "2" }));
});

test("a withdrawal of another merchant with the same reference, amount and address is not the one that was signed", () => {
  const signed = payout as Payout;
  assert.ok(isSamePayout(signed, { ...signed }));
  assert.ok(!isSamePayout(signed, { ...signed, merchantId: 2 }));
});

test("a payment is missing if the withdrawal with its reference asks for something else, or has failed since it was paid", async () => {
  const adapter = networks.find("test", "bep20")!;
  const email = "restored@example.com";
  const merchantId = await aMerchant(t.db, email);
  await fund(t.db, adapter, merchantId, 100n * USDT);
  const { id, refid, amount, toAddress: to } = await aWithdrawal({ db: t.db, networks }, email);
  const paid = { ...payout, refid, amount, to, merchantId } as Payout;
  const missingOf = async (one: Payout) => {
    const { lost, missing } = lostOf(t.db, one);
    await lost.look();
    assert.equal(lost.has({ ...one, refid: "2" }), missing.length > 0);
    return missing;
  };
  const change = (changes: Partial<typeof withdrawals.$inferInsert>) =>
    t.db.update(withdrawals).set(changes).where(eq(withdrawals.id, id));
  const others = [
    { amount: amount - 1n },
    { to: "another" },
    { token: "usdc" },
    { network: "erc20" },
  ] as const;
  for (const other of others) assert.deepEqual(await missingOf({ ...paid, ...other }), [refid]);
  assert.deepEqual(await missingOf(paid), []);
  for (const status of ["processing", "completed"] as const) {
    await change({ status });
    assert.deepEqual(await missingOf(paid), []);
  }
  for (const status of ["refund_queued", "failed"] as const) {
    await change({ status });
    assert.deepEqual(await missingOf(paid), [refid]);
  }
  // Two persons have settled it with another amount. It has the transaction.
  const hash = { hash: "h", namedAt: AT.toISOString(), spends: [], block: null, seen: true };
  await change({ status: "completed", amount: amount - 1n, transactions: [hash] });
  assert.deepEqual(await missingOf(paid), []);
});
