import assert from "node:assert/strict";
import type { DepositStatus } from "#lib/domain/types.ts";
import type { FakeNode } from "#tests/support/fake-node.ts";
import { until } from "#tests/support/until.ts";
import type { WatchedNetwork } from "#tests/support/watched-network.ts";
import type { ContractDriver, Inability } from "./drivers/driver.ts";
import { OUTAGES } from "./node-cases.ts";

/** One network watched through a fake, with a database and merchants. */
export interface WatchBench {
  readonly driver: ContractDriver;
  readonly fake: FakeNode;
  readonly watched: WatchedNetwork;
  /** Stops the watcher and resolves to a function that starts another one. */
  pause(): Promise<() => void>;
}

export type WatchCase = readonly [
  name: string,
  run: (bench: WatchBench) => Promise<void>,
  ...needs: Inability[],
];

/** All networks share one process: what is asked more often slows the watchers. */
const SELDOM = { everyMs: 50 } as const;

type Link = Awaited<ReturnType<WatchedNetwork["link"]>>;

/** Waits until the address has deposits of these statuses, in the order in which they were first seen. */
async function deposited({ watched }: WatchBench, { address }: Link, ...statuses: readonly DepositStatus[]) {
  let found = "none";
  const ask = async () => {
    const rows = await watched.depositsTo(address);
    found = rows.map(({ status }) => status).join();
    return found === statuses.join() ? rows : null;
  };
  return until(`deposits ${statuses}`, ask, SELDOM).catch((error: Error) =>
    assert.fail(`${error.message}; they are ${found}`),
  );
}

/** Waits until the watcher has read what is now the node's newest block, on its branch and without an error. */
async function settled({ driver, watched }: WatchBench): Promise<void> {
  const { height } = await driver.tip();
  const ask = async () => {
    const at = await watched.cursor();
    if (at === null || at.height < height || at.error !== null) return false;
    return (await driver.block(at.height)).hash === at.hash;
  };
  await until("the watcher to be at the node's head", ask, SELDOM);
}

/** The events of a link with this prefix, in order, without the prefix. */
async function reportedEvents({ watched }: WatchBench, { refid }: Link, prefix = "deposit_") {
  const events = await watched.events();
  const ofLink = events.filter(({ type, data }) => data.refid === refid && type.startsWith(prefix));
  return ofLink.map(({ type }) => type.slice(prefix.length));
}

/** Checks that the merchants received this much since `before`, and that the ledger is correct. */
async function balanced({ watched }: WatchBench, before: bigint, gained: bigint): Promise<void> {
  assert.equal((await watched.balance()) - before, gained);
  assert.deepEqual((await watched.ledger()).problems, []);
}

/** A link that is paid completely and not mined. */
async function payLink({ driver, watched }: WatchBench) {
  const link = await watched.link(10);
  return { link, hash: await driver.send(link.address, link.due) };
}

const REORGANIZATION_CASES: readonly WatchCase[] = [1, 13].flatMap((depth): WatchCase[] => [
  [
    `a payment that a reorganization of ${depth} keeps is one deposit, credited once`,
    async (bench) => {
      const { driver, watched } = bench;
      const balance = await watched.balance();
      const { link } = await payLink(bench);
      await driver.mine(depth);
      const [before] = await deposited(bench, link, depth >= driver.blocksToCredit ? "credited" : "seen");
      await driver.reorg(depth, { keep: true });
      await settled(bench);
      await driver.mine(driver.blocksToCredit);
      const [after] = await deposited(bench, link, "credited");
      assert.equal(after!.id, before!.id);
      assert.notEqual(after!.blockHash, before!.blockHash);
      assert.equal(after!.blockHash, (await driver.block(after!.blockHeight!)).hash);
      assert.equal(after!.creditRound, 1);
      assert.deepEqual(await reportedEvents(bench, link), ["credited"]);
      assert.equal(await watched.linkState(link.refid), "completed");
      await balanced(bench, balance, link.due);
    },
    "be reorganized",
  ],
  [
    `reverses a credited payment after a reorg of ${depth}, and credits it when it is included again`,
    async (bench) => {
      const { driver, watched } = bench;
      const balance = await watched.balance();
      const { link, hash } = await payLink(bench);
      await driver.mine(depth);
      const wasCredited = depth >= driver.blocksToCredit;
      const [before] = await deposited(bench, link, wasCredited ? "credited" : "seen");
      await driver.reorg(depth, { keep: false });
      await settled(bench);
      await deposited(bench, link, driver.showsMempool ? "seen" : "dropped");
      assert.equal(await watched.linkState(link.refid), driver.showsMempool ? "detected" : "awaiting");
      await balanced(bench, balance, 0n);

      await driver.resend(hash);
      await driver.mine(driver.blocksToCredit);
      const [again] = await deposited(bench, link, "credited");
      assert.equal(again!.id, before!.id);
      assert.equal(again!.creditRound, wasCredited ? 2 : 1);
      assert.equal((await reportedEvents(bench, link, "payment_link_")).includes("reverted"), wasCredited);
      assert.deepEqual(
        await reportedEvents(bench, link),
        wasCredited ? ["credited", "reversed", "credited"] : ["credited"],
      );
      assert.equal(await watched.linkState(link.refid), "completed");
      await balanced(bench, balance, link.due);
    },
    "be reorganized",
  ],
]);

