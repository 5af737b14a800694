import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { base58 } from "@scure/base";
import { eq, sql } from "drizzle-orm";
import { pino } from "pino";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { allocateAddress, PoolEmptyError } from "#lib/domain/wallets/allocate-address.ts";
import { importAddresses } from "#lib/domain/wallets/import-addresses.ts";
import { parsePoolFile, poolLevel } from "#lib/domain/wallets/pool-rules.ts";
import { listExportedAddresses, listPoolStatuses } from "#lib/domain/wallets/queries.ts";
import { accountKeys, addresses, poolAddresses } from "#lib/domain/wallets/tables.ts";
import { createAddressAlert } from "#lib/domain/wallets/watch-addresses.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { hereBy } from "#tests/support/acts.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { solanaAddress, tokenAccountOf, USDT_MINT } from "#tests/support/solana.ts";
import { aMerchant } from "#tests/support/unmatched.ts";

const log = pino({ level: "silent" });
const registry = openNetworks(
  (["live", "test"] as const).map((env) => ({
    ...{ env, network: "solana", rpcUrls: ["http://127.0.0.1:1"], accountKey: "" },
    ...{ zmqUrl: null, chain: null, chainId: null, contracts: {} },
  })),
  { log },
);

const t = await databaseOfFile();
const wide = openDatabase(t.url, { max: 50 });
const merchantId = await aMerchant(t.db, "shop@example.com");
after(() => wide.close());

const put = (text: string, env: Env = "test") =>
  t.db.transaction((tx) => importAddresses(hereBy(tx), { env, network: "solana", text }));
const refused = (problems: string[]) => ({ ok: false, reason: "addresses_not_importable", problems });
const owner = () => ({ merchantId, purpose: "merchant", customerId: null }) as const;
const allocate = (env: Env = "test", adapter: NetworkAdapter = registry.find(env, "solana")!) =>
  wide.db.transaction((tx) => allocateAddress(tx, adapter, owner()));
const poolStatus = async (env: Env = "test") => {
  const found = (await listPoolStatuses(t.db)).find((pool) => pool.env === env);
  return found && { size: found.size, left: found.left };
};
/** Resets the environment's pool to the state before any import. */
async function forget(): Promise<void> {
  await t.db.delete(addresses).where(eq(addresses.network, "solana"));
  await t.db.delete(poolAddresses);
  await t.database.pool.query("delete from account_keys where key like 'pool:%'");
}

test("allocates pool addresses in file order, each once, with the path of the file", async () => {
  await forget();
  await assert.rejects(allocate(), PoolEmptyError);
  const lines = [`${solanaAddress(0)} m/44'/501'/0'/0'`, "", "# a remark", solanaAddress(1)];
  const done = await put(`${lines.join("\r\n")}\n`);
  assert.deepEqual(done, { ok: true, imported: 2, known: 0, repeated: 0, size: 2, left: 2 });
  const allocated = [await allocate(), await allocate()];
  assert.deepEqual(
    allocated.map(({ address, index, path }) => [address, index, path]),
    [
      [solanaAddress(0), 0, "m/44'/501'/0'/0'"],
      [solanaAddress(1), 1, "imported"],
    ],
  );
  await assert.rejects(allocate(), PoolEmptyError);
  assert.deepEqual(await poolStatus(), { size: 2, left: 0 });
  const exported = await listExportedAddresses(t.db, "test", "solana");
  assert.deepEqual(
    exported.map(({ address, path }) => [address, path]),
    allocated.map(({ address, path }) => [address, path]),
  );
});

test("keeps known addresses in place on a repeated import and appends the others", async () => {
  await forget();
  await put([solanaAddress(0), solanaAddress(1)].join("\n"));
  await allocate();
  const again = await put([0, 2, 1, 2, 3].map(solanaAddress).join("\n"));
  assert.deepEqual(again, { ok: true, imported: 2, known: 2, repeated: 1, size: 4, left: 3 });
  assert.deepEqual(await put(solanaAddress(3)), {
    ok: true,
    imported: 0,
    known: 1,
    repeated: 0,
    size: 4,
    left: 3,
  });
  const rest = [await allocate(), await allocate(), await allocate()];
  assert.deepEqual(
    rest.map(({ address }) => address),
    [1, 2, 3].map(solanaAddress),
  );
});

test("refuses a file with an invalid line as a whole and reports each line", async () => {
  await forget();
  const short = solanaAddress(0).slice(0, -4);
  const tokenAccount = await tokenAccountOf(solanaAddress(0), USDT_MINT);
  const bad = [
    short,
    solanaAddress(0).toLowerCase(),
    "0x9858EfFD232B4033E47d90003D41EC34EcaEda94",
    `${solanaAddress(0)} third`,
    tokenAccount,
    "11111111111111111111111111111111",
  ];
  const done = await put([solanaAddress(1), ...bad].join("\n"));
  const reported = ("problems" in done && done.problems) || [];
  assert.equal(reported.length, bad.length, reported.join("; "));
  assert.match(reported[0] ?? "", /^line 2 is not a valid address$/);
  assert.match(reported[3] ?? "", /^line 5 has text after the address that is not a path$/);
  for (const line of [6, 7])
    assert.ok(reported.some((text) => text.startsWith(`line ${line} is the address of a`)));
  assert.deepEqual(await t.db.select().from(poolAddresses), []);
  assert.deepEqual(await put("\n# nothing\n"), refused(["the file has no address"]));
});

