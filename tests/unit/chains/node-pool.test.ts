import assert from "node:assert/strict";
import { test } from "node:test";
import { type Logger, pino } from "pino";
import { NodeError, type NodeErrorKind } from "#lib/chains/node-error.ts";
import { nodeCounters } from "#lib/chains/node-metrics.ts";
import { openNodePool } from "#lib/chains/node-pool.ts";
import type { LastRead } from "#lib/chains/node-rules.ts";
import type { NodeReader } from "#lib/chains/pool-node.ts";
import { IDLE_CAPABILITIES, NO_TRANSACTIONS } from "#tests/support/idle-capabilities.ts";
import { until } from "#tests/support/until.ts";

/** A chain as one node reports it: block hashes by height. */
class Node {
  readonly name: string;
  chain: string[];
  failing: Error | null = null;
  wrongChain = false;
  /** Blocks that its chain has replaced by more work. */
  replaced: readonly string[] = [];
  identified = 0;
  asked = 0;
  constructor(name: string, chain: string[]) {
    this.name = name;
    this.chain = chain;
  }

  #answer<T>(answer: () => T): Promise<T> {
    this.asked += 1;
    return this.failing ? Promise.reject(this.failing) : Promise.resolve(answer());
  }
  read(): NodeReader & { readonly node: Node } {
    const height = () => this.chain.length - 1;
    return {
      node: this,
      blocks: {
        checkIdentity: () =>
          this.#answer(() => {
            this.identified += 1;
            if (this.wrongChain) throw new NodeError("wrong_chain", `${this.name} is of another chain`);
          }),
        fetchHead: () =>
          this.#answer(() => ({ height: height(), hash: this.chain.at(-1) ?? "", finalizedHeight: null })),
        fetchHash: (at) => this.#answer(() => this.chain[at] ?? null),
        scan: () => this.#answer(() => ({ transfers: [], tipHash: "", parentHash: "" })),
        hasMoreWork: async ({ hash }) => this.replaced.includes(hash),
        readAgainAbove: async () => {},
      },
      ...IDLE_CAPABILITIES,
      transactions: {
        ...NO_TRANSACTIONS,
        fetchStatus: () => this.#answer(() => ({ kind: "unknown" as const })),
      },
    };
  }
}

const blocks = (count: number, branch = "") => Array.from({ length: count }, (_, i) => `${i}${branch}`);
const failure = (kind: NodeErrorKind, options = {}) => new NodeError(kind, `a node is ${kind}`, options);

let opened = 0;

/** Nodes of ten blocks each, a clock, and a pool of them. */
function open(count: number, log?: Logger) {
  const nodes = Array.from({ length: count }, (_, i) => new Node(`n${i}.example`, blocks(10)));
  const clock = { now: 1_000_000 };
  // Its own name: the counters are the process's.
  opened += 1;
  const scope = { env: "test", network: `pool ${opened}` } as const;
  const pool = openNodePool({
    scope,
    counters: nodeCounters,
    urls: nodes.map(({ name }) => `http://${name}/key`),
    read: (line) => nodes.find(({ name }) => name === line.name)!.read(),
    timeoutMs: 1_000,
    blockSeconds: 1,
    log,
    now: () => clock.now,
    random: () => 0,
  });
  const [a, b, c] = nodes as [Node, Node, Node];
  const tip = { height: 9, hash: "9" };
  /** The name of the node that does the work. The work checks the node's height. */
  const lastRead: LastRead = { node: null, hash: null };
  const chosen = (at: typeof tip | null = tip) =>
    pool.withOne({ lastBlock: at, lastRead }, async ({ node, blocks }) => {
      const { height } = await blocks.fetchHead();
      if (at !== null && height < at.height) throw failure("behind", { height });
      return node.name;
    });
  /** The failures that the metrics show, in the order of the nodes. */
  const failures = async () => {
    const { values } = await nodeCounters.errors.get();
    return values.filter(({ labels }) => labels.network === scope.network).map(({ value }) => value);
  };
  return { ...{ a, b, c, nodes, pool, clock, chosen, tip, failures } };
}