const REPLACEMENT_CASES: readonly WatchCase[] = [
  [
    "never credits a payment that is replaced before it is mined, and credits its replacement once",
    async (bench) => {
      const { driver, watched } = bench;
      const balance = await watched.balance();
      const { link: first, hash } = await payLink(bench);
      if (driver.showsMempool) await deposited(bench, first, "seen");
      const second = await watched.link(10);
      await driver.replace(hash, second.address, second.due);
      await driver.mine(driver.blocksToCredit);
      await deposited(bench, second, "credited");
      await settled(bench);
      const statuses = (await watched.depositsTo(first.address)).map(({ status }) => status);
      if (statuses.length > 0) await deposited(bench, first, "dropped");
      assert.deepEqual(
        [await reportedEvents(bench, first), await reportedEvents(bench, second)],
        [[], ["credited"]],
      );
      assert.equal(await watched.linkState(first.refid), "awaiting");
      await balanced(bench, balance, second.due);
    },
    "mine on demand",
  ],
  [
    "reverses a credited payment for good when the other branch spends its money elsewhere",
    async (bench) => {
      const { driver, watched } = bench;
      const balance = await watched.balance();
      const { link: first, hash } = await payLink(bench);
      await driver.mine(driver.blocksToCredit);
      await deposited(bench, first, "credited");
      const second = await watched.link(10);
      await driver.reorg(driver.blocksToCredit, { keep: false });
      await driver.replace(hash, second.address, second.due);
      await driver.mine(driver.blocksToCredit);
      await deposited(bench, second, "credited");
      await deposited(bench, first, "dropped");
      assert.deepEqual(await reportedEvents(bench, first), ["credited", "reversed"]);
      assert.deepEqual(await reportedEvents(bench, second), ["credited"]);
      assert.equal(await watched.linkState(first.refid), "awaiting");
      await balanced(bench, balance, second.due);
    },
    "be reorganized",
  ],
];

const PAYMENT_CASES: readonly WatchCase[] = [
  [
    "credits two merchants that one transaction pays with their own payment each",
    async (bench) => {
      const { driver, watched } = bench;
      const before = [await watched.balance(0), await watched.balance(1)];
      const links = [await watched.link(10, 0), await watched.link(30, 1)] as const;
      await driver.sendMany(links.map(({ address, due }) => [address, due]));
      await driver.mine(driver.blocksToCredit);
      const rows = [
        await deposited(bench, links[0], "credited"),
        await deposited(bench, links[1], "credited"),
      ].flat();
      assert.equal(rows[0]!.txHash, rows[1]!.txHash);
      for (const owner of [0, 1] as const) {
        assert.equal((await watched.balance(owner)) - before[owner]!, links[owner].due);
        assert.equal(await watched.linkState(links[owner].refid), "completed");
        assert.deepEqual(await reportedEvents(bench, links[owner]), ["credited"]);
      }
      assert.deepEqual((await watched.ledger()).problems, []);
    },
    "pay several addresses at once",
  ],
  [
    "completes a link with a payment, and not with an amount of 0, a failure, another token or a fake payment",
    async (bench) => {
      const { driver, watched } = bench;
      const balance = await watched.balance();
      const link = await watched.link(10);
      await driver.sendNothing(link.address);
      await driver.sendFailing(link.address);
      await driver.sendOthers(link.address);
      await driver.sendLookAlikes(link.address);
      await driver.mine(driver.blocksToCredit);
      await settled(bench);
      assert.deepEqual(await watched.depositsTo(link.address), []);
      assert.equal(await watched.linkState(link.refid), "awaiting");
      await balanced(bench, balance, 0n);
      await driver.send(link.address, link.due);
      await driver.mine(driver.blocksToCredit);
      await deposited(bench, link, "credited");
      assert.equal(await watched.linkState(link.refid), "completed");
      await balanced(bench, balance, link.due);
    },
  ],
];

