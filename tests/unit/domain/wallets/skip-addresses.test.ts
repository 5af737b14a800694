/**
 * After a restore from a backup: possibly allocated addresses have no merchant, are watched, and are not
 * allocated again.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { HDKey } from "@scure/bip32";
import { and, asc, eq } from "drizzle-orm";
import { pino } from "pino";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { listUnmatchedDeposits } from "#lib/domain/deposits/unmatched/queries.ts";
import { resolveDeposit } from "#lib/domain/deposits/unmatched/resolve-deposit.ts";
import { searchUnlistedTokens } from "#lib/domain/deposits/unmatched/search-unlisted-tokens.ts";
import { allocateAddress } from "#lib/domain/wallets/allocate-address.ts";
import { importAddresses } from "#lib/domain/wallets/import-addresses.ts";
import { listHighestIndexes } from "#lib/domain/wallets/queries.ts";
import { skipAddresses } from "#lib/domain/wallets/skip-addresses.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import { actOf, hereBy } from "#tests/support/acts.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { openTestCli } from "#tests/support/run-cli.ts";
import { solanaAddress } from "#tests/support/solana.ts";
import { aMerchant } from "#tests/support/unmatched.ts";

const log = pino({ level: "silent" });
const root = HDKey.fromMasterSeed(Buffer.alloc(32, 9));
const evmKey = root.derive("m/44'/60'/0'").publicExtendedKey;
const XRP_ACCOUNT = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh";
const common = { rpcUrls: ["http://127.0.0.1:9"], zmqUrl: null, chainId: null, contracts: {} };
const registry = openNetworks(
  (
    [
      ["bep20", evmKey],
      ["erc20", evmKey],
      ["bitcoin", root.derive("m/84'/0'/0'").publicExtendedKey],
      ["trc20", root.derive("m/44'/195'/0'").publicExtendedKey],
      ["xrp", XRP_ACCOUNT],
      ["solana", ""],
    ] as const
  ).map(([network, accountKey]) => ({ ...common, env: "live", network, accountKey })),
  { log },
);
const adapterOf = (network: NetworkCode): NetworkAdapter => registry.find("live", network)!;

const t = await databaseOfFile();
const merchantId = await aMerchant(t.db, "shop@example.com");

const skip = (network: NetworkCode, to: number, adapter = adapterOf(network)) =>
  t.db.transaction((tx) => skipAddresses(hereBy(tx), { adapter, to }));
const allocate = (network: NetworkCode) =>
  t.db.transaction((tx) =>
    allocateAddress(tx, adapterOf(network), { merchantId, purpose: "customer", customerId: null }),
  );
const skippedOn = (network: NetworkCode) =>
  t.db
    .select({ index: addresses.index, address: addresses.address, path: addresses.path })
    .from(addresses)
    .where(and(eq(addresses.network, network), eq(addresses.purpose, "skipped")))
    .orderBy(asc(addresses.index));
const cli = openTestCli(() => ({
  DATABASE_URL: t.url,
  LIVE_TRC20_XPUB: adapterOf("trc20").accountKey,
  LIVE_TRC20_RPC_URL: "http://127.0.0.1:9",
}));

for (const network of ["bep20", "bitcoin", "xrp"] as const) {
  test(`${network}: continues after the skipped addresses, which are the next ones of the counter`, async () => {
    const allocated = await allocate(network);
    assert.deepEqual(await skip(network, allocated.index + 3), {
      ok: true,
      skipped: 3,
      nextIndex: allocated.index + 4,
    });
    const next = await allocate(network);
    assert.equal(next.index, allocated.index + 4);
    const adapter = adapterOf(network);
    const expected = [1, 2, 3].map((more) => {
      const { address, path } = adapter.addresses.derive(allocated.index + more);
      return { index: allocated.index + more, address: adapter.addresses.canonicalize(address), path };
    });
    assert.deepEqual(await skippedOn(network), expected);
    const highest = (await listHighestIndexes(t.db)).find((row) => row.network === network);
    assert.equal(highest?.index, next.index);
  });
}

test("skips addresses of an unused key and counts them for no merchant", async () => {
  const key = root.derive("m/44'/60'/7'").publicExtendedKey;
  const [fresh] = openNetworks([{ ...common, env: "live", network: "base", accountKey: key }], { log }).all();
  assert.deepEqual(await skip("base", 0, fresh), { ok: true, skipped: 1, nextIndex: 1 });
  const { rows } = await t.database.pool.query(
    "select count(*)::int as n from address_counts where network = 'base'",
  );
  assert.equal(rows[0].n, 0);
});

test("refuses indexes that are allocated, skipped or too far ahead, and writes nothing", async () => {
  const { index } = await allocate("bep20");
  const before = await skippedOn("bep20");
  assert.deepEqual(await skip("bep20", index), { ok: false, reason: "index_allocated" });
  assert.deepEqual(await skip("bep20", index + 5_001), { ok: false, reason: "too_many_skipped" });
  assert.deepEqual(await skippedOn("bep20"), before);
  // A key that several networks share has one counter.
  assert.deepEqual(await skip("erc20", index), { ok: false, reason: "index_allocated" });
  const test = openNetworks([{ ...common, env: "test", network: "bep20", accountKey: evmKey }], {
    log,
  }).all();
  assert.deepEqual(await skip("bep20", index + 1, test[0]), { ok: false, reason: "account_in_other_env" });
  assert.equal((await allocate("bep20")).index, index + 1);
});

const put = (env: Env, many: number) => {
  const text = Array.from({ length: many }, (_, n) => solanaAddress(n)).join("\n");
  return t.db.transaction((tx) => importAddresses(hereBy(tx), { env, network: "solana", text }));
};

test("skips imported addresses of a pool, and refuses to skip more than were imported", async () => {
  await put("live", 3);
  assert.deepEqual(await skip("solana", 3), { ok: false, reason: "pool_too_small" });
  assert.deepEqual(await skip("solana", 1), { ok: true, skipped: 2, nextIndex: 2 });
  assert.deepEqual(
    (await skippedOn("solana")).map(({ index, address }) => [index, address]),
    [0, 1].map((n) => [n, solanaAddress(n)]),
  );
  assert.equal((await allocate("solana")).address, solanaAddress(2));
});

test("skips so many addresses ahead, of a pool those that are left", async () => {
  const ahead = (network: NetworkCode, many: number) =>
    t.db.transaction((tx) => skipAddresses(hereBy(tx), { adapter: adapterOf(network), ahead: many }));
  const { index } = await allocate("bitcoin");
  assert.deepEqual(await ahead("bitcoin", 4), { ok: true, skipped: 4, nextIndex: index + 5 });
  assert.equal((await allocate("bitcoin")).index, index + 5);
  await put("live", 5);
  for (const skipped of [2, 0])
    assert.deepEqual(await ahead("solana", 100), { ok: true, skipped, nextIndex: 5 });
  assert.deepEqual(await ahead("bitcoin", 5_001), { ok: false, reason: "too_many_skipped" });
});

test("lists an unlisted token at a skipped address without a merchant", async () => {
  const [{ address } = { address: "" }] = await skippedOn("bep20");
  const heights = [10, 20];
  const adapter: NetworkAdapter = {
    ...adapterOf("bep20"),
    blocks: {
      ...adapterOf("bep20").blocks,
      fetchHead: async () => ({ height: heights[0]!, hash: "h", finalizedHeight: heights.shift()! }),
    },
    unlistedTokens: {
      scan: async () => [
        {
          ...{ txHash: `0x${"1".repeat(64)}`, position: 0, contract: `0x${"c".repeat(40)}`, address },
          ...{ sender: null, rawAmount: 5n, block: { height: 15, hash: "b" } },
        },
      ],
    },
  };
  const networks = { find: () => adapter, list: () => [adapter], all: () => [adapter] };
  for (const minute of [0, 1]) {
    const now = () => new Date(Date.parse("2026-03-01T12:00:00Z") + minute * 60_000);
    await searchUnlistedTokens({ database: t.database, networks, log, now });
  }
  const { rows } = await t.database.pool.query(
    "select f.merchant_id, a.address from foreign_deposits f join addresses a on a.id = f.address_id",
  );
  assert.deepEqual(rows, [{ merchant_id: null, address }]);
  const [listed] = await listUnmatchedDeposits(t.db, "live", null, { before: null, limit: 10 });
  assert.deepEqual([listed?.reason, listed?.merchantEmail], ["unknown_token", null]);
  const resolved = await t.db.transaction((tx) =>
    resolveDeposit(actOf(tx, merchantId, { env: "live" }), { networks, id: listed!.id }),
  );
  assert.deepEqual(resolved.ok && resolved.credited, null);
});

test("prints and audits what the command did and who ran it", async () => {
  const line = "addresses skip --network trc20 --to";
  const done = await cli.answer(`${line} 4`);
  assert.deepEqual(done, { env: "live", network: "trc20", skipped: 5, next_index: 5 });
  await cli.refuses({
    [`${line} 4`]: "--to is already allocated or skipped: the next address comes after it",
    "addresses skip --network bitcoin --to 4": "the network is off here: it has no node or no account key",
  });
  await cli.misuses(/It must be a whole number/, `${line} next`);
  const entries = await t.db.select().from(auditLog).where(eq(auditLog.subject, "addresses:live:trc20"));
  assert.deepEqual(
    entries.map(({ action, details }) => [action, details]),
    [["addresses.skip", { skipped: 5, to: 4 }]],
  );
  assert.match(entries[0]!.actor, /^operator:/);
});
