import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { and, eq, sql } from "drizzle-orm";
import type {
  NetworkAdapter,
  NetworkRegistry,
  TransactionNetwork,
  TransactionReader,
} from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import type { TransactionCost } from "#lib/chains/transactions.ts";
import { listAttention } from "#lib/domain/attention/queries.ts";
import { attention } from "#lib/domain/attention/tables.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { insertOutgoingTransaction } from "#lib/domain/withdrawals/signer/outgoing-store.ts";
import { outgoingTransactions } from "#lib/domain/withdrawals/tables.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { settleAllCosts } from "#tests/support/follow-all.ts";
import { NO_TRANSACTIONS } from "#tests/support/idle-capabilities.ts";
import { bep20, log } from "#tests/support/watched-chain.ts";
import { accountsOf, aHash } from "#tests/support/withdrawals.ts";

const t = await databaseOfFile();

const FINAL = { height: 90, hash: "0xb" };
/** The node's answer about each transaction. An error: it cannot tell. Absent: it does not know the transaction. */
const known = new Map<string, TransactionCost | Error>();
/** Transactions about which the node fails once. */
const failing = new Set<string>();
let asked: string[] = [];
let expired = false;
const real = bep20("http://127.0.0.1:9").find("test", "bep20")!;
const node: TransactionReader = {
  ...real,
  blocks: {
    ...real.blocks,
    fetchHead: async () => ({ height: 100, hash: "0xhead", finalizedHeight: 90 }),
  },
  transactions: {
    ...NO_TRANSACTIONS,
    fetchCost: async (hash: string) => {
      asked.push(hash);
      if (failing.delete(hash)) throw new NodeError("unreachable", "once");
      const cost = known.get(hash) ?? null;
      if (cost instanceof Error) throw cost;
      return cost;
    },
    hasExpired: async () => expired,
  },
};
const adapter: NetworkAdapter = {
  ...real,
  blocks: node.blocks,
  nodes: { ...real.nodes, withOne: (_, work) => work(node, "n") },
};
const networks: NetworkRegistry = { find: () => adapter, list: () => [adapter], all: () => [adapter] };
const deps = { db: t.db, networks, log };
const settle = () => settleAllCosts(deps);

let base: Record<string, bigint> = {};
beforeEach(async () => {
  await t.db.execute(
    sql`update outgoing_transactions set settled_at = now(), outcome = 'expired' where settled_at is null`,
  );
  await t.db.delete(attention);
  known.clear();
  asked = [];
  expired = false;
  base = await accountsOf(t.db);
});

async function signed(spends: string[] = [], cost: TransactionCost | Error | null = null): Promise<string> {
  const hash = aHash();
  await insertOutgoingTransaction(
    t.db,
    { env: "test", network: "bep20", hash, raw: "0x", kind: "payout", spends, moves: [] },
    new Date(),
  );
  if (cost !== null) known.set(hash, cost);
  return hash;
}

async function row(hash: string) {
  const isRow = and(eq(outgoingTransactions.network, "bep20"), eq(outgoingTransactions.hash, hash));
  return (await t.db.select().from(outgoingTransactions).where(isRow))[0]!;
}

async function booked(): Promise<bigint> {
  assert.deepEqual((await checkLedger(t.db)).problems, []);
  const now = await accountsOf(t.db);
  const gained = (code: string) => (now[code] ?? 0n) - (base[code] ?? 0n);
  assert.equal(gained("costs:bep20"), -gained("custody:bep20"));
  return gained("custody:bep20");
}

test("posts the fee of a final transaction once, whatever number of workers looks", async () => {
  const hash = await signed(["0xhot:1"], { block: FINAL, fee: 21_000n, spends: ["0xhot:1"] });
  await Promise.all([settle(), settle(), settle()]);
  await settle();
  assert.equal(await booked(), 21_000n);
  const { outcome, fee, block, blockHeight } = await row(hash);
  assert.deepEqual(
    { outcome, fee, block, blockHeight },
    { outcome: "final", fee: 21_000n, block: "0xb", blockHeight: 90 },
  );
});

