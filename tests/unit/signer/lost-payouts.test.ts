import assert from "node:assert/strict";
import { test } from "node:test";
import { openLostPayouts } from "#lib/signer/lost-payouts.ts";
import type { JournalEntry, Payout } from "#lib/signer/types.ts";

const payout = { env: "test", network: "bep20", refid: "1", token: "usdt", amount: 5n, to: "x" } as Payout;

test("what is missing holds back its equal after a first look that the database failed", async () => {
  const at = new Date(1e12);
  let isDown = true;
  const execute = async () => {
    if (isDown) throw new Error("no connection");
    return { rows: [{ refid: "1" }] };
  };
  const entry = { kind: "payout", hash: "h", at, payouts: [payout] } as unknown as JournalEntry;
  const journal = { listLive: () => [entry], listOfWithdrawal: () => [entry], outcomeOf: () => "final" };
  const lost = openLostPayouts({
    db: { execute } as never,
    adapter: { env: "test", network: "bep20" },
    journal: journal as never,
    alarms: { raise() {} } as never,
    now: () => at,
  });
  await assert.rejects(lost.look());
  await assert.rejects(lost.look());
  isDown = false;
  await lost.look();
  assert.ok(lost.has({ ...payout, refid: "2" }));
});
