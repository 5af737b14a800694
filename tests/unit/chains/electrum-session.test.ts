/** One connection to an Electrum server, whose messages come in the order that the test wants. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { createReplacedBlocks } from "#lib/chains/electrum/header-chain.ts";
import { type Header, parseHeaders } from "#lib/chains/electrum/headers.ts";
import type { ElectrumAnswer, LineConnection } from "#lib/chains/electrum/line-connection.ts";
import { createHeaderBudget, type OldHeaderMemory } from "#lib/chains/electrum/old-headers.ts";
import { openSession } from "#lib/chains/electrum/session.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { isNodeError } from "#tests/support/node-errors.ts";
import { mineHarder, mineHeaders } from "./mine-headers.ts";

const HEADERS = mineHeaders(5);
/** One block less, and more work. */
const HARDER = mineHarder(HEADERS, 2);
const shown = (height: number, headers = HEADERS) => ({ height, hex: headers[height]!.toString("hex") });

interface HeldCall {
  readonly method: string;
  readonly answer: (answer: ElectrumAnswer) => void;
  readonly fail: (error: NodeError) => void;
}

/** A session at height 1 whose further calls wait until the test answers them. `more`: headers sent beyond those asked for. */
async function open(more = 0) {
  const calls: HeldCall[] = [];
  let reads = 0;
  let headers = HEADERS;
  let holds = false;
  let announce = (_params: readonly unknown[]) => {};
  const answers: Record<string, (params: readonly unknown[]) => unknown> = {
    "server.version": () => ["test", "1.4"],
    "blockchain.block.header": () => HEADERS[0]!.toString("hex"),
    "blockchain.headers.subscribe": () => shown(1),
    "blockchain.block.headers": ([from, count]) => {
      reads += 1;
      const part = headers.slice(Number(from), Number(from) + Number(count) + more);
      return { hex: Buffer.concat(part).toString("hex") };
    },
  };
  const closed: NodeError[] = [];
  const connection: LineConnection = {
    close: (reason) => void closed.push(reason),
    call: (method, params) => {
      if (!holds || method === "blockchain.block.headers")
        return Promise.resolve({ ok: true, result: answers[method]!(params) });
      const { promise, resolve, reject } = Promise.withResolvers<ElectrumAnswer>();
      calls.push({ method, answer: resolve, fail: reject });
      return promise;
    },
  };
  const session = await openSession(
    connection,
    (listener) => {
      announce = listener;
    },
    {
      ...{ name: "test", chainName: "test", onChain: () => {} },
      genesis: parseHeaders(HEADERS[0]!)[0]!.hash,
      rules: { work: "sha256d", easiestBits: null },
    },
  );
  holds = true;
  return {
    ...{ session, closed, calls, reads: () => reads },
    announce: (height: number, asHeight = height) =>
      announce([{ ...shown(height, headers), height: asHeight }]),
    show: (other: Buffer[]) => {
      headers = other;
    },
  };
}

test("a block that is announced right after an answer about the newest one stays", async () => {
  const { session, calls, announce } = await open();
  const refreshed = session.refresh();
  await Promise.resolve();
  calls[0]!.answer({ ok: true, result: shown(1) });
  // In the same packet.
  announce(2);
  await refreshed;
  await session.caughtUp();
  assert.equal(session.chain().height, 2);
});

test("a block that is announced before an answer about a newer one takes nothing away", async () => {
  const { session, calls, announce } = await open();
  const refreshed = session.refresh();
  await Promise.resolve();
  announce(2);
  calls[0]!.answer({ ok: true, result: shown(3) });
  await refreshed;
  const caughtUp = session.caughtUp();
  await endOfTurn();
  // Headers older than those that were read are asked for again.
  for (const { answer } of calls.slice(1)) answer({ ok: true, result: shown(3) });
  await caughtUp;
  assert.equal(session.chain().height, 3);
});

