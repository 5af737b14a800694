/**
 * Payments over an Electrum server around reorganizations, cut connections, restarts and failed passes, through the
 * watcher into the ledger: for the tests' own server, and for a real one.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, type TestContext, test } from "node:test";
import { sql } from "drizzle-orm";
import type { NetworkData } from "#lib/chains/network-data.ts";
import type { Failpoint } from "#lib/platform/failpoint.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { type Bitcoin, nobodyOf } from "./bitcoind.ts";
import { startElectrumFake } from "./electrum-fake.ts";
import { electrumNetwork, type StartableServer, watchElectrum } from "./electrum-world.ts";
import { QUICK_START } from "./processes.ts";
import { until } from "./until.ts";
import { polledOften } from "./watched-network.ts";

const SEEN = "seen";
const CREDITED = "credited";
const DROPPED = "dropped";

export interface StoryWorld {
  /** A node with a transaction index. */
  readonly bitcoin: Bitcoin;
  /** The server before it. */
  readonly server: StartableServer;
  /** How bitcoin is read from it. */
  readonly data: NetworkData;
}

type Story = Awaited<ReturnType<typeof openStory>>;

/** A watched link. The server is behind a front that can be cut. */
async function openStory(t: TestContext, { bitcoin, server, data }: StoryWorld) {
  const front = await startElectrumFake(server.url);
  const networkAgain = (accountKey?: string) =>
    polledOften(electrumNetwork([front.url], undefined, accountKey, data));
  const watched = await watchElectrum(networkAgain());
  t.after(async () => {
    await watched.close();
    await front.close();
  });
  let watcher = watched.watch();
  const link = await watched.link(10);
  await until("the watcher's start", async () => ((await watched.cursor())?.height ?? -1) > 0);
  return {
    ...{ bitcoin, server, watched, link, front },
    pay: () => bitcoin.sendTo(link.address, formatAmount(link.due, 8)),
    async follows() {
      const tip = await bitcoin.tip();
      await until("the watcher to follow", async () => (await watched.cursor())?.hash === tip);
    },
    /** The payment counts, once. */
    async isCredited(txid: string) {
      const [deposit] = await watched.depositsAre([CREDITED]);
      const { blockhash } = await bitcoin.call<{ blockhash: string }>("getrawtransaction", txid, true);
      assert.deepEqual([deposit?.txHash, deposit?.blockHash], [txid, blockhash]);
      assert.equal(await watched.balance(), link.due);
      assert.equal(await watched.linkState(link.refid), "completed");
      await this.isBooked(1);
      return deposit!;
    },
    /** The payment does not count. */
    async isReversed(status: typeof SEEN | typeof DROPPED) {
      await watched.depositsAre([status]);
      assert.equal(await watched.balance(), 0n);
      await this.isBooked(0);
    },
    /** As many credits are booked more than reversals. */
    async isBooked(times: number) {
      const types = (await watched.events()).map(({ type }) => type);
      const count = (type: string) => types.filter((one) => one === type).length;
      assert.equal(count("deposit_credited") - count("deposit_reversed"), times);
      assert.deepEqual((await watched.ledger()).problems, []);
    },
    cut: () => {
      front.answer = (response) => response.destroy();
    },
    repair: () => {
      front.answer = null;
    },
    stopWatcher: () => watcher.stop(),
    /** As another process would: it remembers nothing. */
    startWatcher: () => {
      watcher = watched.watch(networkAgain(watched.adapter.accountKey));
    },
  };
}

/** The steps while the chain changes. */
const TROUBLES: Readonly<Record<string, (story: Story, change: () => Promise<void>) => Promise<void>>> = {
  "as it happens": (_, change) => change(),
  "while the connection is cut": async ({ cut, repair }, change) => {
    cut();
    await change();
    repair();
  },
  "while the server is killed": async ({ server }, change) => {
    await server.stop("SIGKILL");
    await change();
    await server.start();
  },
  "while the watcher restarts": async ({ stopWatcher, startWatcher }, change) => {
    await stopWatcher();
    await change();
    startWatcher();
  },
  "after the watcher restarted": async ({ stopWatcher, startWatcher, front }, change) => {
    await stopWatcher();
    const asked = front.calls.length;
    startWatcher();
    await until("its questions", () =>
      front.calls.slice(asked).some(({ method }) => method === "blockchain.scripthash.subscribe"),
    );
    await change();
  },
  "while both restart": async ({ server, stopWatcher, startWatcher }, change) => {
    await stopWatcher();
    await server.stop("SIGTERM");
    await change();
    await server.start();
    startWatcher();
  },
};

/** Replaces the newest block, which holds the payment, by two others. */
async function replaceTip(bitcoin: Bitcoin, blocks: readonly (readonly string[])[]): Promise<void> {
  await bitcoin.invalidate(await bitcoin.tip());
  for (const block of blocks) await bitcoin.mineOnly(block);
}

type Reorganization = (story: Story, txid: string) => Promise<void>;

/** Where the payment is mined again. */
const PLACES: Readonly<Record<string, Reorganization>> = {
  "at the same height": async ({ bitcoin }, txid) => {
    const raw = await bitcoin.call<string>("getrawtransaction", txid);
    await bitcoin.invalidate(await bitcoin.tip());
    // Another set of transactions, so another block.
    const extra = await bitcoin.sendTo(await bitcoin.call("getnewaddress"), "0.01");
    await bitcoin.mineOnly([raw, await bitcoin.call("getrawtransaction", extra)]);
    await bitcoin.mineOnly([]);
  },
  "at another height": async ({ bitcoin }, txid) => {
    const raw = await bitcoin.call<string>("getrawtransaction", txid);
    await replaceTip(bitcoin, [[], [raw]]);
  },
};

