import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ne } from "drizzle-orm";
import { webhookDeliveries } from "#lib/domain/webhooks/tables.ts";
import { testDatabase } from "#tests/support/database.ts";
import { emitRawEvents } from "#tests/support/emit-raw-event.ts";
import { between, LONG } from "#tests/support/fault-random.ts";
import { QUICK_START } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";
import { merchantWithEndpoint, startReceiver } from "#tests/unit/domain/webhooks/receiver.ts";

const KILLS = LONG ? 40 : 6;
/** A claim lasts for the longest attempt, 15 s, and another 10 s. */
const CLAIM_MS = 25_000;
/** Between two kills. */
const EVENTS_PER_KILL = 60;
const SCRIPT = fileURLToPath(new URL("../unit/domain/webhooks/worker-process.ts", import.meta.url));

test(`of ${KILLS} killed workers none loses an event, and claimed deliveries are free after 25 s and sent`, async (t) => {
  const base = await testDatabase();
  const receiver = await startReceiver();
  const workers = new Set<ChildProcess>();
  t.after(async () => {
    for (const worker of workers) worker.kill("SIGKILL");
    await receiver.close();
    await base.close();
  });
  // Slow enough that a worker is killed before, during and after its requests.
  receiver.reply(async (response) => {
    await pause(between(1, 120));
    response.writeHead(204).end();
  });
  const start = () => {
    const worker = spawn(process.execPath, [...QUICK_START, SCRIPT, base.url, "15000"], { stdio: "inherit" });
    workers.add(worker);
    return worker;
  };
  const kill = async (worker: ChildProcess) => {
    workers.delete(worker);
    worker.kill("SIGKILL");
    await once(worker, "exit");
  };

  const { merchantId } = await merchantWithEndpoint(base.db, receiver);
  const event = { merchantId, env: "test", type: "deposit_credited", dataJson: "{}", txHashes: [] } as const;
  const emitted: number[] = [];
  const queue = [start(), start()];
  for (let kills = 0; kills < KILLS; kills++) {
    const before = receiver.received.length;
    const events = Array.from({ length: EVENTS_PER_KILL }, () => event);
    const stored = await base.db.transaction((tx) => emitRawEvents(tx, events, new Date()));
    emitted.push(...stored.map(({ id }) => id));
    const some = before + between(1, EVENTS_PER_KILL / 2);
    await until("some to arrive", () => receiver.received.length >= some, { withinMs: 60_000, everyMs: 1 });
    queue.push(start());
    await kill(queue.shift()!);
  }
  const lastKill = Date.now();
  const open = () =>
    base.db.select().from(webhookDeliveries).where(ne(webhookDeliveries.status, "delivered"));
  const held = (await open()).map(({ claimedUntil }) => claimedUntil?.getTime() ?? 0);
  // The other workers claimed too until now.
  const lastFree = Date.now() + CLAIM_MS;
  await until("all to be delivered", async () => (await open()).length === 0);
  const seconds = (Date.now() - lastKill) / 1_000;

  const arrived = new Map<string, number>();
  for (const { id, verified } of receiver.received) {
    assert.ok(verified);
    arrived.set(id, (arrived.get(id) ?? 0) + 1);
  }
  const lost = emitted.filter((id) => !arrived.has(`evt_${id}`));
  const again = [...arrived.values()].reduce((sum, times) => sum + times - 1, 0);
  const claimed = await base.db.select().from(webhookDeliveries);
  const interrupted = claimed.filter(({ attempts }) => attempts > 1).length;
  t.diagnostic(
    `${KILLS} kills, ${emitted.length} events, lost ${lost.length}, in a killed worker's hands ${interrupted}, ` +
      `sent again ${again}, all delivered ${seconds.toFixed(1)} s after the last kill`,
  );
  assert.deepEqual(lost, []);
  assert.equal(arrived.size, emitted.length);
  assert.ok(interrupted > 0, "a kill met a delivery on its way");
  assert.ok(Math.max(...held) <= lastFree, `a claim lasts ${Math.max(...held) - lastFree} ms too long`);
  // A short run shares its processors with other tests, whose turns count too.
  if (LONG) assert.ok(seconds <= 30, `${seconds} s`);
});