test("uses the first working node and keeps using it", async () => {
  const { a, b, chosen } = open(2);
  assert.equal(await chosen(), "n0.example");
  assert.equal(await chosen(), "n0.example");
  assert.equal(a.identified, 1);
  await until("the other to have been asked for its height", () => b.identified === 1);
});

test("starts failed work again on the next node, so that no result mixes two nodes", async () => {
  const { a, b, pool } = open(2);
  const seen: string[] = [];
  const result = await pool.withOne({ lastBlock: null }, async ({ node, blocks }) => {
    seen.push(node.name);
    const { height } = await blocks.fetchHead();
    if (node === a) a.failing = failure("unreachable");
    return [node.name, await blocks.fetchHash(height)];
  });
  assert.deepEqual(seen, [a.name, b.name]);
  assert.deepEqual(result, [b.name, "9"]);
});

test("compares the next node with the block that failed work has recorded meanwhile", async () => {
  const { a, b, pool, tip } = open(2);
  a.chain.push("10a", "11a");
  b.chain.push("10b");
  let last = tip;
  const tried: string[] = [];
  const work = pool.withOne({ lastBlock: async () => last }, async ({ node }) => {
    tried.push(node.name);
    last = { height: 11, hash: "11a" };
    throw failure("unreachable");
  });
  await assert.rejects(work);
  assert.deepEqual(tried, [a.name], "the other node is below it, and on another branch");
});

test("compares the node of the last work, too, with what another node has recorded meanwhile", async () => {
  const { a, b, pool, clock, chosen, tip } = open(2);
  a.failing = failure("unreachable");
  assert.equal(await chosen(), b.name);
  a.failing = null;
  clock.now += 60_000;
  assert.equal(await chosen(), b.name);
  await until("the first node to have answered a probe", () => pool.report()[0]?.height === 9);
  a.chain.push("10a");
  b.chain.push("10b");
  let last = tip;
  const tried: string[] = [];
  const work = pool.withOne({ lastBlock: async () => last }, async ({ node }) => {
    tried.push(node.name);
    last = { height: 10, hash: "10a" };
    throw failure("unreachable");
  });
  await assert.rejects(work);
  assert.deepEqual(tried, [a.name], "the other node is on another branch, which is not longer");
});

test("rejects a node of another chain before any read, and logs it once", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const { a, pool, clock, chosen } = open(2, log);
  a.wrongChain = true;
  for (let i = 0; i < 5; i++) {
    assert.equal(await chosen(), "n1.example");
    clock.now += 120_000;
  }
  assert.equal(a.asked, a.identified);
  assert.deepEqual(
    lines.map(({ level, node }) => [level, node]),
    [[50, "n0.example"]],
  );
  assert.partialDeepStrictEqual(pool.report()[0], { error: "n0.example is of another chain", height: null });
});

test("checks a node's chain again after every failure", async () => {
  const { a, pool, clock } = open(1);
  for (let failures = 1; failures <= 3; failures++) {
    await pool.reader.blocks.fetchHead();
    assert.equal(a.identified, failures);
    a.failing = failure("unreachable");
    await assert.rejects(pool.reader.blocks.fetchHead(), { kind: "unreachable" });
    a.failing = null;
    clock.now += 60_000;
  }
});

test("does not use a broken node until it has answered a background probe", async () => {
  const { a, chosen, clock } = open(2);
  await chosen();
  a.failing = failure("unreachable");
  assert.equal(await chosen(), "n1.example");
  const { asked } = a;
  for (let i = 0; i < 5; i++) assert.equal(await chosen(), "n1.example");
  assert.equal(a.asked, asked, "not asked again at once");
  a.failing = null;
  clock.now += 5_000;
  await chosen();
  await until("it to be asked in the background", () => a.asked > asked);
  await until("it to be used again", async () => (await chosen()) === "n0.example");
});

