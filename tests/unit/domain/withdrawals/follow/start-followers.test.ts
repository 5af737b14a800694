import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import { startFollowers } from "#lib/domain/withdrawals/follow/start-followers.ts";
import { insertOutgoingTransaction } from "#lib/domain/withdrawals/signer/outgoing-store.ts";
import { followedDatabaseOfFile } from "#tests/support/file-database.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";
import { aHash } from "#tests/support/withdrawals.ts";
import { scriptedNetworks } from "#tests/unit/domain/withdrawals/scripted-nodes.ts";
import { fundScripted, openScripted } from "#tests/unit/domain/withdrawals/scripted-withdrawals.ts";

const EVERY_MS = 5_000;
const log = pino({ level: "silent" });
const { changes, ...t } = await followedDatabaseOfFile("withdrawals");
await fundScripted(t.db);

/** The networks with one more: base, whose node never answers. `asked` resolves when it is asked. */
function addHanging(networks: NetworkRegistry) {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<never>();
  const [adapter] = networks.all();
  const fetchHead = () => {
    asked.resolve();
    return released.promise;
  };
  const hanging: NetworkAdapter = {
    ...adapter!,
    network: "base",
    blocks: { ...adapter!.blocks, fetchHead },
  };
  const all = [hanging, ...networks.all()];
  const registry: NetworkRegistry = {
    find: (env, network) => all.find((one) => one.env === env && one.network === network) ?? null,
    list: (env) => all.filter((one) => one.env === env),
    all: () => all,
  };
  return { registry, asked: asked.promise, release: () => released.reject(new Error("the test has ended")) };
}

test("a node that hangs delays neither the withdrawals of another network nor those that need no node", async (t2) => {
  const w = openScripted(t.db);
  const { registry, asked, release } = addHanging(scriptedNetworks(w.node, w.second));
  const hash = aHash();
  const { env, kind } = { env: "test", kind: "payout" } as const;
  const unsettled = { env, kind, network: "base", hash, raw: "0x", spends: [], moves: [] } as const;
  await insertOutgoingTransaction(t.db, unsettled, new Date());
  const clock = openManualClock();
  // The clock is moved when a loop has begun to wait for it, too.
  const sleep: typeof clock.sleep = (ms, signal) => {
    const slept = clock.sleep(ms, signal);
    changes.wake();
    return slept;
  };
  const loops = startFollowers({ db: t.db, networks: registry, log, ...clock, sleep });
  t2.after(async () => {
    release();
    await Promise.all(loops.map((loop) => loop.stop()));
  });
  await asked;

  const [paid, declined] = [await w.create(), await w.create()];
  assert.ok((await w.sent(paid.refid, w.known())).ok);
  assert.ok((await w.fail(declined.refid, "wrong address")).ok);
  await changes.until("both withdrawals have ended", async () => {
    const statuses = [(await w.row(paid.id)).status, (await w.row(declined.id)).status];
    if (statuses.join() === "completed,failed") return true;
    await clock.advance(EVERY_MS);
    return false;
  });
});
