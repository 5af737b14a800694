import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { pino } from "pino";
import { confirmDeposits } from "#lib/domain/deposits/record/confirm-deposits.ts";
import { recordScan, type Scan } from "#lib/domain/deposits/record/record-scan.ts";
import { deposits, watchCursors } from "#lib/domain/deposits/tables.ts";
import type { TransferObservation } from "#lib/domain/deposits/types.ts";
import { countUnmatched } from "#lib/domain/deposits/unmatched/many-queries.ts";
import { listUnmatchedDeposits } from "#lib/domain/deposits/unmatched/queries.ts";
import { countOpenUnmatched } from "#lib/domain/deposits/unmatched/store.ts";
import { watchCounters } from "#lib/domain/deposits/watch-metrics.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { mailSettings, mails } from "#lib/domain/mail/tables.ts";
import type { UnmatchedMailData } from "#lib/domain/mail/types.ts";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import type { DepositStatus } from "#lib/domain/types.ts";
import { webhookEvents } from "#lib/domain/webhooks/tables.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { evmHash } from "#tests/support/deposits.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";
import { planOf } from "#tests/support/plan-of.ts";
import { aMerchant, anAddress, SENDER } from "#tests/support/unmatched.ts";
import { bep20 } from "#tests/support/watched-chain.ts";

const UNIT = 10n ** 18n;
const NOW = new Date("2026-03-01T12:00:00.250Z");
const scope = { env: "test", network: "bep20" } as const;
const lines: Record<string, unknown>[] = [];
const log = pino({ level: "warn" }, { write: (line: string) => lines.push(JSON.parse(line)) });
const networks = bep20("http://127.0.0.1:9");
/** The chain as the node shows it: blocks by height. */
const chain = new Map<number, string>();
const real = networks.find("test", "bep20")!;
const adapter = {
  ...real,
  blocks: { ...real.blocks, fetchHash: async (height: number) => chain.get(height) ?? null },
};
let height = 100;

const t = await databaseOfFile({ isNew: true });
const merchantId = await aMerchant(t.db, "owner@example.com");
await t.db
  .insert(watchCursors)
  .values({ ...scope, height, hash: evmHash(height), nodeHeight: height, updatedAt: NOW });
chain.set(height, evmHash(height));
await t.db.insert(mailSettings).values({ merchantId, env: "test", kinds: ["unmatched"] });

const newAddress = async () => (await anAddress(t.db, adapter, merchantId)).id;

/** A transfer of USDT to an address that was not asked for USDT. */
const wrong = (addressId: number, position: number, amount: bigint, changes = {}): TransferObservation => ({
  ...{ addressId, merchantId, position, amount, txHash: evmHash(height * 1_000_000), token: "usdt" },
  ...{ sender: SENDER, spends: [], unmatchedReason: "other_token" },
  block: { height: height + 1, hash: evmHash(height + 1), time: NOW },
  ...changes,
});
const dust = (addressId: number, count: number, changes = {}) =>
  Array.from({ length: count }, (_, i) => wrong(addressId, i, 1n + BigInt(i), changes));