test("does not use a node below the last block, and reports the height when all nodes are below", async () => {
  const { a, b, chosen } = open(2);
  a.chain = blocks(8);
  assert.equal(await chosen(), "n1.example");
  b.chain = blocks(9);
  const behind = await chosen().catch((error: unknown) => error);
  assert.ok(behind instanceof NodeError);
  assert.deepEqual([behind.kind, behind.height], ["behind", 8]);
});

test("follows another node's branch only if it is longer and no node of our branch has answered for a while", async () => {
  const { a, b, chosen, clock } = open(2);
  await chosen();
  b.chain = [...blocks(9), "9b"];
  a.failing = failure("unreachable");
  await assert.rejects(chosen(), /another block 9/);
  b.chain = [...blocks(9), "9b", "10b"];
  await assert.rejects(chosen(), /n1\.example is on another branch/);
  clock.now += 19_999;
  await assert.rejects(chosen(), { kind: "unreachable" });
  clock.now += 1;
  assert.equal(await chosen(), "n1.example");
});

test("follows another node's branch of more work in the same way, although it is not longer", async () => {
  for (const branch of [
    [...blocks(9), "9b"],
    [...blocks(7), "7b"],
  ]) {
    const { a, b, pool, chosen, clock, tip } = open(2);
    await chosen();
    b.chain = branch;
    a.failing = failure("unreachable");
    await assert.rejects(chosen(), { kind: "unreachable" });
    b.replaced = [tip.hash];
    const used = () => pool.withOne({ lastBlock: tip }, async ({ node }) => node.name);
    await assert.rejects(used(), /n1\.example is on another branch/);
    clock.now += 20_000;
    assert.equal(await used(), "n1.example");
  }
});

test("does not follow a longer branch while one node has ours", async () => {
  const { a, chosen, clock } = open(3);
  a.chain = [...blocks(9), "9b", "10b"];
  for (let i = 0; i < 3; i++) {
    assert.equal(await chosen(), "n1.example");
    clock.now += 9_000;
  }
});

test("leaves a node that has our block but stops below a longer branch", async () => {
  const { a, b, pool, chosen, clock } = open(2);
  await chosen();
  b.chain = [...blocks(9), "9b", "10b"];
  clock.now += 21_000;
  assert.equal(await chosen(), a.name);
  await until("the other's height to be known", () => pool.report()[1]?.height === 10);
  assert.equal(await chosen(), b.name);
});

test("follows the reorg of the node in use", async () => {
  const { a, chosen } = open(2);
  await chosen();
  a.chain = [...blocks(8), "8x", "9x"];
  assert.equal(await chosen(), "n0.example");
});

test("leaves a node that stops while another continues", async () => {
  const { a, b, chosen, clock } = open(2);
  await chosen();
  b.chain = blocks(12);
  for (let i = 0; i < 4; i++) {
    clock.now += 6_000;
    await chosen();
    await new Promise(setImmediate);
  }
  assert.equal(await chosen(), "n1.example");
  a.chain = blocks(12);
  clock.now += 6_000;
  await chosen({ height: 11, hash: "11" });
  await until("it to be used again", async () => (await chosen({ height: 11, hash: "11" })) === a.name);
});

test("does not treat nodes as lagging behind an impossible height: the lying node fails", async () => {
  const { a, b, pool, clock, chosen } = open(2);
  b.chain = blocks(5_000, "lie");
  await chosen();
  clock.now += 60_000;
  await chosen();
  await until("its height to be known", () => pool.report()[1]?.height === 4_999);
  const result = await pool.withOne({ lastBlock: { height: 9, hash: "9" } }, async ({ node }) => {
    if (node === b) throw failure("inconsistent");
    return node.name;
  });
  assert.equal(result, a.name);
  assert.equal(await chosen(), a.name);
});

test("asks another node after a refusal, and counts the refusal only if the other one succeeds", async () => {
  const { a, b, pool, chosen, failures } = open(2);
  const refusing = (...nodes: Node[]) =>
    pool.withOne({ lastBlock: null }, async ({ node }) => {
      if (nodes.includes(node)) throw failure("refused");
      return node.name;
    });
  await assert.rejects(refusing(a, b), { kind: "refused" });
  assert.equal(await chosen(), a.name);
  assert.equal(await refusing(a), b.name);
  assert.equal(await chosen(), b.name);
  assert.deepEqual(await failures(), [1, 0]);
});

