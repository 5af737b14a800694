/** The order in which the queue reads histories, and the ends of waits for it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createAddressSync } from "#lib/chains/electrum/address-sync.ts";
import { createHeaderBudget } from "#lib/chains/electrum/old-headers.ts";
import { createProvenPayments } from "#lib/chains/electrum/proven-payments.ts";
import type { ElectrumSession } from "#lib/chains/electrum/session.ts";
import { payment } from "./fake-mempool.ts";

const [one, two] = [payment(1), payment(2)];
const USED = [{ tx_hash: one.txid, height: 0 }];

/** A server that reports every address as used. `readHistory`: the answer when one is asked for the nth time. */
function openSync(readHistory: (scriptHash: string, nth: number) => Promise<readonly unknown[]>) {
  const asked: string[] = [];
  const subscribed: string[] = [];
  const ask: ElectrumSession["ask"] = async (method, [param]) => {
    if (method === "blockchain.transaction.get")
      return { ok: true, result: param === one.txid ? one.hex : two.hex };
    const scriptHash = String(param);
    const isHistory = method === "blockchain.scripthash.get_history";
    (isHistory ? asked : subscribed).push(scriptHash);
    if (!isHistory) return { ok: true, result: "ab".repeat(32) };
    const nth = asked.filter((all) => all === scriptHash).length;
    return { ok: true, result: await readHistory(scriptHash, nth) };
  };
  const session = {
    name: "test",
    ask,
    caughtUp: async () => {},
    close: (error: Error) => assert.fail(error),
  };
  const sync = createAddressSync(session as unknown as ElectrumSession, {
    ...{ blockExtra: undefined, proven: createProvenPayments(), findRecordedBlocks: async () => new Map() },
    memory: { statuses: new Map(), highest: new Map(), tooLong: new Set() },
    ...{ budget: createHeaderBudget(), onNews: () => {}, onTooLong: () => {} },
  });
  return { sync, asked, subscribed };
}

/** Whether it resolves without anything that comes from outside. */
async function isOver(work: Promise<void>): Promise<boolean> {
  let over = false;
  void work.then(() => {
    over = true;
  });
  await setImmediate();
  return over;
}

test("a history that failed is waited for until it is read, also after the pause of the first worker", async () => {
  const [second, later, answer] = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const { sync } = openSync(async (scriptHash, nth) => {
    if (scriptHash === "failing" && nth === 1) return [];
    if (scriptHash === "failing") {
      second!.resolve();
      await answer!.promise;
    }
    if (scriptHash === "usual") await setImmediate();
    if (scriptHash === "later" && nth === 1) {
      await second!.promise;
      return [];
    }
    // After the pauses of both.
    if (scriptHash === "later") later!.resolve();
    return USED;
  });
  sync.watch(["failing", "usual", "later"]);
  const idle = sync.idle();
  await later!.promise;
  assert.equal(await isOver(idle), false);
  answer!.resolve();
  await idle;
  assert.equal(sync.waiting().length, 3);
});

test("a new address is subscribed to while histories are asked for all the time", {
  timeout: 5_000,
}, async () => {
  let isBusy = true;
  const { sync, subscribed } = openSync(async () => {
    await setImmediate();
    if (isBusy) sync.touch(["first", "second"]);
    return USED;
  });
  sync.touch(["first"]);
  sync.watch(["new"]);
  await sync.idle();
  assert.deepEqual(subscribed, ["new"]);
  isBusy = false;
  await sync.idle();
});

test("a history is read once at a time, so that no older answer replaces a newer one", async () => {
  const [older, newer] = [0, 1].map(() => Promise.withResolvers<void>());
  const { sync, asked } = openSync(async (scriptHash, nth) => {
    if (scriptHash !== "paid") return USED;
    await (nth === 1 ? older : newer)!.promise;
    return nth === 1 ? [{ tx_hash: two.txid, height: 0 }] : USED;
  });
  sync.touch(["paid", "other"]);
  sync.touch(["paid"]);
  await setImmediate();
  newer!.resolve();
  await setImmediate();
  older!.resolve();
  await sync.idle();
  const txids = sync.waiting().map(({ transaction }) => transaction.txid);
  assert.deepEqual(
    [txids, asked],
    [
      [one.txid, one.txid],
      ["paid", "other", "paid"],
    ],
  );
});

test("a history that takes long holds back no other one", { timeout: 5_000 }, async () => {
  const answer = Promise.withResolvers<void>();
  const { sync, asked } = openSync(async (scriptHash) => {
    if (scriptHash === "long") await answer.promise;
    return USED;
  });
  sync.touch(["long"]);
  const many = Array.from({ length: 100 }, (_, nth) => `other ${nth}`);
  sync.touch(many);
  await setImmediate();
  assert.deepEqual(asked.toSorted(), ["long", ...many].toSorted());
  const idle = sync.idle();
  assert.equal(await isOver(idle), false);
  answer.resolve();
  await idle;
});
