import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "drizzle-orm";
import { findUnswept, recordLook } from "#lib/domain/deposits/unswept/find-unswept.ts";
import { listUnswept } from "#lib/domain/deposits/unswept/queries.ts";
import { updateDueUnswept } from "#lib/domain/deposits/unswept/store.ts";
import { aDeposit, evmHash } from "#tests/support/deposits.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { planOf } from "#tests/support/plan-of.ts";
import { aMerchant, anAddress } from "#tests/support/unmatched.ts";
import { bep20 } from "#tests/support/watched-chain.ts";

const database = await databaseOfFile();
const { db } = database;
const adapter = bep20("http://127.0.0.1:9").find("test", "bep20")!;
const merchantId = await aMerchant(db, "shop@example.com");
const USDT = { env: "test", network: "bep20", token: "usdt" } as const;
const now = new Date();
const amounts = async () =>
  (await findUnswept(db, USDT, { limit: 50, now })).map(({ addressId, amount }) => [addressId, amount]);

test("an address is listed with what was credited or held since the last look, the largest first", async () => {
  const one = (await anAddress(db, adapter, merchantId)).id;
  const other = (await anAddress(db, adapter, merchantId)).id;
  await aDeposit(db, one, { txHash: evmHash(1), amount: 5n });
  await aDeposit(db, one, { txHash: evmHash(2), amount: 7n, status: "seen" });
  await aDeposit(db, one, { txHash: evmHash(3), amount: 9n, token: "bnb" });
  await aDeposit(db, other, {
    txHash: evmHash(4),
    amount: 6n,
    status: "held",
    unmatchedReason: "no_purpose",
  });
  assert.deepEqual(await amounts(), [
    [other, 6n],
    [one, 5n],
  ]);
  await db.execute(sql`update deposits set status = 1`);
  assert.deepEqual(await amounts(), [
    [one, 12n],
    [other, 6n],
  ]);

  const later = new Date(now.getTime() + 60_000);
  await recordLook(db, USDT, [
    { addressId: one, amount: 11n, balance: 0n, retryAt: null },
    { addressId: other, amount: 6n, balance: 6n, retryAt: later },
  ]);
  assert.deepEqual(
    await amounts(),
    [[one, 12n]],
    "a row that changed meanwhile stays, one that waits is left out",
  );
  await recordLook(db, USDT, [{ addressId: one, amount: 12n, balance: 0n, retryAt: null }]);
  assert.deepEqual(await amounts(), []);
  assert.equal((await findUnswept(db, USDT, { limit: 50, now: later })).length, 1);
  assert.equal((await listUnswept(db, { ...USDT, token: "bnb" }, 50)).length, 1);
  await aDeposit(db, one, { txHash: evmHash(5), amount: 2n });
  assert.deepEqual(await amounts(), [
    [other, 6n],
    [one, 2n],
  ]);
});

test("a look among many addresses reads only the rows that it returns", async () => {
  await db.execute(sql`
    with made as (
      insert into addresses (env, network, address, account_key_id, index, path, merchant_id, purpose)
      select 'test', 'bep20', '0x' || lpad(to_hex(n), 40, '0'), account_key_id, 1000 + n, 'm', ${merchantId}, 'payment_link'
      from (select account_key_id from addresses limit 1) a, generate_series(1, 20000) n returning id)
    insert into unswept_amounts (address_id, token, env, network, amount, retry_at)
    select id, 'usdt', 'test', 'bep20', id, case when id % 2 = 0 then ${now}::timestamptz + interval '1 day' end from made`);
  await db.execute(sql`analyze unswept_amounts`);
  const listing = await planOf(database, (seen) => listUnswept(seen, USDT, 50));
  assert.match(listing, /unswept_amounts_due.*rows=50(\.00)? /);
  const due = await planOf(database, (seen) => updateDueUnswept(seen, USDT, now, 200));
  assert.match(due, /unswept_amounts_retry.*rows=\d(\.00)? /);
});
