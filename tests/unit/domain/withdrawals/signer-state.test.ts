/** The reports that a signer writes with its own database role, and their readers. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { eq } from "drizzle-orm";
import { openSignerPublisher } from "#lib/domain/withdrawals/signer/publish-signer-state.ts";
import {
  countHeld,
  countHolds,
  findHold,
  listHeldWithdrawals,
  listSignerAccounts,
} from "#lib/domain/withdrawals/signer/signer-queries.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { restrict } from "#tests/support/restricted-role.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { bep20 } from "#tests/support/watched-chain.ts";
import { aWithdrawal, fund, USDT } from "#tests/support/withdrawals.ts";

const EMAIL = "shop@example.com";
// No node listens at this address.
const networks = bep20("http://127.0.0.1:9");

const t = await databaseOfFile();
const merchantId = await aMerchant(t.db, EMAIL);
await fund(t.db, networks.find("test", "bep20")!, merchantId, 1_000n * USDT);
const role = `signer_${randomUUID().slice(0, 8)}`;
const signer = openDatabase(await restrict(t.database.pool, t.url, role, "signer"), { max: 2 });
after(() => signer?.close());

const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1, 12, 0, seconds));
const BEP20 = { env: "test", network: "bep20" } as const;
const account = { ...BEP20, address: "0x1111111111111111111111111111111111111111" };
const firstOf = async (reason: string | null, before: number | null = null) =>
  (await listHeldWithdrawals(t.db, { env: "test", reason }, { before, limit: 1 })).map(({ id }) => id);

test("says why withdrawals wait and since when, writes only what has changed, and forgets what was paid", async () => {
  const deps = { db: t.db, networks };
  const [one, two, three] = [
    await aWithdrawal(deps, EMAIL),
    await aWithdrawal(deps, EMAIL),
    await aWithdrawal(deps, EMAIL),
  ];
  let statements = 0;
  const publisher = await openSignerPublisher(signer.db, [account], "1.2.3", at(0));
  signer.pool.on("acquire", () => (statements += 1));
  const held = new Map([
    [one.refid, "approvals_missing"],
    [two.refid, "hot_balance_too_low"],
    [three.refid, "approvals_missing"],
    ["0000000000000000", "above_per_day"],
  ]);
  await publisher.publish(held, [BEP20], at(1));
  assert.equal(statements, 2);
  await publisher.publish(new Map(held), [BEP20], at(3));
  assert.equal(statements, 2, "nothing has changed");
  assert.deepEqual(await countHolds(t.db, "test"), [
    { reason: "approvals_missing", count: 2 },
    { reason: "hot_balance_too_low", count: 1 },
  ]);
  assert.deepEqual(await countHolds(t.db, "live"), []);
  assert.equal(await countHeld(t.db, { merchantId, env: "test", limit: 10 }), 3);
  assert.deepEqual(await firstOf(null), [three.id]);
  assert.deepEqual(await firstOf("approvals_missing", three.id), [one.id]);
  held.delete(three.refid);
  held.set(two.refid, "network_fee_too_high");
  await publisher.publish(held, [], at(5));
  assert.deepEqual(await findHold(t.db, one), { reason: "approvals_missing", since: at(1) });
  assert.deepEqual(await findHold(t.db, two), { reason: "network_fee_too_high", since: at(5) });
  assert.equal(await findHold(t.db, three), null);
  // Another signer starts with the holds of the one before. A withdrawal that was sent by hand waits no more.
  await t.db.update(withdrawals).set({ status: "processing" }).where(eq(withdrawals.id, one.id));
  assert.equal(await findHold(t.db, { ...one, status: "processing" }), null);
  assert.equal(await countHeld(t.db, { merchantId, env: "test", limit: 10 }), 1);
  const next = await openSignerPublisher(signer.db, [account], "1.2.4", at(60));
  await next.publish(new Map([[two.refid, "network_fee_too_high"]]), [BEP20], at(61));
  assert.deepEqual(await countHolds(t.db, "test"), [{ reason: "network_fee_too_high", count: 1 }]);
  assert.deepEqual((await findHold(t.db, two))?.since, at(5));
});

test("says which accounts it pays from, and about twice a minute that it works", async () => {
  const publisher = await openSignerPublisher(signer.db, [account], "1.2.3", at(0));
  const shown = { ...account, version: "1.2.3", startedAt: at(0) };
  for (const [now, stepped] of [
    [1, 1],
    [3, 1],
    [30, 1],
    [31, 31],
  ] as const) {
    await publisher.publish(new Map(), [BEP20], at(now));
    assert.deepEqual(
      await listSignerAccounts(t.db, "test"),
      [{ ...shown, steppedAt: at(stepped) }],
      `${now}`,
    );
  }
  await openSignerPublisher(signer.db, [], "1.2.3", at(40));
  assert.deepEqual(await listSignerAccounts(t.db, "test"), []);
});
