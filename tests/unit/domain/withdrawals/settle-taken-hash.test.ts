import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { aHash, aWithdrawal, fund, USDT } from "#tests/support/withdrawals.ts";
import { scriptedNetworks } from "./scripted-nodes.ts";
import { fundScripted, openScripted } from "./scripted-withdrawals.ts";

const t = await databaseOfFile();
const merchantId = await fundScripted(t.db);

test("a hash that is taken from another merchant is in that merchant's audit log, and of no other", async () => {
  const w = openScripted(t.db);
  const email = "stall@example.com";
  const stall = await aMerchant(t.db, email);
  const deps = { db: t.db, networks: scriptedNetworks(w.node, w.second) };
  const adapter = deps.networks.find("test", "bep20");
  assert.ok(adapter);
  await fund(t.db, adapter, stall, 100n * USDT);
  const [own, foreign] = [await w.create(), await aWithdrawal(deps, email, { amount: 20n * USDT })];
  const hash = w.known();
  assert.ok((await w.sent(foreign.refid, aHash())).ok);
  await t.db.update(withdrawals).set({ txHash: hash }).where(eq(withdrawals.id, foreign.id));
  assert.ok((await w.sent(own.refid, aHash())).ok);
  assert.ok((await w.settle(own.refid, hash, true)).ok);
  const entries = await t.db.select().from(auditLog);
  const of = (merchant: number, action: string) =>
    entries.filter(
      (one) =>
        one.merchantId === merchant && one.action === action && JSON.stringify(one.details).includes(hash),
    );
  assert.deepEqual(
    of(merchantId, "withdrawal.settle").map(({ subject, details }) => [subject, details.released_from]),
    [[`withdrawal:${own.refid}`, ""]],
  );
  assert.deepEqual(
    of(stall, "withdrawal.release-hash").map(({ subject, details }) => [subject, details]),
    [[`withdrawal:${foreign.refid}`, { env: "test", released_hash: hash }]],
  );
});
