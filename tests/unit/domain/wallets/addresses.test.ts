import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { HDKey } from "@scure/bip32";
import { openEvmAdapter } from "#lib/chains/evm/evm-adapter.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { getAddressUse } from "#lib/domain/wallets/address-limit-store.ts";
import { allocateAddress } from "#lib/domain/wallets/allocate-address.ts";
import {
  listAccountIdentities,
  listExportedAddresses,
  listHighestIndexes,
  listKnownAddresses,
} from "#lib/domain/wallets/queries.ts";
import { accountKeys } from "#lib/domain/wallets/tables.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { testDatabase } from "#tests/support/database.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { planOf } from "#tests/support/plan-of.ts";
import { aMerchant } from "#tests/support/unmatched.ts";

let seed = 0;
let adapter: NetworkAdapter;

function adapterFor(env: Env, accountKey: string): NetworkAdapter {
  const rpcUrls = ["http://127.0.0.1:1"];
  const config = {
    env,
    network: "bep20",
    rpcUrls,
    accountKey,
    zmqUrl: null,
    chainId: null,
    contracts: {},
  } as const;
  return openEvmAdapter(config, NETWORKS.bep20);
}

const t = await databaseOfFile();
const wide = openDatabase(t.url, { max: 50 });
const merchantId = await aMerchant(t.db, "shop@example.com");
after(() => wide.close());
beforeEach(() => {
  seed++;
  const account = HDKey.fromMasterSeed(new Uint8Array(64).fill(seed)).derive("m/44'/60'/0'");
  adapter = adapterFor("live", account.publicExtendedKey);
});

const owner = () => ({ merchantId, purpose: "payment_link", customerId: null }) as const;
const allocate = () => wide.db.transaction((tx) => allocateAddress(tx, adapter, owner()));

test("allocates addresses in order from index 0, derived from the account key", async () => {
  const first = await allocate();
  const second = await allocate();
  assert.deepEqual([first.index, second.index], [0, 1]);
  for (const one of [first, second]) {
    const derived = adapter.addresses.derive(one.index);
    assert.equal(one.address, adapter.addresses.canonicalize(derived.address));
    assert.equal(one.path, derived.path);
  }
});

test("allocates distinct consecutive indexes to fifty concurrent callers of a new key", async () => {
  const allocated = await Promise.all(Array.from({ length: 50 }, allocate));
  const indexes = allocated.map(({ index }) => index).sort((a, b) => a - b);
  assert.deepEqual(
    indexes,
    Array.from({ length: 50 }, (_, i) => i),
  );
  assert.equal(new Set(allocated.map(({ address }) => address)).size, 50);
});

test("frees the index of a rolled back call, also while other calls wait", async () => {
  await allocate();
  const attempts = Array.from({ length: 20 }, (_, i) =>
    wide.db.transaction(async (tx) => {
      const allocated = await allocateAddress(tx, adapter, owner());
      if (i % 2 === 1) throw new Error("refused");
      return allocated;
    }),
  );
  const kept = (await Promise.allSettled(attempts)).flatMap((result) =>
    result.status === "fulfilled" ? [result.value.index] : [],
  );
  assert.deepEqual(
    kept.sort((a, b) => a - b),
    Array.from({ length: 10 }, (_, i) => i + 1),
  );
  assert.equal((await allocate()).index, 11);
});

test("refuses a key that was used in the other environment", async () => {
  await allocate();
  const other = adapterFor("test", adapter.accountKey);
  await assert.rejects(
    t.db.transaction((tx) => allocateAddress(tx, other, owner())),
    /account key of test bep20 was used in live/,
  );
  assert.equal((await allocate()).index, 1);
});

test("finds our addresses by canonical form, only in their network and environment", async () => {
  const mine = await allocate();
  const theirs = `0x${"12".repeat(20)}`;
  const found = await listKnownAddresses(t.db, "live", "bep20", [theirs, mine.address, mine.address]);
  assert.equal(found.length, 1);
  assert.deepEqual(
    { ...found[0], createdAt: null },
    {
      ...mine,
      env: "live",
      network: "bep20",
      merchantId,
      purpose: "payment_link",
      customerId: null,
      createdAt: null,
    },
  );
  assert.deepEqual(await listKnownAddresses(t.db, "test", "bep20", [mine.address]), []);
  assert.deepEqual(await listKnownAddresses(t.db, "live", "bep20", []), []);
});