test("books nothing before the block is final, and asks again only then or when a reorganization took it", async () => {
  const hash = await signed(["0xhot:2"], {
    block: { height: 95, hash: "0xc" },
    fee: 5n,
    spends: ["0xhot:2"],
  });
  await settle();
  await settle();
  assert.deepEqual(asked, [hash], "its block is not final: nothing can be decided");
  assert.equal(await booked(), 0n);
  await t.db.execute(sql`update outgoing_transactions set block_height = 90 where hash = ${hash}`);
  known.delete(hash);
  await settle();
  assert.deepEqual([(await row(hash)).outcome, (await row(hash)).blockHeight], [null, null]);
  known.set(hash, { block: FINAL, fee: 6n, spends: ["0xhot:2"] });
  await settle();
  assert.equal(await booked(), 6n);
});

test("settles a replaced transaction without a fee once the other is final, and keeps one that nothing excludes", async () => {
  const first = await signed(["0xhot:3"]);
  const unknown = await signed(["0xhot:4"]);
  const second = await signed(["0xhot:3"], {
    block: { height: 91, hash: "0xc" },
    fee: 9n,
    spends: ["0xhot:3"],
  });
  await settle();
  assert.equal((await row(first)).outcome, null, "the other one can still be reverted");
  await t.db.execute(sql`update outgoing_transactions set block_height = null where hash = ${second}`);
  known.set(second, { block: FINAL, fee: 9n, spends: ["0xhot:3"] });
  await settle();
  await settle();
  const outcomes = await Promise.all([first, second, unknown].map(async (hash) => (await row(hash)).outcome));
  assert.deepEqual(outcomes, ["replaced", "final", null]);
  assert.equal(await booked(), 9n);
});

test("settles an expired transaction without a fee, and books one that cost nothing or less", async () => {
  const gone = await signed();
  const free = await signed([], { block: FINAL, fee: 0n, spends: [] });
  const refunded = await signed([], { block: FINAL, fee: -4n, spends: [] });
  expired = true;
  await settle();
  const outcomes = await Promise.all([gone, free, refunded].map(async (hash) => (await row(hash)).outcome));
  assert.deepEqual(outcomes, ["expired", "final", "final"]);
  assert.equal(await booked(), -4n);
});

test("one about which nodes only answer errors is set aside after a second try, and does not stop the others", async () => {
  const kinds = ["malformed", "unreachable", "behind"] as const;
  const bad: string[] = [];
  for (const kind of kinds) bad.push(await signed([], new NodeError(kind, "no output")));
  await signed([], { block: FINAL, fee: 3n, spends: [] });
  await settle();
  assert.equal(await booked(), 3n);
  const subjects = bad.map((hash) => `outgoing:test:bep20:${hash}`).sort();
  const marks = await listAttention(t.db, { after: null, limit: 9 });
  assert.deepEqual(
    marks.map(({ subject, attempts }) => [subject, attempts]),
    subjects.map((subject) => [subject, 1]),
  );
  for (const hash of bad) assert.equal(asked.filter((one) => one === hash).length, 2);
  asked = [];
  await settle();
  assert.deepEqual(asked, [], "their turn is later");
});

test("one whose node fails once is settled in the same round", async () => {
  const hash = await signed([], { block: FINAL, fee: 3n, spends: [] });
  failing.add(hash);
  await settle();
  assert.equal(await booked(), 3n);
  assert.deepEqual(await listAttention(t.db, { after: null, limit: 9 }), []);
});

