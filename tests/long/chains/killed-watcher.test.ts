import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import type { Failpoint } from "#lib/platform/failpoint.ts";
import { rawTransaction, reorg, sendEvmUsdt } from "#tests/support/anvil.ts";
import { QUICK_START } from "#tests/support/processes.ts";
import { openWatchedChain, USDT } from "#tests/support/watched-chain.ts";

/** Every step between reading a block and committing it, in order. */
const STEPS: readonly Failpoint[] = [
  "head-read",
  "blocks-read",
  "cursor-moved",
  "deposits-recorded",
  "record-committed",
  "credits-due",
  "deposits-credited",
  "credit-committed",
];

test("a watcher killed at any step loses nothing and credits nothing twice", async (t) => {
  const chain = await openWatchedChain(t);
  await chain.mine(6);
  const first = chain.watch();
  await chain.caughtUp();
  await first.stop();

  const runUntilKilled = async (failpoint: Failpoint) => {
    const watcher = spawn(process.execPath, [...QUICK_START, "tests/long/chains/watch-process.ts"], {
      env: { ...process.env, DATABASE_URL: chain.database.url, RPC_URL: chain.url, FAILPOINT: failpoint },
      stdio: "inherit",
    });
    const signal = await new Promise((resolve) => watcher.once("exit", (_, s) => resolve(s)));
    assert.equal(signal, "SIGKILL", failpoint);
  };
  const recover = async (credits: number) => {
    const watcher = chain.watch();
    // The killed one may have read all other blocks, and may have credited nothing: this one is to make a pass, to its end.
    await chain.mine();
    await chain.caughtUp();
    const rows = await chain.depositsAre(Array<"credited">(credits).fill("credited"));
    await watcher.stop();
    return rows;
  };

  const links: { refid: string }[] = [];
  for (const step of STEPS) {
    const link = await chain.link(10);
    links.push(link);
    await sendEvmUsdt(chain.url, link.address, 10n * USDT);
    await chain.mine(3);
    await runUntilKilled(step);
    const rows = await recover(links.length);
    assert.ok(
      rows.every(({ creditRound }) => creditRound === 1),
      step,
    );
    assert.equal(await chain.balance(), BigInt(links.length) * 10n * USDT, step);
    assert.equal(await chain.linkState(link.refid), "completed", step);
    assert.deepEqual((await chain.ledger()).problems, [], step);
  }
  const events = (await chain.events()).map(({ type }) => type);
  assert.equal(events.filter((type) => type === "deposit_credited").length, STEPS.length);
  assert.equal(events.filter((type) => type === "payment_link_completed").length, STEPS.length);

  const link = await chain.link(5);
  const hash = await sendEvmUsdt(chain.url, link.address, 5n * USDT);
  await chain.mine(3);
  await recover(links.length + 1);
  const raw = await rawTransaction(chain.url, hash);
  await reorg(chain.url, 4, [[raw, 3]]);
  for (const step of ["fork-found", "cursor-moved", "deposits-recorded"] as const) await runUntilKilled(step);
  await recover(links.length + 1);
  assert.equal(await chain.balance(), BigInt(links.length) * 10n * USDT + 5n * USDT);
  assert.deepEqual((await chain.ledger()).problems, []);
});
