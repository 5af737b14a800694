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

const database = await databaseOfFile({ isNew: true });
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
  const found = [
    { addressId: one, amount: 11n, balance: 0n, retryAt: null },
    { addressId: other, amount: 6n, balance: 6n, retryAt: later },
  ];
  await recordLook(db, USDT, found, now);
  assert.deepEqual(
    await amounts(),
    [[one, 12n]],
    "a row that changed meanwhile stays, one that waits is left out",
  );
  await recordLook(db, USDT, [{ addressId: one, amount: 12n, balance: 0n, retryAt: null }], now);
  assert.deepEqual(await amounts(), []);
  assert.equal((await findUnswept(db, USDT, { limit: 50, now: later })).length, 1);
  assert.equal((await listUnswept(db, { ...USDT, token: "bnb" }, 50)).length, 1);
  await aDeposit(db, one, { txHash: evmHash(5), amount: 2n });
  assert.deepEqual(await amounts(), [
    [other, 6n],
    [one, 2n],
  ]);
});

test("an address of several networks is listed for each with what it received there, and a look changes its own alone", async () => {
  const { id } = await anAddress(db, adapter, merchantId);
  const ETH = { env: "test", network: "bep20", token: "eth" } as const;
  const BASE = { ...ETH, network: "base" } as const;
  const amountsOf = async (of: typeof ETH | typeof BASE, at: Date) =>
    (await findUnswept(db, of, { limit: 50, now: at })).map(({ amount }) => amount);
  const elsewhere = {
    token: "eth",
    network: "base",
    status: "held",
    unmatchedReason: "other_network",
  } as const;
  const before = new Date(now.getTime() - 5 * 3_600_000);
  await aDeposit(db, id, { ...elsewhere, txHash: evmHash(9), amount: 1n, confirmedAt: before });
  await aDeposit(db, id, { token: "eth", txHash: evmHash(10), amount: 500n, confirmedAt: now });
  assert.deepEqual([await amountsOf(ETH, now), await amountsOf(BASE, now)], [[500n], [1n]]);

  const later = new Date(now.getTime() + 60_000);
  await recordLook(db, ETH, [{ addressId: id, amount: 500n, balance: 500n, retryAt: later }], now);
  assert.deepEqual([await amountsOf(ETH, now), await amountsOf(BASE, now)], [[], [1n]]);
  await recordLook(db, BASE, [{ addressId: id, amount: 1n, balance: 1n, retryAt: later }], now);
  assert.deepEqual([await amountsOf(BASE, later), await listUnswept(db, ETH, 50)], [[1n], []]);
  // The credit on the other network is new, which proves nothing about this one.
  await recordLook(db, BASE, [{ addressId: id, amount: 1n, balance: 0n, retryAt: null }], later);
  assert.deepEqual([await amountsOf(ETH, later), await amountsOf(BASE, later)], [[500n], []]);
  const { rows } = await db.execute(sql`select network from unswept_amounts where address_id = ${id}`);
  assert.deepEqual(rows, [{ network: "bep20" }]);
});

test("an older balance that a node names soon after a deposit is not believed, unless a sweep explains it", async () => {
  const BUSD = { env: "test", network: "bep20", token: "busd" } as const;
  const { id } = await anAddress(db, adapter, merchantId);
  await aDeposit(db, id, { txHash: evmHash(8), amount: 25n, token: "busd", confirmedAt: now });
  const at = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
  const list = async (minutes: number) =>
    (await findUnswept(db, BUSD, { limit: 50, now: at(minutes) })).map(({ amount }) => amount);
  const find = (minutes: number, balance: bigint, sweptAt: Date | null) =>
    recordLook(db, BUSD, [{ addressId: id, amount: 25n, balance, retryAt: null, sweptAt }], at(minutes));
  await find(1, 5n, null);
  assert.deepEqual([await list(2), await list(32)], [[], [25n]]);
  // A sweep before the deposit did not take it.
  await find(32, 0n, at(-1));
  assert.deepEqual([await list(33), await list(63)], [[], [25n]]);
  await find(63, 5n, at(60));
  assert.deepEqual(await list(64), [5n]);
});

test("an address that a node calls empty soon after its deposit is looked at again until the deposit is old", async () => {
  const USDC = { env: "test", network: "bep20", token: "usdc" } as const;
  const { id } = await anAddress(db, adapter, merchantId);
  const credited = new Date(now.getTime() - 60_000);
  await aDeposit(db, id, { txHash: evmHash(6), amount: 5n, token: "usdc", confirmedAt: credited });
  const after = (minutes: number) => new Date(credited.getTime() + minutes * 60_000);
  const list = async (minutes: number) =>
    (await findUnswept(db, USDC, { limit: 50, now: after(minutes) })).map(({ amount }) => amount);
  const findEmpty = (minutes: number) =>
    recordLook(db, USDC, [{ addressId: id, amount: 5n, balance: 0n, retryAt: null }], after(minutes));
  const looks = [];
  for (let minute = 1; minute < 2_000; minute++) {
    const listed = await list(minute);
    if (listed.length === 0) continue;
    assert.deepEqual(listed, [5n], "it keeps its amount");
    looks.push(minute);
    await findEmpty(minute);
  }
  assert.deepEqual(looks, [1, 31, 61, 91, 121, 151, 181]);
  const { rows } = await db.execute(sql`select 1 from unswept_amounts where address_id = ${id}`);
  assert.equal(rows.length, 0);
  await aDeposit(db, id, { txHash: evmHash(7), amount: 3n, token: "usdc", confirmedAt: after(2_000) });
  assert.deepEqual(await list(2_000), [3n]);
});

test("a look among many addresses reads only the rows that it returns", async () => {
  await db.execute(sql`
    with made as (
      insert into addresses (env, network, address, account_key_id, index, path, merchant_id, purpose)
      select 'test', 'bep20', '0x' || lpad(to_hex(n), 40, '0'), account_key_id, 1000 + n, 'm', ${merchantId}, 'payment_link'
      from (select account_key_id from addresses limit 1) a, generate_series(1, 20000) n returning id)
    insert into unswept_amounts (address_id, token, env, network, amount, retry_at)
    select id, 'usdt', 'test', 'bep20', id, case when id % 2 = 0 then ${now}::timestamptz + interval '1 day' end from made`);
  await db.execute(sql`analyze unswept_amounts, addresses`);
  const listing = await planOf(database, (seen) => listUnswept(seen, USDT, 50));
  assert.match(listing, /unswept_amounts_due.*rows=50(\.00)? /);
  const due = await planOf(database, (seen) => updateDueUnswept(seen, USDT, now, 200));
  assert.match(due, /unswept_amounts_retry.*rows=\d(\.00)? /);
});