/** Pays a link while `spoil` causes errors, and credits it once the errors stop. */
async function payThrough(bench: WatchBench, name: string, spoil: () => void, heal: () => void) {
  const { driver, watched } = bench;
  await settled(bench);
  const at = (await watched.cursor())!.height;
  spoil();
  const { link } = await payLink(bench);
  await driver.mine();
  await until(`the error of ${name}`, async () => (await watched.cursor())?.error);
  assert.equal((await watched.cursor())!.height, at, name);
  const inBlocks = (await watched.depositsTo(link.address)).filter(({ blockHash }) => blockHash !== null);
  assert.deepEqual(inBlocks, [], name);
  heal();
  await settled(bench);
  return link;
}

async function creditedOnce(bench: WatchBench, links: readonly Link[], balance: bigint): Promise<void> {
  await bench.driver.mine(bench.driver.blocksToCredit);
  for (const link of links) {
    await deposited(bench, link, "credited");
    assert.deepEqual(await reportedEvents(bench, link), ["credited"]);
  }
  await balanced(
    bench,
    balance,
    links.reduce((sum, { due }) => sum + due, 0n),
  );
}

const NODE_CASES: readonly WatchCase[] = [
  [
    "loses no payment while a node is broken, whatever it answers",
    async (bench) => {
      const { fake, watched } = bench;
      const balance = await watched.balance();
      const links: Link[] = [];
      for (const [name, outage] of Object.entries(OUTAGES)) {
        const set = (answer: FakeNode["answer"]) => () => {
          fake.answer = answer;
        };
        links.push(await payThrough(bench, name, set(outage), set(null)));
      }
      await creditedOnce(bench, links, balance);
    },
    "mine on demand",
  ],
  [
    "records nothing from malformed answers, reports an error, and continues once the answers are valid",
    async (bench) => {
      const { driver, fake, watched } = bench;
      const balance = await watched.balance();
      const links: Link[] = [];
      for (const [name, lie] of Object.entries(driver.lies)) {
        const set = (twist: FakeNode["twist"]) => () => {
          fake.twist = twist;
        };
        links.push(await payThrough(bench, name, set(lie), set(null)));
      }
      await creditedOnce(bench, links, balance);
    },
    "mine on demand",
  ],
  [
    "waits for a node that falls behind, without going back or skipping blocks",
    async (bench) => {
      const { driver, fake, watched } = bench;
      await driver.mine(6);
      await settled(bench);
      const balance = await watched.balance();
      const { height } = (await watched.cursor())!;
      fake.twist = await driver.stale(height - 4);
      const { link } = await payLink(bench);
      await driver.mine(2);
      const noted = await until("the node's height to be noted", async () => {
        const cursor = await watched.cursor();
        return cursor?.nodeHeight === height - 4 ? cursor : null;
      });
      const looks = fake.calls.length;
      await until("more looks at it", () => fake.calls.length > looks + 8);
      const cursor = (await watched.cursor())!;
      assert.equal(cursor.height, height);
      assert.deepEqual(
        cursor.passStartedAt,
        noted.passStartedAt,
        "a look at an old chain does not count as a pass",
      );
      fake.twist = null;
      await creditedOnce(bench, [link], balance);
    },
    "mine on demand",
  ],
  [
    "finds each payment that was made while no watcher ran once, in answers that are cut short",
    async (bench) => {
      const { driver, fake, watched } = bench;
      const balance = await watched.balance();
      const resume = await bench.pause();
      const links: Link[] = [];
      for (let i = 0; i < 3; i++) {
        links.push((await payLink(bench)).link);
        await driver.mine(10);
      }
      fake.twist = driver.cut.twist;
      resume();
      if (driver.cut.outcome === "refused") {
        await until("the cut answers to be refused", async () => (await watched.cursor())?.error);
        assert.deepEqual(await Promise.all(links.map((link) => reportedEvents(bench, link))), [[], [], []]);
        fake.twist = null;
      }
      await settled(bench);
      fake.twist = null;
      await creditedOnce(bench, links, balance);
    },
  ],
];

/** Payments in the ledger, on every network. The cases run in this order on one chain. */
export const WATCHER_CASES: readonly WatchCase[] = [
  ...REORGANIZATION_CASES,
  ...REPLACEMENT_CASES,
  ...PAYMENT_CASES,
  ...NODE_CASES,
];