/** Records a block with these transfers and holds what is confirmed. `fork`: it replaces the cursor's block. */
async function record(observations: readonly TransferObservation[], fixed = "usdt/usd=1,bnb/usd=600") {
  const rates = openRates({ fixed, log });
  const paymentLinks = { db: t.db, networks, rates, settings: { sendsMail: true } as never };
  const watch = { ...scope, adapter, database: t.database, paymentLinks, log, ...openManualClock(NOW) };
  const scan = async (some: Pick<Scan, "to" | "blocks" | "fork"> & Partial<Scan>) => {
    const [at] = await t.db.select().from(watchCursors);
    const from = { height: at!.height, hash: at!.hash };
    const all = { from, nodeHeight: some.to.height, observations, mempool: null, ...some };
    assert.notEqual(await recordScan(watch, all, new Set(), NOW), null);
  };
  const confirm = async () => {
    const [at] = await t.db.select().from(watchCursors);
    await confirmDeposits(watch, { height: at!.height, hash: at!.hash }, { finalizedHeight: at!.height });
  };
  return {
    next: async () => {
      height += 1;
      const to = { height, hash: evmHash(height) };
      chain.set(height, to.hash);
      await scan({ to, blocks: [to], fork: null });
      await confirm();
    },
    replaceBlock: async (hash: string) => {
      const to = { height, hash };
      chain.set(height, hash);
      const fork = { height: height - 1, hash: chain.get(height - 1)! };
      const moved = observations.map((one) => ({ ...one, block: { ...one.block!, height, hash } }));
      await scan({ to, blocks: [to], fork, observations: moved });
      await confirm();
    },
    again: async (requested?: string) => {
      const at = { height, hash: chain.get(height)! };
      await scan({ from: at, to: at, blocks: [], fork: null, ...(requested !== undefined && { requested }) });
      await confirm();
    },
  };
}

const rowsOf = (addressId: number) => t.db.select().from(deposits).where(eq(deposits.addressId, addressId));
const amountsOf = async (addressId: number, status: DepositStatus = "held") =>
  (await rowsOf(addressId))
    .filter((row) => row.status === status)
    .map(({ amount }) => amount)
    .sort((a, b) => (a < b ? -1 : Number(a > b)));
const booksAgree = async () => assert.deepEqual((await checkLedger(t.db)).problems, []);
const leftOut = async () => {
  // Other files of this process have counted other networks.
  const { values } = await watchCounters.decisions.get();
  const counted = values.filter(({ labels }) => labels.state === "left_out");
  return counted.reduce((sum, { value }) => sum + value, 0);
};

test("3,000 dust transfers of a known token become five rows, and real money between them is held", async () => {
  const addressId = await newAddress();
  const real = [wrong(addressId, 1_500, UNIT), wrong(addressId, 3_500, 70n * UNIT)];
  const flood = dust(addressId, 3_000).filter(({ position }) => position !== 1_500);
  const before = { events: await t.db.$count(webhookEvents), leftOut: await leftOut() };
  await (await record([...flood, ...real].sort((a, b) => a.position - b.position))).next();
  const listed = await listUnmatchedDeposits(t.db, "test", merchantId, { before: null, limit: 5_000 });
  assert.equal(listed.length, 7);
  assert.deepEqual(await amountsOf(addressId), [1n, 2n, 3n, 4n, 5n, UNIT, 70n * UNIT]);
  assert.equal(await t.db.$count(webhookEvents), before.events);
  // One mail about all that was held, to a merchant who wants it.
  const [mail, ...more] = await t.db.select().from(mails);
  const { count, deposits: shown } = mail!.data as UnmatchedMailData;
  assert.deepEqual(
    [more.length, mail!.kind, mail!.recipient, count],
    [0, "unmatched", "owner@example.com", 7],
  );
  assert.deepEqual(shown.at(-1), { ...shown.at(-1)!, network: "bep20", token: "usdt", amount: "70" });
  assert.equal((await leftOut()) - before.leftOut, 2_994);
  const line = lines.find(({ msg }) => msg === "small unmatched transfers left out");
  assert.deepEqual([line?.transfers, line?.txHashes], [2_994, [flood[0]!.txHash]]);
  await booksAgree();

  // Later blocks add nothing while the five are open.
  await (await record(dust(addressId, 100))).next();
  assert.equal((await rowsOf(addressId)).length, 7);
});

