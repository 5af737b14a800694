/** A waiting payment that cannot be recorded is set aside, and tried again while it waits. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sql } from "drizzle-orm";
import { pino } from "pino";
import type { MempoolView } from "#lib/chains/mempool-reader.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { ChainTransfer } from "#lib/chains/transfers.ts";
import { setAside } from "#lib/domain/attention/set-aside.ts";
import { attention } from "#lib/domain/attention/tables.ts";
import { deposits, watchCursors } from "#lib/domain/deposits/tables.ts";
import { createPassMemory } from "#lib/domain/deposits/watch/pass-rules.ts";
import { runPass } from "#lib/domain/deposits/watch/run-pass.ts";
import type { MempoolWatch } from "#lib/domain/deposits/watch/watch-mempool.ts";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import { bitcoinAdapter } from "#tests/support/bitcoin-adapter.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";
import { aMerchant, anAddress } from "#tests/support/unmatched.ts";

const SCOPE = { env: "test", network: "bitcoin" } as const;
const HEAD = { height: 200, hash: "aa".repeat(32) };
const log = pino({ level: "silent" });
const offline = bitcoinAdapter("http://127.0.0.1:9");
const node: NetworkAdapter = {
  ...offline,
  blocks: {
    ...offline.blocks,
    fetchHead: async () => ({ ...HEAD, time: null, finalizedHeight: null }),
    fetchHash: async (height) => (height === HEAD.height ? HEAD.hash : null),
  },
};
const adapter: NetworkAdapter = {
  ...node,
  nodes: { ...offline.nodes, withOne: (_, work) => work(node, "A") },
};
const networks = { find: () => adapter, list: () => [adapter], all: () => [adapter] };

const t = await databaseOfFile();
await t.db.insert(watchCursors).values({ ...SCOPE, ...HEAD, nodeHeight: HEAD.height, updatedAt: new Date() });
const { address } = await anAddress(t.db, adapter, await aMerchant(t.db, "owner@example.com"));
await t.db.execute(sql`create function refuse_row() returns trigger language plpgsql as
  $$ begin raise numeric_value_out_of_range; end $$`);
beforeEach(async () => {
  await t.db.delete(deposits);
  await t.db.delete(attention);
  await refuse();
});

const refuse = () =>
  t.db.execute(sql`create or replace trigger refuse before insert on deposits for each row
    execute function refuse_row()`);
const accept = () => t.db.execute(sql`drop trigger refuse on deposits`);

/** Passes of one watcher over a mempool with one payment. */
function open() {
  const clock = openManualClock();
  const paid: ChainTransfer = {
    ...{ txHash: "bb".repeat(32), position: 0, token: "btc", address, sender: null, amount: 20_000n },
    ...{ spends: [`${"cc".repeat(32)}:0`], block: null, unmatchedReason: null },
  };
  const read = { looked: true, gone: [], arrivals: 0, backlog: 0, failure: null };
  let view: MempoolView = { ...read, node: "A", list: 1, transfers: [paid] };
  const mempool = {
    view: () => view,
    refusal: () => null,
    findCompleteSince: (startedAt: Date) => startedAt,
  } as unknown as MempoolWatch;
  const paymentLinks = { db: t.db, networks, rates: openRates({ fixed: "btc/usd=50000", log }) };
  const watch = {
    ...{ ...SCOPE, adapter, database: t.database, log, ...clock },
    paymentLinks: { ...paymentLinks, settings: {} as never },
  };
  const memory = createPassMemory();
  return {
    clock,
    pass: () => runPass(watch, memory, { mempool }),
    leave: () => {
      view = { ...read, node: "A", list: 2, transfers: [] };
    },
    attempts: async () => (await t.db.select().from(attention)).map(({ attempts }) => attempts),
    statuses: async () => (await t.db.select().from(deposits)).map(({ status }) => status),
  };
}

test("it is recorded at its next attempt, although the mempool did not change", async () => {
  const { clock, pass, attempts, statuses } = open();
  await pass();
  await pass();
  assert.deepEqual(await attempts(), [1]);
  await clock.advance(60_000);
  await pass();
  assert.deepEqual(await attempts(), [2]);
  await accept();
  await clock.advance(60_000);
  await pass();
  assert.deepEqual(await statuses(), [], "the second pause is twice as long");
  await clock.advance(60_000);
  await pass();
  assert.deepEqual([await statuses(), await attempts()], [["seen"], []]);
});

test("it is forgotten when it left the mempool", async () => {
  const { clock, pass, leave, attempts, statuses } = open();
  await pass();
  assert.deepEqual(await attempts(), [1]);
  await accept();
  leave();
  await clock.advance(60_000);
  await pass();
  assert.deepEqual([await statuses(), await attempts()], [[], []]);
});

test("one that another process set aside in a block above this cursor stays", async () => {
  const { pass, attempts, leave } = open();
  leave();
  const above = { subject: `transaction:test:bitcoin:${"bb".repeat(32)}`, height: HEAD.height + 5 };
  await setAside(t.db, above, new Error("refused"), new Date(0));
  await pass();
  assert.deepEqual(await attempts(), [1]);
});