test("one that fails is set aside, is tried again later, and does not stop the others", async () => {
  const at = (minutes: number) =>
    settleAllCosts({ ...deps, now: () => new Date(Date.now() + minutes * 60_000) });
  const bad = await signed([], new RangeError("no number"));
  await signed([], { block: FINAL, fee: 3n, spends: [] });
  await at(0);
  assert.equal(await booked(), 3n);
  const subject = `outgoing:test:bep20:${bad}`;
  const [aside] = await listAttention(t.db, { after: null, limit: 2 });
  assert.deepEqual([aside?.subject, aside?.attempts], [subject, 1]);
  assert.match(aside?.reason ?? "", /RangeError: no number/);
  asked = [];
  await at(0.5);
  assert.deepEqual(asked, [], "its turn is later");
  for (const minutes of [2, 5]) await at(minutes);
  assert.equal((await listAttention(t.db, { after: null, limit: 2 }))[0]?.attempts, 3);
  known.set(bad, { block: FINAL, fee: 4n, spends: [] });
  await at(120);
  assert.equal(await booked(), 7n);
  assert.deepEqual(await listAttention(t.db, { after: null, limit: 2 }), []);
});

test("leaves no mark of one that another worker settles while this one fails", async () => {
  const hash = await signed([], { block: FINAL, fee: 3n, spends: [] });
  const marks = () => listAttention(t.db, { after: null, limit: 9 });
  const failAfter = async (work: () => Promise<unknown>) => {
    const fetchCost = async () => {
      await work();
      throw new RangeError("no number");
    };
    const other = { ...node, transactions: { ...node.transactions, fetchCost } };
    const withOne: TransactionNetwork["nodes"]["withOne"] = (_, use) => use(other, "n");
    const broken = { ...adapter, nodes: { ...adapter.nodes, withOne } };
    await settleAllCosts({ ...deps, networks: { ...networks, find: () => broken } });
  };
  await failAfter(settle);
  assert.equal(await booked(), 3n);
  assert.equal((await row(hash)).outcome, "final");
  assert.deepEqual(await marks(), [], "it was settled before the mark");
});

test("a worker that settles one removes the mark that another has set meanwhile", async () => {
  const hash = await signed([], { block: FINAL, fee: 3n, spends: [] });
  const fetchCost = async (asked: string) => {
    const found = known.get(asked);
    known.set(asked, new RangeError("no number"));
    await settle();
    assert.equal((await listAttention(t.db, { after: null, limit: 9 })).length, 1, "it is set aside");
    return found as TransactionCost;
  };
  const other = { ...node, transactions: { ...node.transactions, fetchCost } };
  const withOne: TransactionNetwork["nodes"]["withOne"] = (_, use) => use(other, "n");
  const slow = { ...adapter, nodes: { ...adapter.nodes, withOne } };
  await settleAllCosts({ ...deps, networks: { ...networks, find: () => slow } });
  assert.equal((await row(hash)).outcome, "final");
  assert.deepEqual(await listAttention(t.db, { after: null, limit: 9 }), []);
});

test("asks about one that waits for long once in an hour", async () => {
  const hash = await signed();
  const at = (minutes: number) =>
    settleAllCosts({ ...deps, now: () => new Date(Date.now() + minutes * 60_000) });
  for (const minutes of [0, 59, 61, 100, 120, 122]) await at(minutes);
  assert.deepEqual(asked, [hash, hash, hash, hash]);
});

test("ledger check finds a fee that was booked wrongly, twice, or not at all", async () => {
  const hash = await signed([], { block: FINAL, fee: 8n, spends: [] });
  await settle();
  const problem = `transfer cost:test:bep20:${hash} does not match the network fee of its transaction`;
  for (const changed of [sql`fee = 9`, sql`outcome = 'replaced', fee = null`, sql`hash = '0xother'`]) {
    await t.db.execute(sql`update outgoing_transactions set ${changed} where hash = ${hash}`);
    assert.ok((await checkLedger(t.db)).problems.includes(problem));
    await t.db.execute(sql`update outgoing_transactions set hash = ${hash}, outcome = 'final', fee = 8
      where hash in (${hash}, '0xother')`);
  }
  assert.deepEqual((await checkLedger(t.db)).problems, []);
});
