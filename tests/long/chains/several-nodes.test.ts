import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { sql } from "drizzle-orm";
import {
  type AnvilNode,
  height,
  mine,
  reorg,
  rpc,
  sendEvmUsdt,
  startAnvil,
  USDT_ADDRESS,
} from "#tests/support/anvil.ts";
import { type FakeNode, openFakeNode, type Twist } from "#tests/support/fake-node.ts";
import { until } from "#tests/support/until.ts";
import {
  bep20Often,
  evmNetwork,
  openWatchedChain,
  USDT,
  type WatchedChain,
} from "#tests/support/watched-chain.ts";

/**
 * A chain, and watchers that reach it through two fakes in front of its node. The first fake is preferred.
 */
async function open(t: TestContext) {
  const chain = await openWatchedChain(t);
  const [first, second] = [await openFakeNode(t, chain.url), await openFakeNode(t, chain.url)];
  const { address } = await chain.address();
  const heights = await recordHeights(chain);
  const pay = async () => {
    await sendEvmUsdt(chain.url, address, USDT);
    await chain.mine(3);
  };
  return { ...{ chain, first, second, address, heights, pay }, networks: bep20Often(first.url, second.url) };
}

/** Records every height of the cursor, whichever process sets it. */
async function recordHeights({ db }: WatchedChain): Promise<() => Promise<number[]>> {
  await db.execute(sql`create table cursor_heights (id serial, height bigint)`);
  await db.execute(sql`create function record_height() returns trigger language plpgsql as $$
    begin insert into cursor_heights (height) values (new.height); return new; end $$`);
  await db.execute(sql`create trigger record_height after insert or update on watch_cursors
    for each row execute function record_height()`);
  return async () => {
    const { rows } = await db.execute<{ height: string }>(sql`select height from cursor_heights order by id`);
    return rows.map((row) => Number(row.height)).filter((at) => at >= 0);
  };
}

/** Every payment credited once, the ledger consistent, the cursor never lower. */
async function nothingLost(chain: WatchedChain, heights: () => Promise<number[]>, payments: number) {
  await chain.depositsAre(Array<"credited">(payments).fill("credited"));
  assert.equal(await chain.balance(), BigInt(payments) * USDT);
  assert.deepEqual((await chain.ledger()).problems, []);
  const seen = await heights();
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
    "the cursor never stepped back",
  );
}

/** Faults of the first node while the second works. */
const faults: Record<string, (fake: FakeNode, chain: WatchedChain, stranger: AnvilNode) => Promise<void>> = {
  "does not answer": async (fake) => {
    fake.answer = (response) => response.destroy();
  },
  "answers 429": async (fake) => {
    fake.answer = (response) => response.writeHead(429, { "retry-after": "1" }).end("slow down");
  },
  "refuses every call": async (fake) => {
    fake.twist = () => {
      throw new Error("this plan has no access");
    };
  },
  "answers half a body": async (fake) => {
    fake.answer = (response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write('{"jsonrpc"', () => response.destroy());
    };
  },
  "answers garbage": async (fake) => {
    fake.answer = (response) => response.end("<html>\u0000");
  },
  "sends garbage for logs": async (fake) => {
    fake.twist = ({ method }) => (method === "eth_getLogs" ? [{ topics: 7 }] : undefined);
  },
  "hides logs of the newest blocks": async (fake) => {
    fake.twist = ({ method, params }) => {
      const { blockHash } = (params[0] ?? {}) as { blockHash?: string };
      if (method === "eth_getLogs" && blockHash) throw new Error("unknown block");
      return undefined;
    };
  },
  "is stuck at an old block": async (fake, chain) => {
    const old = (await height(chain.url)) - 2;
    const block = await rpc(chain.url, "eth_getBlockByNumber", [`0x${old.toString(16)}`, false]);
    const stuck: Twist = ({ method, params }) => {
      if (method !== "eth_getBlockByNumber") return undefined;
      const [which] = params as [string];
      return ["latest", "finalized"].includes(which) ? block : Number(which) > old ? null : undefined;
    };
    fake.twist = stuck;
  },
  "is of another chain": async (fake, _chain, stranger) => {
    fake.pass = stranger.url;
  },
};