test("a server that no longer has its newest block is believed", async () => {
  const { session, calls, announce } = await open();
  announce(2);
  await session.caughtUp();
  const refreshed = session.refresh();
  await Promise.resolve();
  calls[0]!.answer({ ok: true, result: shown(1) });
  await refreshed;
  assert.equal(session.chain().height, 1);
});

test("blocks that a shorter chain of more work replaced are remembered, others are not", async () => {
  const { session, announce, show } = await open();
  const replaced = createReplacedBlocks();
  const at = (height: number) => ({ height, hash: session.chain().at(height)!.hash });
  announce(2);
  announce(3);
  announce(4);
  await session.caughtUp();
  replaced.note(session.chain());
  const [shared, third, fourth] = [at(2), at(3), at(4)];
  show(HARDER);
  announce(3);
  await session.caughtUp();
  assert.equal(session.chain().height, 3);
  assert.notEqual(at(3).hash, third.hash);
  assert.ok(!replaced.has(fourth, session.chain()), "nothing was read since");
  replaced.note(session.chain());
  const isReplaced = (block: typeof third) => replaced.has(block, session.chain());
  assert.deepEqual([shared, third, fourth, at(3)].map(isReplaced), [false, true, true, false]);
  // Another server shows the former chain again: it has less work, so nothing of the newer one is replaced.
  const newest = at(3);
  show(HEADERS);
  announce(4);
  await session.caughtUp();
  replaced.note(session.chain());
  assert.deepEqual([newest, third].map(isReplaced), [false, false]);
});

test("a server whose newest block is far above what it showed before is connected again, and asked for nothing", async () => {
  for (const height of [1_000_000_000, 2_018]) {
    const { session, announce, closed, reads } = await open();
    const before = reads();
    announce(4, height);
    await session.caughtUp();
    await endOfTurn();
    assert.match(closed[0]?.message ?? "", /far above/, `${height}`);
    assert.equal(reads(), before);
  }
  const { session, announce, closed } = await open();
  announce(4);
  await session.caughtUp();
  assert.equal(session.chain().height, 4);
  assert.equal(closed.length, 0);
});

test("a server that sends more headers than it was asked for is refused", async () => {
  await assert.rejects(open(1), isNodeError("malformed"));
});

test("a connection that answers no ping is closed", async (t) => {
  mock.timers.enable({ apis: ["setInterval"] });
  t.after(() => mock.timers.reset());
  const { calls, closed } = await open();
  mock.timers.tick(60_000);
  await endOfTurn();
  assert.deepEqual(
    calls.map(({ method }) => method),
    ["blockchain.headers.subscribe"],
  );
  calls[0]!.fail(new NodeError("unreachable", "no answer within 35 s"));
  await endOfTurn();
  assert.deepEqual(
    closed.map(({ message }) => message),
    ["no answer within 35 s"],
  );
  mock.timers.tick(600_000);
  assert.equal(calls.length, 1);
});

test("a server that no longer announces its blocks, or has none for hours, is connected again", async (t) => {
  mock.timers.enable({ apis: ["setInterval"] });
  t.after(() => mock.timers.reset());
  const { calls, closed, announce, session } = await open();
  const ask = async (height: number) => {
    mock.timers.tick(60_000);
    await endOfTurn();
    calls.at(-1)!.answer({ ok: true, result: shown(height) });
    await endOfTurn();
  };
  await ask(2);
  // It was announced right after the answer.
  announce(2);
  await session.caughtUp();
  await ask(3);
  assert.equal(closed.length, 0);
  await ask(4);
  assert.match(closed[0]!.message, /no longer announces its blocks/);
});

test("a connection that had no new block for two hours is opened again", async (t) => {
  mock.timers.enable({ apis: ["setInterval"] });
  t.after(() => mock.timers.reset());
  const { calls, closed } = await open();
  const later = performance.now() + 2 * 3_600_000;
  t.mock.method(performance, "now", () => later);
  mock.timers.tick(60_000);
  await endOfTurn();
  calls[0]!.answer({ ok: true, result: shown(1) });
  await endOfTurn();
  assert.match(closed[0]!.message, /has had no new block for 2 hours/);
});