test("does not count failures that one reader's request causes", async () => {
  const { a, b, pool, chosen } = open(2);
  for (let i = 0; i < 10; i++) {
    const asked = pool.use(async ({ node }) => {
      if (node === a || i % 2 === 0) throw failure("refused");
      return node.name;
    });
    if (i % 2 === 0) await assert.rejects(asked, { kind: "refused" });
    else assert.equal(await asked, b.name);
  }
  assert.equal(await chosen(), a.name);
  a.failing = failure("unreachable");
  assert.deepEqual(await pool.reader.transactions!.fetchStatus("0x"), { kind: "unknown" });
});

test("does not ask a rate-limited node before its time, even when it is the only one", async () => {
  const { a, pool, clock } = open(1);
  a.failing = failure("rate_limited", { retryAfterMs: 30_000 });
  await assert.rejects(pool.reader.blocks.fetchHead(), { kind: "rate_limited" });
  const { asked } = a;
  a.failing = null;
  clock.now += 29_000;
  await assert.rejects(pool.reader.blocks.fetchHead(), { kind: "rate_limited", retryAfterMs: 1_000 });
  assert.equal(a.asked, asked);
  clock.now += 1_000;
  assert.equal((await pool.reader.blocks.fetchHead()).height, 9);
});

test("reports all errors without a URL when every node fails, and uses the one that works again", async () => {
  const { a, b, chosen, clock } = open(2);
  a.failing = new NodeError("unreachable", "n0.example does not answer");
  b.wrongChain = true;
  await assert.rejects(chosen(), {
    kind: "unreachable",
    message: "n0.example does not answer; n1.example is of another chain",
  });
  a.failing = null;
  clock.now += 60_000;
  assert.equal(await chosen(), a.name);
});

test("throws other errors unchanged and tries no other node", async () => {
  const { b, pool, failures } = open(2);
  const fault = new TypeError("the database, or our own fault");
  await assert.rejects(
    pool.withOne({ lastBlock: null }, async () => {
      throw fault;
    }),
    fault,
  );
  assert.ok(b.asked <= 2);
  assert.deepEqual(await failures(), [0, 0]);
});

test("counts no failure for requests that are aborted at shutdown", async () => {
  const { b, pool, failures } = open(2);
  const stop = new AbortController();
  await assert.rejects(
    pool.withOne({ lastBlock: null, signal: stop.signal }, async () => {
      stop.abort();
      throw failure("unreachable");
    }),
    { kind: "unreachable" },
  );
  assert.ok(b.asked <= 2);
  assert.deepEqual(await failures(), [0, 0]);
});

test("asks every node at once, also those that fail", async () => {
  const { pool, nodes } = open(3);
  nodes[0]!.failing = failure("unreachable");
  nodes[2]!.chain = blocks(12);
  const askHeights = () => pool.askEach(async ({ blocks }) => (await blocks.fetchHead()).height);
  assert.deepEqual(await askHeights(), [{ ok: false }, { ok: true, result: 9 }, { ok: true, result: 11 }]);
  nodes[0]!.failing = new Error("a bug");
  await assert.rejects(askHeights(), /a bug/);
});

test("a node that failed, or limits our requests, is not asked where that is not needed", async () => {
  const { pool, nodes } = open(3);
  nodes[0]!.failing = failure("unreachable");
  nodes[1]!.failing = failure("rate_limited", { retryAfterMs: 60_000 });
  await pool.withOne({ lastBlock: null }, ({ blocks }) => blocks.fetchHead());
  const asked = nodes.map((node) => node.asked);
  const answers = await pool.askWorking(async ({ blocks }) => (await blocks.fetchHead()).height);
  assert.deepEqual(answers, [{ ok: true, result: 9 }]);
  assert.deepEqual(asked.slice(0, 2), [nodes[0]!.asked, nodes[1]!.asked]);
});