test("finds the addresses of a whole block with one query that uses the index", async () => {
  const fresh = await testDatabase({ isNew: true });
  await fresh.database.pool.query(`insert into account_keys (env, key) values ('live', 'of bep20');
    insert into addresses (env, network, address, account_key_id, index, path, merchant_id, purpose)
      select env, 'bep20', '0x' || lpad(n::text, 40, 'a'), id, n, '', null, 'skipped' from account_keys, generate_series(1, 20000) n;
    analyze addresses`);
  const strangers = (count: number) =>
    Array.from({ length: count }, (_, i) => `0x${i.toString(16).padStart(40, "0")}`);
  assert.deepEqual(await listKnownAddresses(fresh.db, "live", "bep20", strangers(20_000)), []);
  const plan = await planOf(fresh, (db) => listKnownAddresses(db, "live", "bep20", strangers(50)));
  assert.match(plan, /Index Scan .*addresses_identity/);
  assert.doesNotMatch(plan, /Rows Removed/);
  await fresh.close();
});

test("includes every allocated address in the highest index and the export", async () => {
  const fresh = await testDatabase();
  const [row] = await fresh.db
    .insert(merchants)
    .values({ email: "shop@example.com", name: "Shop" })
    .returning({ id: merchants.id });
  const mine = { merchantId: row!.id, purpose: "merchant", customerId: null } as const;
  assert.deepEqual(await listHighestIndexes(fresh.db), []);
  const allocated = [];
  for (let i = 0; i < 3; i++) {
    allocated.push(await fresh.db.transaction((tx) => allocateAddress(tx, adapter, mine)));
  }
  assert.deepEqual(await listHighestIndexes(fresh.db), [{ env: "live", network: "bep20", index: 2 }]);
  const exported = await listExportedAddresses(fresh.db, "live");
  assert.deepEqual(
    exported.map(({ id, address, index, path }) => ({ id, address, index, path })),
    allocated,
  );
  assert.deepEqual(await listExportedAddresses(fresh.db, "live", "bep20"), exported);
  assert.deepEqual(await listExportedAddresses(fresh.db, "test"), []);
  const [key] = await fresh.db.select().from(accountKeys);
  const { publicKey, chainCode } = HDKey.fromExtendedKey(adapter.accountKey);
  const identity = Buffer.concat([publicKey!, chainCode!]).toString("hex");
  assert.deepEqual([key?.key, key?.nextIndex], [identity, 3]);
  await fresh.close();
});

test("finds the accounts of a network by one address of each key, however many the others have", async () => {
  const fresh = await testDatabase({ isNew: true });
  await fresh.database.pool.query(`insert into account_keys (env, key)
      values ('live', 'of bep20'), ('live', 'of xrp'), ('live', 'of xrp before'), ('live', 'of none'), ('test', 'of xrp in test');
    insert into addresses (env, network, address, account_key_id, index, path, merchant_id, purpose)
      select k.env, case when k.key like 'of xrp%' then 'xrp' else 'bep20' end, k.key || n, k.id, n, '', null, 'skipped'
      from account_keys k, generate_series(-1, 20000) n
      where (k.key <> 'of none') and (k.key = 'of bep20' or n between 0 and 50);
    analyze account_keys, addresses`);
  const scope = { env: "live", network: "xrp" } as const;
  assert.deepEqual(await listAccountIdentities(fresh.db, scope), ["of xrp", "of xrp before"]);
  const plan = await planOf(fresh, (db) => listAccountIdentities(db, scope));
  assert.doesNotMatch(plan, /Seq Scan on addresses/);
  for (const [, rows] of plan.matchAll(/\(actual rows=([0-9]+)/g)) assert.ok(Number(rows) <= 5, plan);
  for (const [, rows] of plan.matchAll(/Rows Removed by Filter: ([0-9]+)/g))
    assert.ok(Number(rows) <= 5, plan);
  await fresh.close();
});

test("reads the limit of a merchant from kept counts, along their keys", async () => {
  const fresh = await testDatabase({ isNew: true });
  await fresh.database.pool.query(`insert into merchants (email, name)
      select n || '@example.com', 'Shop' from generate_series(1, 10000) n;
    insert into address_counts select id, 'live', network, 1000 from merchants, (select distinct network from network_settings) n;
    insert into paid_address_counts select * from address_counts;
    analyze address_counts, paid_address_counts, merchants`);
  const use = { env: "live", network: "bitcoin", merchantId: 5_000 } as const;
  const plan = await planOf(fresh, (db) => getAddressUse(db, use));
  assert.doesNotMatch(plan, /Seq Scan on (?!network_settings|merchants)/);
  assert.doesNotMatch(plan, /on addresses/);
  for (const [, rows] of plan.matchAll(/\(actual rows=([0-9]+)/g)) assert.ok(Number(rows) <= 18, plan);
  await fresh.close();
});