/** A server of 5,000 blocks that answers at once. `twist` changes its old headers. */
function openLong(memory?: OldHeaderMemory) {
  const asked: unknown[] = [];
  const state = { twist: (part: Buffer) => part };
  const tip = { height: 4_999, hex: LONG[4_999]!.toString("hex") };
  const connection: LineConnection = {
    close: () => {},
    call: async (method, params) => {
      if (method === "server.version") return { ok: true, result: ["test", "1.4"] };
      if (method === "blockchain.block.header") return { ok: true, result: LONG[0]!.toString("hex") };
      if (method === "blockchain.headers.subscribe") return { ok: true, result: tip };
      asked.push(params);
      const [from, count] = params.map(Number);
      const part = Buffer.concat(LONG.slice(from!, from! + count!));
      return { ok: true, result: { hex: (asked.length === 1 ? part : state.twist(part)).toString("hex") } };
    },
  };
  const opened = openSession(connection, () => {}, {
    ...{ name: "test", chainName: "test", onChain: () => {} },
    genesis: hashOf(0),
    rules: { work: "sha256d", easiestBits: null },
    ...(memory && { oldHeaders: memory }),
  });
  return opened.then((session) => ({ session, state, asked: () => asked.slice(1) }));
}
const LONG = mineHeaders(5_000);
const hashOf = (height: number) => parseHeaders(LONG[height]!)[0]!.hash;

test("an old header is read in parts and proven by the hashes above it, whatever its depth", async () => {
  const { session, asked } = await openLong();
  assert.equal(session.chain().base, 4_712);
  for (const height of [3, 4_711, 4_031, 4_032, 4_712, 0]) {
    assert.equal((await session.header(height))?.hash, hashOf(height), `${height}`);
  }
  assert.deepEqual(asked(), [
    [4_032, 680],
    [2_016, 2_016],
    [0, 2_016],
  ]);
  assert.equal(await session.header(5_000), null);
  const liar = await openLong();
  liar.state.twist = (part) => Buffer.concat([part.subarray(0, 400), LONG[7]!, part.subarray(480)]);
  await assert.rejects(liar.session.header(10), /sent old headers of another chain/);
});

test("a later connection continues where an earlier one was closed, on the same chain only", async () => {
  const memory: OldHeaderMemory = { newest: new Map() };
  const first = await openLong(memory);
  let parts = 0;
  first.state.twist = (part) => {
    parts += 1;
    if (parts === 3) throw new NodeError("unreachable", "closed");
    return part;
  };
  await assert.rejects(first.session.header(10), /closed/);
  const second = await openLong(memory);
  assert.equal((await second.session.header(10))?.hash, hashOf(10));
  assert.deepEqual(second.asked(), [
    [4_032, 680],
    [0, 2_016],
  ]);
  const other = await openLong({
    newest: new Map([...memory.newest].map(([part]) => [part, "ab".repeat(32)])),
  });
  assert.equal((await other.session.header(10))?.hash, hashOf(10));
  assert.equal(other.asked().length, 3);
});

test("no more old headers are read than the budget allows, and what was read is not lost", async (t) => {
  const { session, asked } = await openLong();
  let now = Math.round(performance.now()); // whole: a rounded sum may lie a hair before the next part
  t.mock.method(performance, "now", () => now);
  const budget = createHeaderBudget({ atOnce: 1, everyMs: 1_000 });
  const read = (height: number) => session.headerWithin(budget, height);
  for (const expected of [1, 2]) {
    assert.equal(await read(10), "later");
    assert.deepEqual([asked().length, budget.isSpent()], [expected, true]);
    now += 1_000;
    assert.equal(budget.isSpent(), false);
  }
  assert.equal(((await read(10)) as Header).hash, hashOf(10));
  assert.equal(((await read(11)) as Header).hash, hashOf(11));
  assert.equal(((await read(4_990)) as Header).hash, hashOf(4_990));
  now += 60_000;
  assert.deepEqual([budget.take(), budget.take()], [true, false]);
});
