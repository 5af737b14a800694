import assert from "node:assert/strict";
import type { FakeNode } from "#tests/support/fake-node.ts";
import { isNodeError } from "#tests/support/node-errors.ts";
import { type Bench, type Case, hashes, scan } from "./bench.ts";

/** HTTP answers of a broken node. */
export const OUTAGES: Readonly<Record<string, NonNullable<FakeNode["answer"]>>> = {
  "answers 500": (response) => response.writeHead(500).end("oops"),
  "answers HTML": (response) => response.end("<html>maintenance</html>"),
  "answers half a body": (response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write('[{"jsonrpc"', () => response.destroy());
  },
  "answers half of its JSON": (response) => response.end('[{"id":0,"resu'),
  "hangs up": (response) => response.destroy(),
  "answers null": (response) => response.end("null"),
  "answers an empty list": (response) => response.end("[]"),
  "answers an empty object": (response) => response.end("{}"),
  "answers a result without an id": (response) => response.end('{"result":"0x1"}'),
  "answers 429": (response) => response.writeHead(429).end("slow down"),
};

/** Pays and mines this many blocks. Returns their range and the payments. */
async function paid({ driver, newAddress }: Bench, payments: number, blocks: number) {
  const shown = newAddress();
  const from = (await driver.tip()).height + 1;
  const sent: string[] = [];
  for (let i = 0; i < payments; i++) {
    sent.push(await driver.send(shown, driver.smallest * 1_000n));
    await driver.mine(blocks);
  }
  return { shown, from, to: (await driver.tip()).height, sent };
}

/** How an adapter handles bad nodes. */
export const NODE_CASES: readonly Case[] = [
  [
    "reads nothing from a broken node, and uses its answers again once it works",
    async (bench) => {
      const { fake } = bench;
      const { shown, from, to, sent } = await paid(bench, 1, 1);
      for (const [name, outage] of Object.entries(OUTAGES)) {
        const adapter = bench.behindFake();
        fake.answer = outage;
        await assert.rejects(adapter.blocks.fetchHead(), isNodeError(), `${name}: head`);
        await assert.rejects(scan(adapter, from, to, shown), isNodeError(), `${name}: scan`);
        if (adapter.transactions !== null) {
          await assert.rejects(adapter.transactions.fetchStatus(sent[0]!), isNodeError(), `${name}: status`);
          await assert.rejects(adapter.transactions.fetchRecord(sent[0]!), isNodeError(), `${name}: lookup`);
        }
        fake.answer = null;
      }
      assert.deepEqual(hashes((await scan(bench.behindFake(), from, to, shown)).transfers), sent);
    },
  ],
  [
    "rejects an impossible answer and guesses nothing from it",
    async (bench) => {
      const { driver, fake } = bench;
      const { shown, from, to, sent } = await paid(bench, 1, 1);
      for (const [name, lie] of Object.entries(driver.lies)) {
        const adapter = bench.behindFake();
        await adapter.blocks.checkIdentity();
        fake.twist = lie;
        await assert.rejects(scan(adapter, from, to, shown), isNodeError("malformed", "inconsistent"), name);
        fake.twist = null;
      }
      assert.deepEqual(hashes((await scan(bench.behindFake(), from, to, shown)).transfers), sent);
    },
    "read a block again",
  ],
  [
    "never takes an answer that is cut short for a complete one",
    async (bench) => {
      const { driver, fake } = bench;
      const { shown, from, to, sent } = await paid(bench, 3, 10);
      const adapter = bench.behindFake();
      await adapter.blocks.checkIdentity();
      fake.twist = driver.cut.twist;
      const reading = scan(adapter, from, to, shown);
      if (driver.cut.outcome === "refused")
        await assert.rejects(reading, isNodeError("malformed", "inconsistent"));
      else assert.deepEqual(hashes((await reading).transfers), sent);
      fake.twist = null;
      assert.deepEqual(hashes((await scan(bench.behindFake(), from, to, shown)).transfers), sent);
    },
    "read a block again",
  ],
  [
    "does not read blocks as empty that a node behind the chain does not have",
    async (bench) => {
      const { driver, fake } = bench;
      const { shown, from, to, sent } = await paid(bench, 1, 3);
      const adapter = bench.behindFake();
      await adapter.blocks.checkIdentity();
      fake.twist = await driver.stale(from - 1);
      assert.equal((await adapter.blocks.fetchHead()).height, from - 1);
      assert.equal(await adapter.blocks.fetchHash(to), null);
      await assert.rejects(scan(adapter, from, to, shown), isNodeError("inconsistent"));
      fake.twist = null;
      assert.equal((await adapter.blocks.fetchHead()).height, to);
      assert.deepEqual(hashes((await scan(adapter, from, to, shown)).transfers), sent);
    },
    "read a block again",
  ],
  [
    "says of a node what works and what is missing, for every method that is ever used",
    async ({ fake, behindFake }) => {
      const used = new Set(fake.calls.map(({ method }) => method));
      fake.calls.length = 0;
      const [whole] = await behindFake().nodes.probe({ all: true });
      assert.deepEqual(
        whole?.checks.filter(({ ok }) => !ok),
        [],
      );
      const asked = new Set(fake.calls.map(({ method }) => method));
      assert.deepEqual(
        [...used].filter((method) => !asked.has(method)),
        [],
        "used and never tried out",
      );
      for (const method of asked) {
        fake.twist = (call) => {
          if (call.method === method) throw new Error(`no ${method} here`);
        };
        const [probe] = await behindFake().nodes.probe({ all: true });
        const missing = probe?.checks.filter(({ ok }) => !ok) ?? [];
        assert.ok(missing.length > 0, method);
        assert.match(missing.map(({ answer }) => answer).join(), new RegExp(`no ${method} here`));
      }
    },
    // The newest block has to hold a payment.
    "mine on demand",
  ],
];
