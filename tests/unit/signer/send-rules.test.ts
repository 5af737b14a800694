import assert from "node:assert/strict";
import { test } from "node:test";
import type { WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import { decideSending, type Stored } from "#lib/signer/send-rules.ts";
import type { JournalEntry } from "#lib/signer/types.ts";

const AT = new Date("2026-03-01T12:00:00Z");
const PAYOUT = { env: "test", refid: "w1" } as JournalEntry["payouts"][number];
const ENTRY = {
  kind: "payout",
  hash: "h1",
  raw: "bytes",
  at: AT,
  payouts: [PAYOUT],
  spends: ["one:1"],
} as unknown as JournalEntry;
const MOVE = { ...ENTRY, kind: "sweep", payouts: [] } as unknown as JournalEntry;

const row = (fields: Partial<WithdrawalRow> = {}) =>
  ({
    env: "test",
    refid: "w1",
    status: "processing",
    txHash: null,
    transactions: [{ hash: "h1", spends: ["one:1"] }],
    ...fields,
  }) as unknown as WithdrawalRow;

const journal = { listOfWithdrawal: () => [ENTRY], outcomeOf: () => null };

/** The kinds of the actions, after some seconds on a chain with a block every ten minutes or every three seconds. */
function decide(entry: JournalEntry, stored: Partial<Stored>, { seconds = 60, blockSeconds = 3 } = {}) {
  const now = new Date(AT.getTime() + seconds * 1_000);
  const actions = decideSending(journal, entry, { raw: "bytes", rows: [], ...stored }, { now, blockSeconds });
  return actions.map((action) => (action.kind === "alarm" ? action.reason : action.kind));
}

test("a stored payment is broadcast again as it is", () => {
  assert.deepEqual(decide(ENTRY, { rows: [row()] }), ["broadcast"]);
});

test("a payment that its withdrawal lacks is stored with it before it is broadcast", () => {
  assert.deepEqual(decide(ENTRY, { rows: [row({ transactions: [] })] }), ["store_payment", "broadcast"]);
  assert.deepEqual(decide(ENTRY, { raw: null, rows: [row({ transactions: [], status: "pending" })] }), [
    "transaction_missing",
    "store_payment",
    "broadcast",
  ]);
});

test("a transaction that the database lacks or that was changed there raises an alarm", () => {
  assert.deepEqual(decide(ENTRY, { raw: null, rows: [row()] }), [
    "transaction_missing",
    "store",
    "broadcast",
  ]);
  assert.deepEqual(decide(ENTRY, { raw: "others", rows: [row()] }), ["transaction_changed", "broadcast"]);
});

test("a payment of an ended withdrawal is canceled, and never broadcast", () => {
  assert.deepEqual(decide(ENTRY, { rows: [row({ status: "failed" })] }), ["cancel"]);
  const other = row({
    transactions: [{ hash: "h2", spends: ["other:1"] }] as unknown as WithdrawalRow["transactions"],
  });
  assert.deepEqual(decide(ENTRY, { rows: [other] }, { seconds: 3_600 }), ["cancel"]);
});

test("the fee of a payment is raised after three minutes and three blocks, while every withdrawal waits for it", () => {
  const rows = [row()];
  assert.deepEqual(decide(ENTRY, { rows }, { seconds: 179 }), ["broadcast"]);
  assert.deepEqual(decide(ENTRY, { rows }, { seconds: 180 }), ["raise", "broadcast"]);
  assert.deepEqual(decide(ENTRY, { rows }, { seconds: 1_799, blockSeconds: 600 }), ["broadcast"]);
  assert.deepEqual(decide(ENTRY, { rows }, { seconds: 1_800, blockSeconds: 600 }), ["raise", "broadcast"]);
  assert.deepEqual(decide(ENTRY, { rows: [] }, { seconds: 180 }), ["broadcast"]);
  const paid = [row({ status: "completed", txHash: "h1" })];
  assert.deepEqual(decide(ENTRY, { rows: paid }, { seconds: 180 }), ["broadcast"]);
});

test("a transaction between own accounts is stored before each broadcast", () => {
  assert.deepEqual(decide(MOVE, {}), ["store", "broadcast"]);
  assert.deepEqual(decide(MOVE, {}, { seconds: 180 }), ["store", "raise", "broadcast"]);
});
