import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openDatabase } from "#lib/db/connection.ts";
import { startEmbedded } from "#lib/db/embedded.ts";
import { temporaryFolder } from "#tests/support/database.ts";
import { auditBooks, report } from "#tests/support/fault-audit.ts";
import { openEvmChain } from "#tests/support/fault-evm.ts";
import { type FaultLink, openFaultStack } from "#tests/support/fault-stack.ts";
import { runCli } from "#tests/support/run-cli.ts";
import { until } from "#tests/support/until.ts";

test("a cold copy of DATA_DIR is restored, and the watcher catches up with what happened since", async (t) => {
  const startedAt = Date.now();
  const folder = temporaryFolder();
  const [data, copy] = [join(folder, "data"), join(folder, "copy")];
  const first = await startEmbedded(data);
  // The stack's database is made there.
  process.env.TEST_POSTGRES_URL = first.url;
  const stack = await openFaultStack(await openEvmChain());
  const { pathname } = new URL(String(stack.pool.options.connectionString));
  t.after(async () => {
    await stack.chain.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const pay = async ({ address, amount }: FaultLink) => {
    await stack.chain.pay(address, amount);
    await stack.chain.mine(3);
  };
  const links = [];
  for (let i = 0; i < 4; i++) links.push(await stack.link(20));
  const [before, kept, after, down] = links as [FaultLink, FaultLink, FaultLink, FaultLink];

  const worker = await stack.startWorker();
  await stack.followed();
  await pay(before);
  await until("the first credit", async () => (await stack.linkState(before.refid)) === "completed");
  await worker.stop();
  await stack.pool.end();
  await first.stop();
  assert.equal(spawnSync("cp", ["-a", data, copy]).status, 0);

  // It goes on, and ends for good; what is paid now the copy knows nothing of.
  const second = await startEmbedded(data);
  const going = openDatabase(new URL(pathname, second.url).href);
  const again = await stack.startWorker({ DATABASE_URL: going.url });
  await pay(kept);
  await pay(after);
  const states = async () => {
    const { rows } = await going.pool.query("select state from payment_links where state = 'completed'");
    return rows.length === 3;
  };
  await until("the credits since", states);
  await again.kill();
  await going.close();
  await second.stop();
  rmSync(data, { recursive: true });
  await pay(down);

  const restored = await startEmbedded(copy);
  const { pool, url, close } = openDatabase(new URL(pathname, restored.url).href);
  const last = await stack.startWorker({ DATABASE_URL: url });
  await stack.chain.mine(stack.chain.settleBlocks);
  await until("every payment to be credited", async () => {
    const { rows } = await pool.query(
      "select count(*)::int as n from payment_links where state = 'completed'",
    );
    return rows[0].n === links.length;
  });
  const check = runCli({ ...stack.env, DATABASE_URL: url }, "ledger", "check");
  report("restored copy", await auditBooks({ chain: stack.chain, pool, check }), {}, startedAt);
  await last.stop();
  await close();
  await restored.stop();
});