test("a transfer without a price counts as real, and so does one of a dollar", async () => {
  const addressId = await newAddress();
  await (await record(dust(addressId, 8), "bnb/usd=600")).next();
  assert.equal((await rowsOf(addressId)).length, 8);
  const other = await newAddress();
  const almost = (UNIT * 99n) / 100n;
  const given = Array.from({ length: 20 }, (_, i) => wrong(other, i, i % 2 === 0 ? almost : UNIT));
  await (await record(given)).next();
  const amounts = await amountsOf(other);
  assert.equal(amounts.filter((amount) => amount === UNIT).length, 10);
  assert.equal(amounts.filter((amount) => amount === almost).length, 3);
});

test("a second pass, a requery and a reorg of the flood's block change no row and no book", async () => {
  const addressId = await newAddress();
  const flood = dust(addressId, 60);
  const pass = await record(flood);
  await pass.next();
  const before = { rows: await rowsOf(addressId), leftOut: await leftOut() };
  await pass.again();
  assert.deepEqual(await rowsOf(addressId), before.rows);
  assert.equal(await leftOut(), before.leftOut);

  // The same transaction in another block, with other positions.
  const shifted = flood.map((one) => ({ ...one, position: one.position + 7 }));
  await (await record(shifted)).replaceBlock(evmHash(900_001));
  assert.deepEqual(await amountsOf(addressId), [1n, 2n, 3n, 4n, 5n]);
  await booksAgree();

  // The transaction is gone, and another one of the same sender is in its place: the rows of the lost one do not count.
  const replaced = dust(addressId, 60, { txHash: evmHash(77) });
  await (await record(replaced)).replaceBlock(evmHash(900_002));
  assert.deepEqual((await amountsOf(addressId, "dropped")).length, 5);
  assert.deepEqual((await amountsOf(addressId, "held")).length, 5);
  await booksAgree();
});

test("a transaction that somebody asks for is recorded, at most 50 small transfers at each address", async () => {
  const [addressId, flooded] = [await newAddress(), await newAddress()];
  const asked = evmHash(88);
  const wanted = wrong(addressId, 200, 7n, { txHash: asked });
  const many = dust(flooded, 80, { txHash: asked });
  const pass = await record([...dust(addressId, 30), wanted, ...many]);
  await pass.next();
  assert.equal((await amountsOf(addressId)).includes(7n), false);
  await pass.again(asked);
  assert.deepEqual(await amountsOf(addressId), [1n, 2n, 3n, 4n, 5n, 7n]);
  assert.equal((await rowsOf(flooded)).length, 55);
  await booksAgree();
});

test("counting the open ones of an address reads no other deposit", async () => {
  const [addressId, other] = [await newAddress(), await newAddress()];
  // Credited ones of the address, and open ones of another.
  await t.db.execute(`insert into deposits (env, network, token, merchant_id, address_id, tx_hash, position, amount, status,
      block_height, block_hash, block_time, required_confirmations, first_seen_at, unmatched_reason)
    select 'test', 'bep20', 'usdt', ${merchantId}, case when n % 10 = 0 then ${other} else ${addressId} end, 'f' || n, 0, 1,
      case when n % 10 = 0 then 0 else 1 end, 5, 'b', now(), 1, now(), case when n % 10 = 0 then 'no_purpose' end
    from generate_series(1, 20000) n`);
  await (await record(dust(addressId, 3))).next();
  await t.db.execute("analyze deposits");
  const keys = [{ addressId, token: "usdt" }] as const;
  const count = (db: Db) => countOpenUnmatched(db as unknown as Tx, scope, keys, []);
  assert.deepEqual([...(await count(t.db)).values()], [3]);
  const plan = await planOf(t, count);
  assert.match(plan, /deposits_open/);
  assert.doesNotMatch(plan, /Seq Scan on deposits|rows=20\d\d\d/);

  const all = { network: null, token: null, reason: null, createdBefore: null, upTo: null, below: null };
  const filter = { ...all, env: "test", ownerId: merchantId } as const;
  const counting = await planOf(t, (db) => countUnmatched(db, filter));
  assert.doesNotMatch(counting, /Seq Scan on deposits|rows=20\d\d\d/);
});