test("fails over to the second node at any fault of the first: nothing is lost, doubled or reverted", async (t) => {
  const { chain, first, second, heights, pay, networks } = await open(t);
  const stranger = await startAnvil({ chainId: 1 });
  t.after(stranger.kill);
  await mine(stranger.url, 300);
  chain.watch(networks);
  await chain.caughtUp();
  let payments = 0;
  let [bad, good] = [first, second];
  for (const [name, fault] of Object.entries(faults)) {
    await fault(bad, chain, stranger);
    await pay();
    payments += 1;
    await chain.caughtUp().catch((error: Error) => assert.fail(`a node that ${name}: ${error.message}`));
    await nothingLost(chain, heights, payments);
    assert.equal((await chain.cursor())?.error, null, name);
    Object.assign(bad, { answer: null, twist: null, pass: null });
    [bad, good] = [good, bad];
  }
});

test("shows no fault of the first node while the second works, and uses the first again afterwards", async (t) => {
  const { chain, first, heights, pay, networks } = await open(t);
  await chain.db.execute(sql`create table cursor_errors (error text)`);
  await chain.db.execute(sql`create function record_error() returns trigger language plpgsql as $$
    begin insert into cursor_errors (error) values (new.error); return new; end $$`);
  await chain.db.execute(sql`create trigger record_error after insert or update on watch_cursors
    for each row when (new.error is not null) execute function record_error()`);
  chain.watch(networks);
  await chain.caughtUp();
  first.answer = (response) => response.writeHead(500).end();
  for (let n = 0; n < 3; n++) await pay();
  await nothingLost(chain, heights, 3);
  assert.deepEqual((await chain.db.execute(sql`select * from cursor_errors`)).rows, []);
  first.answer = null;
  const { length } = first.calls;
  await until("the first node to be in use again", () => first.calls.length > length + 20);
  await pay();
  await nothingLost(chain, heights, 4);
});

test("only a node of the same network reverts blocks, not whatever answers at its URL now", async (t) => {
  const { chain, first, pay } = await open(t);
  chain.watch(bep20Often(first.url));
  await chain.caughtUp();
  await pay();
  await chain.depositsAre(["credited"]);
  first.twist = ({ method }) => (method === "eth_chainId" ? "0x1" : undefined);
  await reorg(chain.url, 4);
  await mine(chain.url);
  await until("the other chain to be noticed", async () =>
    (await chain.cursor())?.error?.startsWith("wrong_chain"),
  );
  await chain.depositsAre(["credited"]);
  assert.equal(await chain.balance(), USDT);
  first.twist = null;
  await chain.depositsAre(["dropped"]);
  assert.deepEqual((await chain.ledger()).problems, []);
});

test("a node that breaks off during a scan leaves nothing half read", async (t) => {
  const { chain, first, heights, pay, networks } = await open(t);
  chain.watch(networks);
  await chain.caughtUp();
  for (let n = 1; n <= 12; n++) {
    let left = n;
    first.twist = () => {
      left -= 1;
      if (left < 0) throw new Error("no more");
      return undefined;
    };
    await pay();
    await chain.caughtUp();
  }
  await nothingLost(chain, heights, 12);
});

/** A second node with everything that the first knows. Blocks that either mines from here on are its own. */
async function twin(t: TestContext, chain: WatchedChain, options = {}): Promise<AnvilNode> {
  const node = await startAnvil({ automine: false, ...options });
  t.after(node.kill);
  await rpc(node.url, "anvil_loadState", [await rpc(chain.url, "anvil_dumpState", [true])]);
  return node;
}

test("does not follow a node on another branch that is not longer, for reverts or for credits", async (t) => {
  const { chain, first, address, heights } = await open(t);
  await chain.mine(20);
  const other = await twin(t, chain);
  chain.watch(bep20Often(first.url, other.url));
  await chain.caughtUp();
  // On ours: the payment. On the other: as many blocks without it, all final except the last two.
  await sendEvmUsdt(chain.url, address, USDT);
  await chain.mine(1);
  await mine(other.url, 1);
  await chain.depositsAre(["seen"]);
  const cursor = await chain.cursor();
  first.answer = (response) => response.destroy();
  const error = await until("the other to be turned down", async () => (await chain.cursor())?.error);
  assert.match(error, /has another block \d+, and no longer branch/);
  assert.equal((await chain.cursor())?.hash, cursor?.hash);
  await chain.depositsAre(["seen"]);
  first.answer = null;
  await chain.mine(3);
  await nothingLost(chain, heights, 1);
});