test("never shares an address between the two environments", async () => {
  await forget();
  await put(solanaAddress(0), "live");
  const done = await put([solanaAddress(5), solanaAddress(0)].join("\n"), "test");
  assert.deepEqual(done, refused(["lines 2 are in the pool of the other environment"]));
  await put(solanaAddress(5), "test");
  assert.equal((await allocate("test")).address, solanaAddress(5));
  await assert.rejects(allocate("test"), PoolEmptyError);
  assert.equal((await allocate("live")).address, solanaAddress(0));
});

test("allocates each pool address once to concurrent callers, and none when the pool is empty", async () => {
  await forget();
  const pool = Array.from({ length: 30 }, (_, i) => solanaAddress(i));
  await put(pool.join("\n"));
  const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => allocate()));
  const allocated = outcomes.flatMap((one) => (one.status === "fulfilled" ? one.value.address : []));
  const failed = outcomes.flatMap((one) => (one.status === "rejected" ? one.reason : []));
  assert.deepEqual(allocated.toSorted(), pool.toSorted());
  assert.equal(failed.length, 10);
  assert.ok(failed.every((error) => error instanceof PoolEmptyError));
  assert.deepEqual(await poolStatus(), { size: 30, left: 0 });
});

test("refuses an address of an empty pool without a wait for its counter", async () => {
  await forget();
  await put(solanaAddress(0));
  await allocate();
  await t.db.transaction(async (tx) => {
    await tx.execute(sql`select from ${accountKeys} for update`);
    await assert.rejects(allocate(), PoolEmptyError);
  });
});

test("frees the address of a rolled back call, and keeps concurrent imports complete", async () => {
  await forget();
  await put(Array.from({ length: 10 }, (_, i) => solanaAddress(i)).join("\n"));
  const adapter = registry.find("test", "solana")!;
  const undone = wide.db.transaction(async (tx) => {
    await allocateAddress(tx, adapter, owner());
    throw new Error("undone");
  });
  await assert.rejects(undone, /undone/);
  assert.equal((await allocate()).address, solanaAddress(0));
  const more = Array.from({ length: 10 }, (_, i) => put(solanaAddress(100 + (i % 5))));
  const allocated = Array.from({ length: 9 }, () => allocate());
  await Promise.all([...more, ...allocated]);
  assert.deepEqual(await poolStatus(), { size: 15, left: 5 });
  const rest = await Promise.all(Array.from({ length: 5 }, () => allocate()));
  assert.equal(new Set(rest.map(({ address }) => address)).size, 5);
});

test("warns of a low pool once and every hour, logs an error for an empty pool, and is silent after an import", async () => {
  await forget();
  const lines: { level: number; left: number; msg: string }[] = [];
  const written = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const only = { ...registry, all: () => [registry.find("test", "solana")!] };
  const alarm = createAddressAlert({ db: t.db, networks: only, log: written });
  const start = new Date("2026-01-01T00:00:00Z");
  const at = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
  await alarm(at(0));
  await put(Array.from({ length: 20 }, (_, i) => solanaAddress(i)).join("\n"));
  await alarm(at(1));
  for (let i = 0; i < 18; i++) await allocate();
  await alarm(at(2));
  await alarm(at(61));
  await alarm(at(62));
  await allocate();
  await allocate();
  await alarm(at(63));
  await put(Array.from({ length: 20 }, (_, i) => solanaAddress(50 + i)).join("\n"));
  await alarm(at(64));
  assert.deepEqual(
    lines.map(({ level, left }) => [level, left]),
    [
      [50, 0],
      [40, 2],
      [40, 2],
      [50, 0],
    ],
  );
  assert.match(lines[1]?.msg ?? "", /address pool is low/);
});

test("warns of a merchant near its limit of unpaid addresses, and logs an error when the limit is reached", async () => {
  const lines: { level: number; network: string; unpaid: number; limit: number }[] = [];
  const written = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const alert = createAddressAlert({ db: t.db, networks: { ...registry, all: () => [] }, log: written });
  const set = (count: number) =>
    t.database.pool.query(
      `insert into address_counts values ($1, 'live', 'bitcoin', $2)
        on conflict (merchant_id, env, network) do update set count = $2`,
      [merchantId, count],
    );
  const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes));
  for (const [minute, count] of [7_999, 8_000, 8_100, 10_000].entries()) {
    await set(count);
    await alert(at(minute));
  }
  await alert(at(62));
  await alert(at(63));
  await t.database.pool.query("insert into paid_address_counts values ($1, 'live', 'tron', 3)", [merchantId]);
  await alert(at(64));
  assert.deepEqual(
    lines.map(({ level, network, unpaid, limit }) => [level, network, unpaid, limit]),
    [
      [40, "bitcoin", 8_000, 10_000],
      [50, "bitcoin", 10_000, 10_000],
      [50, "bitcoin", 10_000, 10_000],
    ],
  );
  await t.database.pool.query("delete from address_counts; delete from paid_address_counts");
});

test("calls a pool low at a tenth, and at most at a hundred addresses", () => {
  const levels = [
    [10, 10, "well"],
    [10, 1, "low"],
    [10, 0, "empty"],
    [0, 0, "empty"],
    [1_000, 101, "well"],
    [1_000, 100, "low"],
    [100_000, 101, "well"],
    [100_000, 100, "low"],
  ] as const;
  for (const [size, left, level] of levels)
    assert.equal(poolLevel({ size, left }), level, `${left} of ${size}`);
});

test("reads a file to its last line and reports the first twenty problems", () => {
  const junk = Array.from({ length: 50 }, () => base58.encode(randomBytes(20))).join("\n");
  assert.equal(parsePoolFile(junk, () => "is not a valid address").problems.length, 20);
  const text = Array.from({ length: 100_001 }, (_, i) => `a${i}`).join("\n");
  assert.deepEqual(parsePoolFile(text, () => null).problems, ["the file has more than 100000 addresses"]);
});