/** Tests every story with the server that `open` starts. */
export function testElectrumStories(open: () => Promise<StoryWorld & { close(): Promise<void> }>): void {
  let opened: ReturnType<typeof open> | null = null;
  const begin = async (t: TestContext) => {
    opened ??= open();
    return openStory(t, await opened);
  };
  after(async () => (await opened)?.close());

  for (const [trouble, around] of Object.entries(TROUBLES)) {
    for (const [place, reorganize] of Object.entries(PLACES)) {
      test(`a payment that is mined again ${place} ${trouble} is credited once`, async (t) => {
        const story = await begin(t);
        const txid = await story.pay();
        await story.bitcoin.mine();
        const before = await story.isCredited(txid);
        await around(story, () => reorganize(story, txid));
        await story.follows();
        const { blockHash } = await story.isCredited(txid);
        assert.notEqual(blockHash, before.blockHash);
      });
    }

    test(`a payment that waits again ${trouble} is reversed, and credited with its next block`, async (t) => {
      const story = await begin(t);
      const { bitcoin } = story;
      const txid = await story.pay();
      await bitcoin.mine();
      await story.isCredited(txid);
      await around(story, () => bitcoin.reorg(1, "without"));
      await story.isReversed(SEEN);
      await bitcoin.mine();
      await story.isCredited(txid);
    });

    test(`a payment that another one excludes ${trouble} is reversed, and credited when its branch wins`, async (t) => {
      const story = await begin(t);
      const { bitcoin } = story;
      const txid = await story.pay();
      await bitcoin.mine();
      await story.isCredited(txid);
      const raw = await bitcoin.call<string>("getrawtransaction", txid);
      await around(story, async () => {
        await bitcoin.reorg(1, "without");
        await bitcoin.replace(txid, [[nobodyOf(bitcoin.chain), "0.0001"]]);
        await bitcoin.mine();
      });
      await story.isReversed(DROPPED);
      await around(story, () => replaceTip(bitcoin, [[raw], []]));
      await story.isCredited(txid);
    });
  }
  testCatchUps(begin);
}

/** Makes a commit that has a deposit, or the statement that writes it, fail so often. */
async function failDeposits({ watched: { db } }: Story, at: "commit" | "insert", times: number) {
  await db.execute(sql`create sequence failed`);
  await db.execute(
    sql.raw(`create function fail() returns trigger language plpgsql as $$ begin
      if nextval('failed') <= ${times} then raise exception 'the disk is full'; end if; return null; end $$`),
  );
  const constraint = at === "commit" ? "constraint" : "";
  const deferred = at === "commit" ? "deferrable initially deferred" : "";
  await db.execute(
    sql.raw(`create ${constraint} trigger fail after insert on deposits ${deferred}
      for each row execute function fail()`),
  );
  return async () => {
    const { rows } = await db.execute<{ last_value: string }>(sql`select last_value from failed`);
    return Number(rows[0]?.last_value);
  };
}

/** The points of a pass that records a payment or credits it. */
const KILLED_AT: readonly Failpoint[] = [
  "blocks-read",
  "deposits-recorded",
  "record-committed",
  "deposits-credited",
  "credit-committed",
];

function testCatchUps(begin: (t: TestContext) => Promise<Story>): void {
  /** 2,000 blocks with a payment in the middle of what one scan reads. */
  const grow = async ({ bitcoin, pay }: Story) => {
    await bitcoin.mine(980);
    const txid = await pay();
    for (const blocks of [500, 520]) await bitcoin.mine(blocks);
    return txid;
  };
  for (const at of ["commit", "insert"] as const) {
    test(`a payment whose ${at} fails in a catch-up of 2,000 blocks is credited once`, async (t) => {
      const story = await begin(t);
      const countFailures = await failDeposits(story, at, 3);
      story.cut();
      const txid = await grow(story);
      const since = performance.now();
      story.repair();
      await story.isCredited(txid);
      await story.follows();
      t.diagnostic(`caught up in ${Math.round(performance.now() - since)} ms`);
      assert.ok((await countFailures()) > 3);
      await story.isCredited(txid);
    });
  }

  test("a payment is credited once after a catch-up of 2,000 blocks whose process is killed at every step", async (t) => {
    const story = await begin(t);
    const { watched, front } = story;
    await story.stopWatcher();
    const txid = await grow(story);
    for (const step of KILLED_AT) {
      const watcher = spawn(process.execPath, [...QUICK_START, "tests/support/electrum-process.ts"], {
        env: {
          ...process.env,
          DATABASE_URL: watched.database.url,
          ELECTRUM_URL: front.url,
          ACCOUNT_KEY: watched.adapter.accountKey,
          FAILPOINT: step,
        },
        stdio: "inherit",
      });
      const signal = await new Promise((resolve) => watcher.once("exit", (_, name) => resolve(name)));
      assert.equal(signal, "SIGKILL", step);
    }
    story.startWatcher();
    await story.follows();
    await story.isCredited(txid);
  });
}
