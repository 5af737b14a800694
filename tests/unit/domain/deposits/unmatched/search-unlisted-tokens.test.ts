import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { pino } from "pino";
import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import type { UnlistedTransfer } from "#lib/chains/transfers.ts";
import { foreignDeposits, foreignSweeps } from "#lib/domain/deposits/tables.ts";
import { searchUnlistedTokens } from "#lib/domain/deposits/unmatched/search-unlisted-tokens.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { aMerchant, anAddress } from "#tests/support/unmatched.ts";
import { bep20 } from "#tests/support/watched-chain.ts";

const log = pino({ level: "silent" });
const CONTRACT = `0x${"c".repeat(40)}`;
let clock: number;
/** Final heights of the chain, and what each search requested. */
let final: number;
let asked: { from: number; to: number; addresses: readonly string[] }[];
let transfers: UnlistedTransfer[];
let refuse: (addresses: readonly string[]) => void;

/** The addresses of a real adapter on a chain that the test defines. */
function aChain(): NetworkAdapter {
  const real = bep20("http://127.0.0.1:9").find("test", "bep20");
  return {
    ...real!,
    data: { ...real!.data, isDevelopment: false },
    blocks: {
      ...real!.blocks,
      fetchHead: async () => ({ height: final + 2, hash: "h", finalizedHeight: final }),
    },
    unlistedTokens: {
      async scan({ from, to }, addresses) {
        asked.push({ from, to, addresses });
        refuse(addresses);
        return transfers.filter(
          ({ block, address }) => block.height >= from && block.height <= to && addresses.includes(address),
        );
      },
    },
  };
}

let hashes = 0;
function transfer(address: string, height: number, contract = CONTRACT): UnlistedTransfer {
  hashes += 1;
  const txHash = `0x${hashes.toString(16).padStart(64, "0")}`;
  return {
    txHash,
    position: 1,
    contract,
    address,
    sender: null,
    rawAmount: 3n,
    block: { height, hash: "b" },
  };
}

const t = await databaseOfFile();
const merchantId = await aMerchant(t.db, "shop@example.com");
const adapter = aChain();
/** A search is due this long after the one before. */
const PAUSE = 600;
await anAddress(t.db, adapter, merchantId);
beforeEach(async () => {
  await t.db.delete(foreignDeposits);
  await t.db.delete(foreignSweeps);
  clock = Date.parse("2026-03-01T12:00:00Z");
  // It begins a hundred blocks lower.
  final = 1_100;
  asked = [];
  transfers = [];
  refuse = () => {};
  await look(0);
  final = 1_000;
});

const networks = (): NetworkRegistry => ({
  find: () => adapter,
  list: () => [adapter],
  all: () => [adapter],
});
/** A search by another worker, `seconds` later. */
async function look(seconds: number): Promise<void> {
  clock += seconds * 1_000;
  const now = new Date(clock);
  await searchUnlistedTokens({ database: t.database, networks: networks(), log, now: () => now });
}
const rows = () => t.db.select().from(foreignDeposits).orderBy(foreignDeposits.id);
const ranges = () => asked.map(({ from, to }) => [from, to]);

test("asks no node before an address is allocated", async () => {
  let heads = 0;
  const fetchHead = () => {
    heads += 1;
    return adapter.blocks.fetchHead();
  };
  const unused = { ...adapter, env: "live" as const, blocks: { ...adapter.blocks, fetchHead } };
  const networks = { find: () => unused, list: () => [unused], all: () => [unused] };
  const now = () => new Date(clock);
  await searchUnlistedTokens({ database: t.database, networks, log, now });
  assert.equal(heads, 0);
});

test("a development chain is searched every five seconds", async () => {
  const development = { ...adapter, data: { ...adapter.data, isDevelopment: true } };
  const later = (ms: number) => new Date(clock + ms);
  const search = (ms: number) =>
    searchUnlistedTokens({
      database: t.database,
      networks: { ...networks(), all: () => [development] },
      log,
      now: () => later(ms),
    });
  await search(PAUSE * 1_000);
  asked = [];
  final = 1_200;
  await search(PAUSE * 1_000 + 4_999);
  assert.deepEqual(ranges(), []);
  await search(PAUSE * 1_000 + 5_000);
  assert.equal(asked.length, 1);
});