test("follows the other branch like any reorg once it is longer and ours is unavailable", async (t) => {
  const { chain, first, address } = await open(t);
  await chain.mine(20);
  const other = await twin(t, chain);
  chain.watch(bep20Often(first.url, other.url));
  await chain.caughtUp();
  await sendEvmUsdt(chain.url, address, USDT);
  await chain.mine(1);
  await chain.depositsAre(["seen"]);
  first.answer = (response) => response.destroy();
  await sendEvmUsdt(other.url, address, 3n * USDT);
  await mine(other.url, 5);
  const error = await until("the other to be turned down at first", async () => {
    const text = (await chain.cursor())?.error ?? "";
    return text.includes("is on another branch") ? text : null;
  });
  assert.match(error, /^unreachable: .* does not answer; .* is on another branch than what was read$/);
  await chain.depositsAre(["seen"]);
  await until("the other's branch to be followed", async () => (await chain.deposits()).length === 2);
  await chain.depositsAre(["dropped", "credited"]);
  assert.equal(await chain.balance(), 3n * USDT);
  assert.deepEqual((await chain.ledger()).problems, []);
});

test("does not take one node's finality for another node's block", async (t) => {
  const { chain, first, address } = await open(t);
  await chain.mine(20);
  const other = await twin(t, chain);
  // Ours finalizes nothing from here on. The other finalizes everything it has.
  const final = await rpc(chain.url, "eth_getBlockByNumber", ["finalized", false]);
  first.twist = ({ method, params }) =>
    method === "eth_getBlockByNumber" && params[0] === "finalized" ? final : undefined;
  await chain.mine(8);
  chain.watch(bep20Often(first.url, other.url));
  await chain.caughtUp();
  await sendEvmUsdt(chain.url, address, USDT);
  await chain.mine(4);
  await mine(other.url, 11);
  await chain.caughtUp();
  await chain.depositsAre(["seen"]);
  const { length } = first.calls;
  // Every second request fails: both nodes are tried all the time.
  let n = 0;
  const twist = first.twist;
  first.twist = (call, pass) => {
    n += 1;
    if (n % 7 === 0) throw new Error("now and then");
    return twist(call, pass);
  };
  await until("many more looks", () => first.calls.length > length + 30);
  await chain.depositsAre(["seen"]);
  assert.equal(await chain.balance(), 0n);
  first.twist = null;
  await chain.depositsAre(["credited"]);
  assert.equal(await chain.balance(), USDT);
});

test("keeps to a call budget, however much there is to read", async (t) => {
  const { chain, first, address } = await open(t);
  const watcher = chain.watch(bep20Often(chain.url));
  await chain.caughtUp();
  await watcher.stop();
  for (let n = 0; n < 3; n++) {
    await sendEvmUsdt(chain.url, address, USDT);
    await chain.mine(20);
  }
  const times: number[] = [];
  first.twist = () => {
    times.push(performance.now());
    return undefined;
  };
  const started = performance.now();
  chain.watch(evmNetwork("bep20", [first.url], { usdt: USDT_ADDRESS }, { rpcBudget: 20 }));
  await chain.caughtUp();
  await chain.depositsAre(["credited", "credited", "credited"]);
  // Calls that were sent in time may arrive together on a busy machine, but never before they were sent. The rules of
  // the budget are tested on a clock of their own (node-pool-rules.test.ts).
  assert.ok(times.length > 40, `only ${times.length} calls`);
  for (const [i, time] of times.entries()) {
    const allowed = 20 * (1 + (time - started) / 1_000);
    assert.ok(i < allowed, `${i + 1} calls after ${time - started} ms`);
  }
});

/** A server that accepts requests and never answers. */
async function startSilent(): Promise<{ url: string; server: Server; asked: () => number }> {
  let asked = 0;
  const server = createServer(() => {
    asked += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, server, asked: () => asked };
}

test("a watcher stops at once although its node never answers", async (t) => {
  const { chain } = await open(t);
  const silent = await startSilent();
  t.after(() => {
    silent.server.closeAllConnections();
    silent.server.close();
  });
  const watcher = chain.watch(bep20Often(silent.url));
  await until("it to be asked", () => silent.asked() > 0);
  const started = performance.now();
  await watcher.stop();
  // The request itself ends after 10 seconds.
  assert.ok(performance.now() - started < 9_000);
  assert.equal(await chain.cursor(), null, "which is no error to tell");
});
