/** One connection to an Electrum server, whose messages come in the order that the test wants. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { parseHeaders } from "#lib/chains/electrum/headers.ts";
import type { ElectrumAnswer, LineConnection } from "#lib/chains/electrum/line-connection.ts";
import { openSession } from "#lib/chains/electrum/session.ts";
import { NodeError } from "#lib/chains/network.ts";
import { mineHeaders } from "./mine-headers.ts";

const HEADERS = mineHeaders(4);
const shown = (height: number) => ({ height, hex: HEADERS[height]!.toString("hex") });

interface HeldCall {
  readonly method: string;
  readonly answer: (answer: ElectrumAnswer) => void;
  readonly fail: (error: NodeError) => void;
}

/** A session at height 1 whose further calls wait until the test answers them. */
async function open() {
  const calls: HeldCall[] = [];
  let holds = false;
  let announce = (_params: readonly unknown[]) => {};
  const answers: Record<string, (params: readonly unknown[]) => unknown> = {
    "server.version": () => ["test", "1.4"],
    "blockchain.block.header": () => HEADERS[0]!.toString("hex"),
    "blockchain.headers.subscribe": () => shown(1),
    "blockchain.block.headers": ([from, count]) => ({
      hex: Buffer.concat(HEADERS.slice(Number(from), Number(from) + Number(count))).toString("hex"),
    }),
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
  return { session, closed, calls, announce: (height: number) => announce([shown(height)]) };
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
  // What is older than what was read is asked for again.
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

test("a connection that answers no ping is closed", async (t) => {
  mock.timers.enable({ apis: ["setInterval"] });
  t.after(() => mock.timers.reset());
  const { calls, closed } = await open();
  mock.timers.tick(60_000);
  assert.deepEqual(
    calls.map(({ method }) => method),
    ["server.ping"],
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