test("a search begins before the first address and reads every later final block once", async () => {
  await anAddress(t.db, adapter, merchantId);
  await look(0);
  assert.deepEqual(ranges(), []);
  final = 1_010;
  await look(PAUSE);
  await look(PAUSE - 1);
  final = 1_011;
  await look(1);
  assert.deepEqual(ranges(), [
    [1_001, 1_010],
    [1_011, 1_011],
  ]);
});

test("after a long pause it continues where it was, in limited parts", async () => {
  const { address } = await anAddress(t.db, adapter, merchantId);
  transfers = [transfer(address, 1_001), transfer(address, 12_000)];
  final = 12_000;
  for (let i = 0; i < 3; i++) await look(PAUSE);
  assert.deepEqual(ranges(), [
    [1_001, 6_000],
    [6_001, 11_000],
    [11_001, 12_000],
  ]);
  assert.equal((await rows()).length, 2);
});

test("of several workers one reads a part, and another worker reads the part of a dead one", async () => {
  await anAddress(t.db, adapter, merchantId);
  final = 1_010;
  clock += PAUSE * 1_000;
  await Promise.all([look(0), look(0), look(0)]);
  assert.equal(asked.length, 1);
  final = 1_020;
  await t.db.update(foreignSweeps).set({ nextAt: new Date(clock + 300_000) });
  await look(299);
  assert.equal(asked.length, 1);
  await look(1);
  assert.deepEqual(ranges().at(-1), [1_011, 1_020]);
});

test("a failed search moves nothing, and the next one reads the same blocks", async () => {
  const { address } = await anAddress(t.db, adapter, merchantId);
  transfers = [transfer(address, 1_005)];
  final = 1_010;
  refuse = () => {
    throw new NodeError("unreachable", "gone");
  };
  await look(PAUSE);
  assert.deepEqual(await rows(), []);
  refuse = () => {};
  await look(10);
  assert.deepEqual(await rows(), [], "it was left alone for a while");
  await look(20);
  assert.equal((await rows()).length, 1);
});

test("an address with too many transfers does not hide those of other addresses", async () => {
  const owned = [];
  for (let i = 0; i < 9; i++) owned.push(await anAddress(t.db, adapter, merchantId));
  const [flooded, ...others] = owned.map(({ address }) => address);
  transfers = others.map((address) => transfer(address, 1_005));
  final = 1_010;
  refuse = (addresses) => {
    if (addresses.includes(flooded!)) throw new NodeError("refused", "too many results");
  };
  await look(PAUSE);
  assert.equal((await rows()).length, others.length);
});

test("a node that refuses every request is not asked forever", async () => {
  for (let i = 0; i < 40; i++) await anAddress(t.db, adapter, merchantId);
  final = 1_010;
  refuse = () => {
    throw new NodeError("refused", "not on this plan");
  };
  await look(PAUSE);
  assert.ok(asked.length < 40, `${asked.length} questions`);
  const [sweep] = await t.db.select().from(foreignSweeps);
  assert.equal(sweep!.height, 1_000);
});

test("many worthless tokens become a few rows, over all searches", async () => {
  const { address } = await anAddress(t.db, adapter, merchantId);
  transfers = Array.from({ length: 40 }, (_, i) => transfer(address, 1_001 + i));
  for (const height of [1_010, 1_020, 1_040]) {
    final = height;
    await look(PAUSE);
  }
  assert.equal((await rows()).length, 5);
  transfers = Array.from({ length: 400 }, (_, i) =>
    transfer(address, 1_041, `0x${String(i).padStart(40, "0")}`),
  );
  final = 1_050;
  await look(PAUSE);
  assert.equal((await rows()).length, 50);
});

test("more addresses make the searches rarer", async () => {
  const before = (await t.db.execute<{ n: number }>("select count(*)::integer as n from addresses")).rows[0]!
    .n;
  await t.db.execute(`
    insert into addresses (env, network, address, account_key_id, index, path, merchant_id, purpose)
    select env, network, '0x' || lpad(to_hex(n), 40, '0'), account_key_id, 1000000 + n, 'm', merchant_id, purpose
    from (select * from addresses limit 1) a, generate_series(1, ${3_000 - before}) n`);
  final = 1_010;
  await look(PAUSE);
  assert.equal(asked.length, 3);
  const [sweep] = await t.db.select().from(foreignSweeps);
  assert.equal(sweep!.nextAt.getTime() - clock, PAUSE * 1_000 + 4_000);
});
