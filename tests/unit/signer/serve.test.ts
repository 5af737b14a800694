import assert from "node:assert/strict";
import { test } from "node:test";
import { NodeError } from "#lib/chains/node-error.ts";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { holdsSignerLock, takeSignerLock } from "#lib/domain/withdrawals/signer/signer-lock.ts";
import { markRestore, removeRestoreMark } from "#lib/platform/db/unfinished-restore.ts";
import { JournalError } from "#lib/signer/journal.ts";
import type { SignerNetwork } from "#lib/signer/run-signer.ts";
import { SignerRunsError, serveSigner } from "#lib/signer/serve.ts";
import { testDatabase } from "#tests/support/database.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";
import { log } from "#tests/support/watched-chain.ts";

const network = (code: "bep20" | "trc20" | "xrp", step: () => Promise<void>): SignerNetwork => {
  const place = { env: "test", network: code, name: `test.${code}` } as const;
  const held = new Map([["1", "above_per_day" as const]]);
  const sweepWaits = new Map([["usdt" as const, "no_price"]]);
  const alarms = new Map([["approval_invalid" as const, 2]]);
  return { ...place, account: code, address: code, held, sweepWaits, alarms, step };
};

test("a network whose nodes never answer, or fail, delays no other", async (t) => {
  const { database, close } = await testDatabase();
  t.after(close);
  const hung = Promise.withResolvers<void>();
  let steps = 0;
  const signer = [
    network("bep20", () => hung.promise),
    network("trc20", async () => {
      throw new NodeError("unreachable", "no node");
    }),
    network("xrp", async () => {
      steps += 1;
    }),
  ];
  const broken: unknown[] = [];
  const options = { metricsPort: await choosePort(0), onBroken: (error: unknown) => broken.push(error) };
  const clock = openManualClock();
  const { stop } = await serveSigner({ open: () => signer, database, log, ...clock }, options);
  // The other two networks, and what writes for the console.
  await clock.untilAsleep(3);
  assert.equal(steps, 1);
  await clock.advance(2_000);
  await clock.untilAsleep(3);
  assert.equal(steps, 2);
  const { rows } = await database.pool.query(
    "select network from signer_accounts where stepped_at > started_at",
  );
  assert.deepEqual(rows, [{ network: "xrp" }]);
  const metrics = await (await fetch(`http://127.0.0.1:${options.metricsPort}/metrics`)).text();
  assert.match(metrics, /paylink_signer_held{network="test.xrp",reason="above_per_day"} 1/);
  assert.match(metrics, /paylink_signer_sweep_waiting{network="test.xrp",reason="no_price"} 1/);
  assert.match(metrics, /paylink_signer_alarms_total{network="test.xrp",reason="approval_invalid"} 2/);
  hung.resolve();
  await stop();
  assert.deepEqual(broken, []);
});

test("an answer that no one expected ends the step of its own network alone", async (t) => {
  const { database, close } = await testDatabase();
  t.after(close);
  let [failed, steps] = [0, 0];
  const signer = [
    network("bep20", async () => {
      failed += 1;
      // As of a text where a number belongs.
      BigInt("many");
    }),
    network("xrp", async () => {
      steps += 1;
    }),
  ];
  const broken: unknown[] = [];
  const options = { metricsPort: null, onBroken: (error: unknown) => broken.push(error) };
  const clock = openManualClock();
  const { stop } = await serveSigner({ open: () => signer, database, log, ...clock }, options);
  await clock.untilAsleep(3);
  await clock.advance(2_000);
  await clock.untilAsleep(3);
  assert.deepEqual([failed, steps], [2, 2]);
  await stop();
  assert.deepEqual(broken, []);
});

test("a journal that cannot be written ends the signer", async (t) => {
  const { database, close } = await testDatabase();
  t.after(close);
  const { promise: broken, resolve } = Promise.withResolvers<unknown>();
  const lost = network("bep20", async () => {
    throw new JournalError("the disk is full");
  });
  const options = { metricsPort: null, onBroken: resolve };
  const { stop } = await serveSigner({ open: () => [lost], database, log }, options);
  assert.ok((await broken) instanceof JournalError);
  await stop();
});

test("a second signer opens nothing before the first has ended, and then what the first has left", async (t) => {
  const { database, close } = await testDatabase();
  t.after(close);
  const options = { metricsPort: null, onBroken: (error: unknown) => assert.ifError(error) };
  const opened: string[] = [];
  const serve = (name: string) => {
    const open = () => {
      opened.push(name);
      return [network("xrp", async () => {})];
    };
    return serveSigner({ open, database, log }, options);
  };
  const first = await serve("first");
  assert.deepEqual(
    first.signer.map(({ name }) => name),
    ["test.xrp"],
  );
  await assert.rejects(serve("second"), SignerRunsError);
  assert.deepEqual(opened, ["first"]);
  await first.stop();
  const failing = { open: () => assert.fail("wrong words"), database, log };
  await assert.rejects(serveSigner(failing, options), /wrong words/);
  const third = await serve("third");
  assert.deepEqual(opened, ["first", "third"]);
  await third.stop();
});

test("the signer does not start on a database that was not restored completely", async (t) => {
  const { database, close } = await testDatabase();
  t.after(close);
  await markRestore(database.db);
  t.after(() => removeRestoreMark(database.db).catch(() => {}));
  const options = { metricsPort: null, onBroken: (error: unknown) => assert.ifError(error) };
  const refused = { open: () => assert.fail("the journal was opened"), database, log };
  await assert.rejects(serveSigner(refused, options), /This database was not restored completely/);
  await removeRestoreMark(database.db);
  const { stop } = await serveSigner({ open: () => [], database, log }, options);
  await stop();
});

test("only the connection that took the lock has it", async (t) => {
  const { database, close } = await testDatabase();
  t.after(close);
  const clients = [await database.pool.connect(), await database.pool.connect()] as const;
  const holds = () => Promise.all(clients.map((client) => holdsSignerLock(client)));
  assert.deepEqual(await holds(), [false, false]);
  await takeSignerLock(clients[0]);
  assert.deepEqual(await holds(), [true, false]);
  for (const client of clients) client.release(true);
});
